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
static gcast_status set_duration(gcast_workload *w, const char *value)
{
    const char *equals = strrchr(value, '=');
    int64_t ns;
    if (!equals || !units_parse_time(equals + 1, &ns) || ns < 1)
        return say(GCAST_USAGE, "--duration is LABEL=TIME with a time such as 10us, 1.5ms or 2s, not %s", value);
    char *label = strndup(value, (size_t)(equals - value));
    if (!label)
        return say_no_memory();
    gcast_status status = GCAST_OK;
    if (gcast_workload_set_duration(w, label, ns) == 0)
        status = say(GCAST_USAGE, "--duration: no kernel, copy or memset has the label %s", label);
    else if (workload_note_iterations(w, NULL) != GCAST_OK)
        status = say_no_memory();
    free(label);
    return status;
}

static gcast_status apply_durations(const args *a, gcast_workload *w)
{
    const char *file = args_value(a, "calibration");
    gcast_status status = file ? calibrate(w, file) : GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "duration"))
            status = set_duration(w, a->given[i].value);
    return status;
}

static gcast_status choose_gpu(const args *a, gcast_workload *w, gcast_gpu **gpu)
{
    gcast_error err;
    if (!*gpu && w->gpu && gcast_gpu_copy(w->gpu, gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (!*gpu || !w->partition_sms || gcast_gpu_partition(*gpu, w->partition_sms, &err) == GCAST_OK)
        return GCAST_OK;
    if (args_has(a, "sms") && err.code == GCAST_INPUT)
        return say(GCAST_USAGE, "--sms %d: %s has %d SMs", w->partition_sms, (*gpu)->name, (*gpu)->sms);
    snprintf(err.file, sizeof err.file, "%s", w->source);
    return say_error(&err);
}

static void say_notes(const gcast_workload *w, size_t first)
{
    for (size_t i = first; i < w->note_count; i++)
        say_note(w->notes[i]);
}

gcast_status workload_open_plain(const args *a, const char *path, const gcast_gpu *gpu, gcast_workload **w)
{
    gcast_error err;
    int64_t sms = 0, iterations = 0;
    *w = NULL;
    gcast_status status = args_int(a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status == GCAST_OK)
        status = args_int(a, "iterations", 1, INT_MAX, &iterations);
    if (status != GCAST_OK)
        return status;
    gcast_read_options options = gcast_read_options_default();
    options.iterations = (int)iterations;
    options.gpu = gpu;
    if (gcast_workload_load(path, &options, w, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK) {
        say_notes(*w, 0);
        size_t said = (*w)->note_count;
        status = apply_durations(a, *w);
        say_notes(*w, said);
    }
    if (status == GCAST_OK && sms)
        gcast_workload_set_partition(*w, (int)sms);
    if (status != GCAST_OK) {
        gcast_workload_free(*w);
        *w = NULL;
    }
    return status;
}

gcast_status workload_open(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu)
{
    gcast_error err;
    const char *name = args_value(a, "gpu");
    *w = NULL;
    *gpu = NULL;
    if (name && gcast_gpu_load(name, gpu, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = workload_open_plain(a, path, *gpu, w);
    if (status == GCAST_OK)
        status = choose_gpu(a, *w, gpu);
    if (status != GCAST_OK) {
        gcast_workload_free(*w);
        gcast_gpu_free(*gpu);
        *w = NULL;
        *gpu = NULL;
    }
    return status;
}

gcast_status workload_from_args(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu)
{
    gcast_status status = workload_open(a, path, w, gpu);
    if (status != GCAST_OK || *gpu)
        return status;
    gcast_workload_free(*w);
    *w = NULL;
    return say(GCAST_USAGE, "%s names no GPU; --gpu does, and gridcast gpus lists them", path);
}
