/* gcast_workload_advise: checks what it is given, then makes one part after the other. So does added_method_advise. */
#include "analyze/advice/advise.h"

#include <stdlib.h>

#include "analyze/added_method.h"
#include "base/api.h"

typedef struct owned_advice {
    gcast_advice a; /* first, so that a gcast_advice is its handle */
    arena memory;   /* of all arrays */
    gcast_sensitivity sensitivity;
    gcast_orders orders;
    gcast_levels levels;
} owned_advice;

/* Passes the progress of analyses on. There are many, so that the fraction of one says nothing. */
typedef struct watcher {
    const gcast_advise_options *options;
    const char *part;
} watcher;

static bool show(void *data, double fraction)
{
    const watcher *x = data;
    (void)fraction;
    return x->options->progress(x->options->progress_data, x->part, -1);
}

static gcast_status check_options(const gcast_advise_options *o, gcast_error *err)
{
    if (!o->sensitivity && !o->orders && !o->levels)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no part of the advice is asked for");
    if ((unsigned)o->method >= GCAST_METHODS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no method number %d", (int)o->method);
    if ((unsigned)o->goal >= GCAST_GOALS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no goal number %d", (int)o->goal);
    return GCAST_OK;
}

/* Makes the parts that are asked for; `by` NULL: by a method of the library. */
static gcast_status make_parts(owned_advice *o, const added_method *by, const gcast_workload *w, const gcast_gpu *gpu,
                               const gcast_advise_options *options, gcast_error *err)
{
    watcher x = {options, ADVISE_SENSITIVITY};
    gcast_analyze_options analyze = gcast_analyze_options_default();
    gcast_status status = options_copy(&analyze, sizeof analyze, options->analyze, "gcast_analyze_options", err);
    analyze.progress = options->progress ? show : NULL;
    analyze.progress_data = &x;
    judge j = by ? judge_by_added(by, &analyze) : judge_by_method(options->method, &analyze);
    if (status == GCAST_OK && options->sensitivity) {
        status = sensitivity_find(&j, w, gpu, options->max_ms, &o->memory, &o->sensitivity, err);
        o->a.sensitivity = &o->sensitivity;
    }
    if (status == GCAST_OK && options->orders) {
        status = orders_find(w, gpu, options, &o->memory, &o->orders, err);
        o->a.orders = &o->orders;
    }
    x.part = ADVISE_LEVELS;
    if (status == GCAST_OK && options->levels) {
        status = levels_assign(&j, w, gpu, options->max_ms, &o->memory, &o->levels, err);
        o->a.levels = &o->levels;
    }
    return status;
}

gcast_status added_method_advise(const added_method *m, const gcast_workload *w, const gcast_gpu *gpu,
                                 const gcast_advise_options *options, gcast_advice **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    gcast_advise_options own = gcast_advise_options_default();
    gcast_status status = options_copy(&own, sizeof own, options, "gcast_advise_options", err);
    if (status == GCAST_OK)
        status = check_options(&own, err);
    if (status != GCAST_OK)
        return status;
    gpu = gpu ? gpu : w->gpu;
    if (!gpu)
        return hint_add(err, GCAST_HINT_GPU, gcast_error_set(err, GCAST_INPUT, "/gpu", "no GPU is named"));
    status = gcast_workload_check(w, err);
    owned_advice *o = status == GCAST_OK ? calloc(1, sizeof *o) : NULL;
    if (!o)
        return status == GCAST_OK ? gcast_error_set_memory(err) : status;
    o->a.memory = o;
    status = make_parts(o, m, w, gpu, &own, err);
    if (status == GCAST_OK)
        *out = &o->a;
    else
        gcast_advice_free(&o->a);
    return status;
}

gcast_status gcast_workload_advise(const gcast_workload *w, const gcast_gpu *gpu, const gcast_advise_options *options,
                                   gcast_advice **out, gcast_error *err)
{
    return added_method_advise(NULL, w, gpu, options, out, err);
}

void gcast_advice_free(gcast_advice *advice)
{
    if (!advice)
        return;
    owned_advice *o = advice->memory;
    arena_free(&o->memory);
    free(o);
}
