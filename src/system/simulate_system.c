/* gcast_system_simulate: an execution of a system. */
#include <stdlib.h>

#include "base/api.h"
#include "report/system/system_execution.h"
#include "simulate/system/system_simulate.h"
#include "system/system_handle.h"

static gcast_status take_options(const gcast_system_simulate_options *given, sys_simulate_options *out,
                                 gcast_error *err)
{
    gcast_system_simulate_options own = gcast_system_simulate_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_system_simulate_options", err);
    if (status == GCAST_OK && (unsigned)own.durations >= GCAST_DURATIONS_COUNT)
        status = gcast_error_set(err, GCAST_USAGE, NULL, "there are no durations %d", (int)own.durations);
    *out = (sys_simulate_options){.durations = own.durations,
                                  .seed = own.seed,
                                  .random_offsets = own.random_offsets,
                                  .random_jitter = own.random_jitter,
                                  .horizon_ns = own.horizon_ns,
                                  .record = own.record};
    return status;
}

gcast_status gcast_system_simulate(const gcast_system *x, const gcast_system_simulate_options *options,
                                   gcast_system_run **run, gcast_error *err)
{
    sys_simulate_options o;
    if (run)
        *run = NULL;
    if (!x || !run)
        return argument_missing(err);
    gcast_status status = take_options(options, &o, err);
    if (status != GCAST_OK)
        return status;
    gcast_system_run *made = calloc(1, sizeof *made);
    if (!made)
        return gcast_error_set_memory(err);
    status = system_error_in(x->s, system_simulate(x->s, NULL, &o, &made->run, err), err);
    if (status == GCAST_OK)
        *run = made;
    else
        free(made);
    return status;
}

void gcast_system_run_free(gcast_system_run *x)
{
    if (!x)
        return;
    system_run_free(x->run);
    free(x);
}

bool gcast_system_run_in_time(const gcast_system_run *x)
{
    for (size_t i = 0; x && i < x->run->job_count; i++)
        if (job_missed(x->run, &x->run->jobs[i]))
            return false;
    return x != NULL;
}
