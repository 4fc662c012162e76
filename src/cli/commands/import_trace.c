#include "cli/commands/import_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/gpu.h"
#include "gridcast/read.h"
#include "model/scenario.h"
#include "profile/make/prof_make.h"
#include "profile/profile_gpus.h"
#include "profile/replay_handle.h"
#include "profile/trace.h"

/* Options choose a part of a profile, and how a workload is made of it. */

#define MAX_CONNECTIONS 32 /* of CUDA */

/* START-END, either of which may be missing. */
static gcast_status read_range(const char *value, prof_make_options *o)
{
    char first[64];
    const char *dash = strchr(value, '-');
    size_t size = dash ? (size_t)(dash - value) : sizeof first;
    bool ok = size < sizeof first;
    if (ok) {
        memcpy(first, value, size);
        first[size] = '\0';
        ok = (!size || units_parse_time(first, &o->from_ns)) && (!dash[1] || units_parse_time(dash + 1, &o->to_ns)) &&
             (size || dash[1]) && o->from_ns < o->to_ns && o->from_ns <= INT64_MAX / 4;
    }
    if (ok)
        return GCAST_OK;
    return say(GCAST_USAGE, "--range is START-END, from the beginning of the profile, such as 1.5ms-3ms, not %s",
               value);
}

/* NAME, or NAME#K for the k-th range of that name. A name may contain #. */
static void read_nvtx(const char *value, char *name, prof_make_options *o)
{
    strcpy(name, value);
    char *number = strrchr(name, '#'), *end;
    o->range = name;
    o->range_number = 1;
    if (!number || !number[1] || strspn(number + 1, "0123456789") != strlen(number + 1))
        return;
    unsigned long long k = strtoull(number + 1, &end, 10);
    if (k < 1)
        return;
    o->range_number = k;
    *number = '\0';
}

/* Reads the options; place_part then moves --range, which counts from the beginning of the profile. Errors are
 * printed. */
static gcast_status read_part(const args *a, prof_make_options *o)
{
    const char *range = args_value(a, "range"), *nvtx = args_value(a, "nvtx");
    int64_t connections = 0;
    int durations = PROF_DURATIONS_LAUNCH, events = PROF_EVENTS_INFERRED;
    if (nvtx && args_has(a, "step"))
        return say(GCAST_USAGE, "give one of --nvtx and --step: each selects a part");
    o->all_threads = args_has(a, "all-threads");
    if (o->all_threads && !nvtx)
        return say(GCAST_USAGE, "--all-threads needs --nvtx");
    gcast_status status = range ? read_range(range, o) : GCAST_OK;
    if (status == GCAST_OK)
        status = args_int(a, "step", 0, INT64_MAX / 4, &o->step);
    if (status == GCAST_OK)
        status = args_int(a, "device", 0, INT64_MAX / 4, &o->device);
    if (status == GCAST_OK)
        status = args_int(a, "connections", 1, MAX_CONNECTIONS, &connections);
    o->connections = (int)connections;
    if (status == GCAST_OK)
        status = args_choice(a, "durations", spans_choices, &durations);
    if (status == GCAST_OK)
        status = args_choice(a, "events", events_choices, &events);
    o->durations = (prof_durations)durations;
    o->events = (prof_events)events;
    if (status != GCAST_OK || !nvtx)
        return status;
    char *name = malloc(strlen(nvtx) + 1); /* freed by free_part */
    if (!name)
        return say_no_memory();
    read_nvtx(nvtx, name, o);
    return GCAST_OK;
}

static void free_part(prof_make_options *o)
{
    free((char *)o->range);
    o->range = NULL;
}

/* Makes the times of --range times of the trace. */
static void place_part(const prof_trace *t, prof_make_options *o)
{
    if (o->from_ns != INT64_MIN)
        o->from_ns += t->zero_ns;
    if (o->to_ns != INT64_MAX)
        o->to_ns = o->to_ns > INT64_MAX / 4 ? INT64_MAX : o->to_ns + t->zero_ns;
}

bool import_writes(const args *a)
{
    return args_has(a, "output") || args_has(a, "recorded") || args_has(a, "replay");
}

static gcast_status check_outputs(const args *a)
{
    const char *path = args_value(a, "output"), *recorded = args_value(a, "recorded");
    gcast_status status = output_check_single(a);
    if (status == GCAST_OK && args_has(a, "json") && !args_has(a, "replay"))
        return say(GCAST_USAGE, "--json needs --replay");
    if (status == GCAST_OK && args_has(a, "replay") &&
        ((path && output_is_standard(path)) || (recorded && output_is_standard(recorded))))
        return say(GCAST_USAGE, "--replay prints to standard output, which another output already uses");
    if (status == GCAST_OK && path)
        status = output_check_workload("-o", a->cmd->name, path);
    if (status == GCAST_OK && path)
        status = output_check(path, args_has(a, "force"));
    if (status == GCAST_OK && recorded)
        status = output_check(recorded, args_has(a, "force"));
    if (status != GCAST_OK || !recorded)
        return status;
    bool same = path && (output_is_standard(path) ? output_is_standard(recorded) : atomic_file_same(path, recorded));
    return same ? say(GCAST_USAGE, "-o and --recorded name the same file") : GCAST_OK;
}

/* Without an output, options of a workload would be ignored silently: they are errors. */
static gcast_status check_options_used(const args *a)
{
    static const char *const of_workload[] = {"range",       "nvtx",      "step",   "device", "gpu",
                                              "connections", "durations", "events", "name"};
    for (size_t i = 0; !import_writes(a) && i < sizeof of_workload / sizeof *of_workload; i++)
        if (args_has(a, of_workload[i]))
            return say(GCAST_USAGE, "--%s needs -o FILE, which writes a workload", of_workload[i]);
    return GCAST_OK;
}

gcast_status import_open(importing *x, const args *a, const char *name)
{
    gcast_error err;
    *x = (importing){.a = a, .options = prof_make_options_default()};
    x->options.name = args_has(a, "name") ? args_value(a, "name") : name;
    gcast_status status = read_part(a, &x->options);
    if (status == GCAST_OK)
        status = check_options_used(a);
    if (status == GCAST_OK)
        status = check_outputs(a);
    if (status == GCAST_OK && args_has(a, "gpu") && gcast_gpu_load(args_value(a, "gpu"), &x->gpu, &err) != GCAST_OK)
        status = say_error(&err);
    return status;
}

void import_close(importing *x)
{
    prof_made_free(&x->made);
    gcast_gpu_free(x->gpu);
    gcast_gpu_free(x->recorded_on);
    free_part(&x->options);
}

/* Finds the GPU of the profile and that of the workload. */
static gcast_status choose_gpu(importing *x, const prof_trace *t)
{
    gcast_error err;
    gcast_status status =
        profile_gpus_choose(t, x->options.device, &x->gpu, &x->recorded_on, &x->options.partition_sms, &err);
    x->options.gpu = x->gpu;
    x->options.recorded_on = x->recorded_on;
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

void import_say_findings(const prof_finding *list, size_t count)
{
    char note[1000];
    for (size_t i = 0; i < count; i++) {
        finding_print(&list[i], note, sizeof note);
        say_note(note);
    }
}

static gcast_status write_recorded(const importing *x)
{
    gcast_error err;
    char *bytes = NULL;
    size_t size;
    gcast_run *runs[] = {x->made.run};
    const gcast_scenario scenario = {.family = "profile", .workload = x->made.recorded, .runs = runs, .run_count = 1};
    if (!args_has(x->a, "recorded"))
        return GCAST_OK;
    if (gcast_scenario_write(&scenario, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_bytes(args_value(x->a, "recorded"), args_has(x->a, "force"), bytes, size);
    free(bytes);
    return status;
}

/* Simulates the workload, and prints how far it is from the recorded times, as JSON or tables. */
static gcast_status tell_replay(importing *x, const prof_trace *t)
{
    gcast_error err;
    progress shown;
    output out;
    gcast_replay *replay;
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_format format = args_has(x->a, "json") ? GCAST_FORMAT_JSON : GCAST_FORMAT_TABLE;
    progress_start(&shown, "simulating");
    options.progress = progress_show;
    options.progress_data = &shown;
    gcast_status status = replay_create(t, &x->made, x->gpu, &options, &replay, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_error(&err);
    status = output_open(&out, "-", false);
    if (status == GCAST_OK)
        status = output_finish(&out, gcast_replay_report(replay, format, output_write, &out, &err), &err);
    gcast_replay_free(replay);
    return status;
}

gcast_status import_trace(importing *x, const prof_trace *t)
{
    gcast_error err;
    gcast_status status = choose_gpu(x, t);
    if (status != GCAST_OK)
        return status;
    place_part(t, &x->options);
    x->options.without_recorded = !args_has(x->a, "recorded") && !args_has(x->a, "replay");
    status = prof_make(t, &x->options, &x->made, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    if (!args_has(x->a, "quiet")) {
        import_say_findings(t->findings, t->finding_count);
        import_say_findings(x->made.findings.list.at, x->made.findings.list.count);
    }
    if (args_has(x->a, "output"))
        status = output_workload(args_value(x->a, "output"), args_has(x->a, "force"), x->made.workload);
    if (status == GCAST_OK)
        status = write_recorded(x);
    if (status == GCAST_OK && args_has(x->a, "replay"))
        status = tell_replay(x, t);
    return status;
}
