/* gcast_workload_import and gcast_profile_replay: read a profile, choose the GPU and the part, and make the workload.
 */
#include "base/api.h"
#include "gridcast/profile.h"
#include "gridcast/simulate.h"
#include "profile/make/prof_make.h"
#include "profile/profile_gpus.h"
#include "profile/read_profile.h"
#include "profile/recorded/recorded.h"
#include "profile/replay_handle.h"

#define MAX_CONNECTIONS 32 /* of CUDA */

static gcast_status check(const gcast_import_options *o, gcast_error *err)
{
    if (o->device < -1 || o->step < -1 || o->from_ns < 0 || o->to_ns < 0 || (o->to_ns && o->to_ns <= o->from_ns))
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "numbers and times of a part must not be negative, and must end after they begin");
    if (o->connections < 0 || o->connections > MAX_CONNECTIONS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "connections must be from 1 to %d", MAX_CONNECTIONS);
    if (o->range && (!o->range_number || o->step >= 0))
        return gcast_error_set(err, GCAST_USAGE, NULL, "ranges are numbered from 1, and cannot be used with a step");
    return o->gpu ? gcast_gpu_check(o->gpu, err) : GCAST_OK;
}

/* A time of the profile's clock. */
static int64_t time_of(const prof_trace *t, int64_t ns)
{
    int64_t time;
    return __builtin_add_overflow(t->zero_ns, ns, &time) ? INT64_MAX : time;
}

static prof_make_options make_options(const gcast_import_options *o, const prof_trace *t)
{
    prof_make_options m = prof_make_options_default();
    m.name = o->name ? o->name : "profile";
    m.device = o->device < 0 ? m.device : o->device;
    m.step = o->step < 0 ? m.step : o->step;
    m.range = o->range;
    m.range_number = o->range_number;
    m.all_threads = o->all_threads;
    m.from_ns = o->from_ns ? time_of(t, o->from_ns) : m.from_ns;
    m.to_ns = o->to_ns ? time_of(t, o->to_ns) : m.to_ns;
    m.connections = o->connections;
    m.durations = o->kernel_durations ? PROF_DURATIONS_KERNEL : PROF_DURATIONS_LAUNCH;
    m.events = o->told_events ? PROF_EVENTS_TOLD : PROF_EVENTS_INFERRED;
    return m;
}

/* Makes a workload on *gpu, which is a copy of the caller's or the profile's. */
static gcast_status make(const prof_trace *t, const gcast_import_options *o, bool with_recorded, gcast_gpu **gpu,
                         prof_made *made, gcast_error *err)
{
    gcast_gpu *recorded_on = NULL;
    prof_make_options m = make_options(o, t);
    gcast_status status = o->gpu ? gcast_gpu_copy(o->gpu, gpu, err) : GCAST_OK;
    if (status == GCAST_OK)
        status = profile_gpus_choose(t, m.device, gpu, &recorded_on, &m.partition_sms, err);
    m.gpu = *gpu;
    m.recorded_on = recorded_on;
    m.without_recorded = !with_recorded;
    if (status == GCAST_OK)
        status = prof_make(t, &m, made, err);
    gcast_gpu_free(recorded_on);
    return status;
}

/* Checks the options, and reads the file. */
static gcast_status read_trace(const char *path, const gcast_import_options *given, gcast_import_options *own,
                               prof_trace **t, gcast_error *err)
{
    *own = gcast_import_options_default();
    gcast_status status = options_copy(own, sizeof *own, given, "gcast_import_options", err);
    if (status == GCAST_OK)
        status = check(own, err);
    if (status != GCAST_OK)
        return status;
    const prof_read_options read = {.progress = own->progress, .progress_data = own->progress_data};
    return (recorded_is_file(path) ? recorded_read : prof_read)(path, &read, t, err);
}

gcast_status gcast_workload_import(const char *path, const gcast_import_options *given, gcast_workload **w,
                                   gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!path || !w)
        return argument_missing(err);
    prof_trace *t = NULL;
    prof_made made = {0};
    gcast_gpu *gpu = NULL;
    gcast_import_options own;
    gcast_status status = read_trace(path, given, &own, &t, err);
    if (status == GCAST_OK)
        status = make(t, &own, false, &gpu, &made, err);
    if (status == GCAST_OK) {
        *w = made.workload;
        made.workload = NULL;
    }
    prof_made_free(&made);
    gcast_gpu_free(gpu);
    prof_trace_free(t);
    return status;
}

gcast_status gcast_profile_replay(const char *path, const gcast_import_options *given, gcast_replay **replay,
                                  gcast_error *err)
{
    if (replay)
        *replay = NULL;
    if (!path || !replay)
        return argument_missing(err);
    prof_trace *t = NULL;
    prof_made made = {0};
    gcast_gpu *gpu = NULL;
    gcast_import_options own;
    gcast_simulate_options simulation = gcast_simulate_options_default();
    gcast_status status = read_trace(path, given, &own, &t, err);
    if (status == GCAST_OK)
        status = make(t, &own, true, &gpu, &made, err);
    simulation.progress = own.progress;
    simulation.progress_data = own.progress_data;
    if (status == GCAST_OK)
        status = replay_create(t, &made, gpu, &simulation, replay, err);
    prof_made_free(&made);
    gcast_gpu_free(gpu);
    prof_trace_free(t);
    return status;
}
