/* gcast_system_read: a model, what is given beside it, and the system that both make. */
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "files/given_file.h"
#include "system/system_handle.h"

gcast_status system_error_in(const sys_system *s, gcast_status status, gcast_error *err)
{
    if (status != GCAST_OK && err && !err->file[0])
        snprintf(err->file, sizeof err->file, "%s", s->source);
    return status;
}

/* Reads the file beside the model, if there is one. */
static gcast_status read_given(const char *path, sys_given **g, gcast_error *err)
{
    if (path)
        return given_load(path, g, err);
    *g = given_create();
    return *g ? GCAST_OK : gcast_error_set_memory(err);
}

/* Checks the paths, and copies the options over the defaults in *own. */
static gcast_status take_options(const char *const *paths, size_t count, const gcast_system_options *given,
                                 gcast_system_options *own, gcast_error *err)
{
    *own = gcast_system_options_default();
    for (size_t i = 0; i < count; i++)
        if (!paths[i])
            return argument_missing(err);
    if (!count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no file of a model is given");
    gcast_status status = options_copy(own, sizeof *own, given, "gcast_system_options", err);
    if (status == GCAST_OK && own->gpu)
        status = gcast_gpu_check(own->gpu, err);
    return status == GCAST_OK ? model_options_check(own, err) : status;
}

/* Reads the model and all that is given beside it, but makes no system. */
static gcast_status read_model(const char *const *paths, size_t count, const gcast_system_options *options,
                               gcast_system *x, gcast_error *err)
{
    gcast_system_options own;
    gcast_status status = take_options(paths, count, options, &own, err);
    if (status == GCAST_OK)
        status = amalthea_read(paths, count, &x->model, err);
    if (status == GCAST_OK && own.gpu)
        status = gcast_gpu_copy(own.gpu, &x->gpu, err);
    if (status == GCAST_OK)
        status = read_given(own.given, &x->given, err);
    return status == GCAST_OK ? model_options_apply(&own, x->model, x->given, err) : status;
}

gcast_status system_open(const char *const *paths, size_t count, const gcast_system_options *options, bool searched,
                         gcast_system **x, gcast_error *err)
{
    *x = NULL;
    gcast_system *made = calloc(1, sizeof *made);
    if (!made)
        return gcast_error_set_memory(err);
    gcast_status status = read_model(paths, count, options, made, err);
    if (status == GCAST_OK) {
        made->given->searched = searched;
        status = amalthea_system(made->model, made->gpu, made->given, &made->s, err);
    }
    if (status == GCAST_OK)
        *x = made;
    else
        gcast_system_free(made);
    return status;
}

gcast_status system_read_model(const char *const *paths, size_t count, const gcast_system_options *options,
                               gcast_system **x, gcast_error *err)
{
    gcast_system *made = calloc(1, sizeof *made);
    *x = NULL;
    if (!made)
        return gcast_error_set_memory(err);
    gcast_status status = read_model(paths, count, options, made, err);
    if (status == GCAST_OK)
        *x = made;
    else
        gcast_system_free(made);
    return status;
}

gcast_status gcast_system_read(const char *const *paths, size_t count, const gcast_system_options *options,
                               gcast_system **x, gcast_error *err)
{
    if (x)
        *x = NULL;
    return paths && x ? system_open(paths, count, options, false, x, err) : argument_missing(err);
}

void gcast_system_free(gcast_system *x)
{
    if (!x)
        return;
    system_free(x->s);
    given_free(x->given);
    if (x->model)
        amalthea_free(x->model);
    gcast_gpu_free(x->gpu);
    free(x);
}

const char *gcast_system_finding(const gcast_system *x, size_t number)
{
    for (size_t i = 0; x && i < x->s->finding_count; i++) {
        const sys_finding *f = &x->s->findings[i];
        if ((f->doubtful || f->effects) && number-- == 0)
            return f->text;
    }
    return NULL;
}
