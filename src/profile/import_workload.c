/* gcast_workload_import: reads a profile, chooses the GPU and the part, and makes the workload. */
#include "base/api.h"
#include "gridcast/profile.h"
#include "profile/make/prof_make.h"
#include "profile/profile_gpus.h"
#include "profile/read_profile.h"
#include "profile/recorded/recorded.h"

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
    m.without_recorded = true;
    return m;
}

static gcast_status make(const prof_trace *t, const gcast_import_options *o, gcast_workload **w, gcast_error *err)
{
    gcast_gpu *gpu = NULL, *recorded_on = NULL;
    prof_made made = {0};
    prof_make_options m = make_options(o, t);
    gcast_status status = o->gpu ? gcast_gpu_copy(o->gpu, &gpu, err) : GCAST_OK;
    if (status == GCAST_OK)
        status = profile_gpus_choose(t, m.device, &gpu, &recorded_on, &m.partition_sms, err);
    m.gpu = gpu;
    m.recorded_on = recorded_on;
    if (status == GCAST_OK)
        status = prof_make(t, &m, &made, err);
    if (status == GCAST_OK) {
        *w = made.workload;
        made.workload = NULL;
    }
    prof_made_free(&made);
    gcast_gpu_free(gpu);
    gcast_gpu_free(recorded_on);
    return status;
}

gcast_status gcast_workload_import(const char *path, const gcast_import_options *given, gcast_workload **w,
                                   gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!path || !w)
        return argument_missing(err);
    prof_trace *t = NULL;
    gcast_import_options own = gcast_import_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_import_options", err);
    if (status == GCAST_OK)
        status = check(&own, err);
    const prof_read_options read = {.progress = own.progress, .progress_data = own.progress_data};
    if (status == GCAST_OK)
        status = (recorded_is_file(path) ? recorded_read : prof_read)(path, &read, &t, err);
    if (status == GCAST_OK)
        status = make(t, &own, w, err);
    prof_trace_free(t);
    return status;
}
