#include "cli/workload_args.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/say.h"
#include "files/workload_formats.h"
#include "model/workload/workload.h"

static gcast_status calibrate(gcast_workload *w, const char *path)
{
    gcast_error err;
    char *text;
    size_t size;
    gcast_status status = gcast_file_read(path, &text, &size, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    status = gcast_workload_calibrate(w, text, size, path, &err);
    free(text);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* LABEL=TIME, where the label may contain a =. */
static gcast_status read_duration(const char *value, given_duration *d)
{
    const char *equals = strrchr(value, '=');
    if (!equals || !units_parse_time(equals + 1, &d->ns) || d->ns < 1)
        return say(GCAST_USAGE, "--duration is LABEL=TIME with a time such as 10us, 1.5ms or 2s, not %s", value);
    d->label = value;
    d->label_size = (size_t)(equals - value);
    return GCAST_OK;
}

gcast_status workload_request_read(const args *a, workload_request *r)
{
    int64_t sms = 0, iterations = 0;
    *r = (workload_request){.path = a->operand_count ? a->operands[0] : NULL,
                            .gpu = args_value(a, "gpu"),
                            .calibration = args_value(a, "calibration")};
    gcast_status status = args_int(a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status == GCAST_OK)
        status = args_int(a, "iterations", 1, INT_MAX, &iterations);
    r->sms = (int)sms;
    r->iterations = (int)iterations;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "duration"))
            status = read_duration(a->given[i].value, &r->durations[r->duration_count++]);
    return status;
}

static gcast_status set_duration(gcast_workload *w, const given_duration *d)
{
    char *label = strndup(d->label, d->label_size);
    if (!label)
        return say_no_memory();
    gcast_status status = GCAST_OK;
    if (gcast_workload_set_duration(w, label, d->ns) == 0)
        status = say(GCAST_USAGE, "--duration: no kernel, copy or memset has the label %s", label);
    else if (workload_note_iterations(w, NULL) != GCAST_OK)
        status = say_no_memory();
    free(label);
    return status;
}

static gcast_status apply_durations(const workload_request *r, gcast_workload *w)
{
    gcast_status status = r->calibration ? calibrate(w, r->calibration) : GCAST_OK;
    for (size_t i = 0; i < r->duration_count && status == GCAST_OK; i++)
        status = set_duration(w, &r->durations[i]);
    return status;
}

static gcast_status choose_gpu(const workload_request *r, gcast_workload *w, gcast_gpu **gpu)
{
    gcast_error err;
    if (!*gpu && w->gpu && gcast_gpu_copy(w->gpu, gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (!*gpu || !w->partition_sms || gcast_gpu_partition(*gpu, w->partition_sms, &err) == GCAST_OK)
        return GCAST_OK;
    if (r->sms && err.code == GCAST_INPUT)
        return say(GCAST_USAGE, "--sms %d: %s has %d SMs", w->partition_sms, (*gpu)->name, (*gpu)->sms);
    snprintf(err.file, sizeof err.file, "%s", w->source);
    return say_error(&err);
}

static void say_notes(const gcast_workload *w, size_t first)
{
    for (size_t i = first; i < w->note_count; i++)
        say_note(w->notes[i]);
}

gcast_status workload_open_plain(const workload_request *r, const gcast_gpu *gpu, gcast_workload **w)
{
    gcast_error err;
    gcast_read_options options = gcast_read_options_default();
    options.iterations = r->iterations;
    options.gpu = gpu;
    *w = NULL;
    if (gcast_workload_load(r->path, &options, w, &err) != GCAST_OK)
        return say_error(&err);
    say_notes(*w, 0);
    size_t said = (*w)->note_count;
    gcast_status status = apply_durations(r, *w);
    say_notes(*w, said);
    if (status == GCAST_OK && r->sms)
        gcast_workload_set_partition(*w, r->sms);
    if (status != GCAST_OK) {
        gcast_workload_free(*w);
        *w = NULL;
    }
    return status;
}

gcast_status workload_open(const workload_request *r, gcast_workload **w, gcast_gpu **gpu)
{
    gcast_error err;
    *w = NULL;
    *gpu = NULL;
    if (r->gpu && gcast_gpu_load(r->gpu, gpu, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = workload_open_plain(r, *gpu, w);
    if (status == GCAST_OK)
        status = choose_gpu(r, *w, gpu);
    if (status != GCAST_OK) {
        gcast_workload_free(*w);
        gcast_gpu_free(*gpu);
        *w = NULL;
        *gpu = NULL;
    }
    return status;
}

gcast_status workload_open_on_gpu(const workload_request *r, gcast_workload **w, gcast_gpu **gpu)
{
    gcast_status status = workload_open(r, w, gpu);
    if (status != GCAST_OK || *gpu)
        return status;
    gcast_workload_free(*w);
    *w = NULL;
    return say(GCAST_USAGE, "%s names no GPU: give --gpu NAME (gridcast gpus lists the names)", r->path);
}

gcast_status workload_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu)
{
    workload_request r;
    *w = NULL;
    *gpu = NULL;
    gcast_status status = workload_request_read(a, &r);
    return status == GCAST_OK ? workload_open_on_gpu(&r, w, gpu) : status;
}
