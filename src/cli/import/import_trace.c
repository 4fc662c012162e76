#include "cli/import/import_trace.h"

#include <stdlib.h>

#include "cli/import/part_args.h"
#include "cli/import/profile_gpu.h"
#include "cli/import/replay_run.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/corpus.h"
#include "profile/devices.h"

bool import_writes(const args *a)
{
    return args_has(a, "output") || args_has(a, "recorded") || args_has(a, "replay");
}

static gcast_status check_outputs(const args *a)
{
    const char *path = args_value(a, "output"), *recorded = args_value(a, "recorded");
    gcast_status status = output_check_single(a);
    if (status == GCAST_OK && args_has(a, "json") && !args_has(a, "replay"))
        return say(GCAST_USAGE, "--json is of --replay");
    if (status == GCAST_OK && args_has(a, "replay") &&
        ((path && output_is_standard(path)) || (recorded && output_is_standard(recorded))))
        return say(GCAST_USAGE, "--replay prints to standard output, which another output is, too");
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

/* Options of a workload that nobody asked for would be ignored in silence. */
static gcast_status check_use(const args *a)
{
    static const char *const of_workload[] = {"range",       "nvtx",      "step",   "device", "gpu",
                                              "connections", "durations", "events", "name"};
    for (size_t i = 0; !import_writes(a) && i < sizeof of_workload / sizeof *of_workload; i++)
        if (args_has(a, of_workload[i]))
            return say(GCAST_USAGE, "--%s is of a workload: -o FILE asks for one", of_workload[i]);
    return GCAST_OK;
}

gcast_status import_open(importing *x, const args *a, const char *name)
{
    gcast_error err;
    *x = (importing){.a = a, .options = prof_make_options_default()};
    x->options.name = args_has(a, "name") ? args_value(a, "name") : name;
    gcast_status status = part_args(a, &x->options);
    if (status == GCAST_OK)
        status = check_use(a);
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
    part_args_free(&x->options);
}

static bool is_used(const prof_trace *t, int64_t device)
{
    for (size_t i = 0; i < t->op_count; i++)
        if (t->streams[t->ops[i].stream].device == device)
            return true;
    return false;
}

/* The GPU of the profile, and the one that the workload is for. */
static gcast_status choose_gpu(importing *x, const prof_trace *t)
{
    int64_t devices[2];
    size_t count = prof_devices(t, devices, 2);
    gcast_error err;
    if (count > 1 && x->options.device == PROF_UNKNOWN)
        return profile_gpu_ask_device(t, PROF_UNKNOWN);
    if (x->options.device != PROF_UNKNOWN && count && !is_used(t, x->options.device))
        return profile_gpu_ask_device(t, x->options.device);
    const prof_gpu *told = prof_gpu_of(t, x->options.device == PROF_UNKNOWN && count ? devices[0] : x->options.device);
    gcast_status status = profile_gpu_check(t, told);
    if (status == GCAST_OK)
        status = profile_gpu_find(told, &x->recorded_on);
    if (status != GCAST_OK)
        return status;
    if (!x->gpu && !x->recorded_on)
        return count ? profile_gpu_ask(told) : GCAST_OK;
    bool has_part = x->recorded_on && told->sms && told->sms < x->recorded_on->sms;
    x->options.partition_sms = has_part && !x->gpu ? told->sms : 0;
    if (!x->gpu && gcast_gpu_copy(x->recorded_on, &x->gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (has_part && gcast_gpu_partition(x->recorded_on, told->sms, &err) != GCAST_OK)
        return say_error(&err);
    x->options.gpu = x->gpu;
    x->options.recorded_on = x->recorded_on;
    return GCAST_OK;
}

void import_say_findings(const prof_finding *list, size_t count)
{
    char note[1000];
    for (size_t i = 0; i < count; i++) {
        finding_print(&list[i], note, sizeof note);
        say_note(note);
    }
}

static gcast_status write_workload(const importing *x)
{
    gcast_error err;
    char *bytes = NULL;
    size_t size;
    const char *path = args_value(x->a, "output");
    if (!path)
        return GCAST_OK;
    if (gcast_workload_write_native(x->made.workload, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_bytes(path, args_has(x->a, "force"), bytes, size);
    free(bytes);
    return status;
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

gcast_status import_trace(importing *x, const prof_trace *t)
{
    gcast_error err;
    gcast_status status = choose_gpu(x, t);
    if (status != GCAST_OK)
        return status;
    part_args_place(t, &x->options);
    x->options.without_recorded = !args_has(x->a, "recorded") && !args_has(x->a, "replay");
    status = prof_make(t, &x->options, &x->made, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    if (!args_has(x->a, "quiet")) {
        import_say_findings(t->findings, t->finding_count);
        import_say_findings(x->made.findings.list.at, x->made.findings.list.count);
    }
    status = write_workload(x);
    if (status == GCAST_OK)
        status = write_recorded(x);
    if (status == GCAST_OK && args_has(x->a, "replay"))
        status = replay_run(t, &x->made, x->gpu, args_has(x->a, "json"));
    return status;
}
