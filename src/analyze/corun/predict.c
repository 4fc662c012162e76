/* How long launches take together, predicted from what is known of each alone (gridcast/corun.h). */
#include <stdio.h>

#include "analyze/corun/sampled_times.h"
#include "base/api/argument_missing.h"
#include "base/minmax.h"
#include "gridcast/corun.h"

static double job_time(const gcast_launch_file *launch, uint64_t workers)
{
    size_t known = launch->job_ns_count;
    if (workers <= known)
        return (double)launch->job_ns[workers - 1];
    return (double)launch->job_ns[known - 1] * (double)workers / (double)known;
}

/* The SM with most jobs, and of its workers that with most, as the mapping segments deals them. */
static double sum_of_jobs(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    uint64_t jobs = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t of_sm = (jobs - 1) / sms + 1, busy = min_u64(workers, of_sm), of_worker = (of_sm - 1) / busy + 1;
    return (double)of_worker * job_time(launch, busy);
}

/* Can it be said from these how long the launch takes? Each of them is of a worker and an SM. */
static gcast_status check_times(const gcast_launch_file *l, gcast_error *err)
{
    if ((l->time_count && !l->times) || (l->job_ns_count && !l->job_ns))
        return argument_missing(err);
    for (size_t i = 0; i < l->time_count; i++)
        if (l->times[i].workers == 0 || l->times[i].sms == 0)
            return gcast_error_set(err, GCAST_USAGE, "/times", "time %zu is of no worker, or of no SM", i);
    return GCAST_OK;
}

gcast_status gcast_corun_time_alone(const gcast_launch_file *launch, uint32_t workers, uint32_t sms, double *ns,
                                    gcast_error *err)
{
    if (!launch || !ns)
        return argument_missing(err);
    *ns = 0;
    if (workers == 0 || sms == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%s: a launch needs a worker and an SM", launch->name);
    if (launch->grid[0] == 0 || launch->grid[1] == 0 || launch->grid[2] == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%s: the grid has no blocks", launch->name);
    gcast_status status = check_times(launch, err);
    if (status != GCAST_OK)
        return status;
    if (launch->time_count) {
        *ns = sampled_time_ns(launch, workers, sms);
        return GCAST_OK;
    }
    if (launch->job_ns_count) {
        *ns = sum_of_jobs(launch, workers, sms);
        return GCAST_OK;
    }
    status = gcast_error_set(
        err, GCAST_INPUT, "/job_ns",
        "how long it takes is not known: measure `times`, or let `gridcast exec --cost` say what `job_ns` are");
    if (err && launch->file)
        snprintf(err->file, sizeof err->file, "%s", launch->file);
    return status;
}

gcast_status gcast_corun_predict(void *launches, const gcast_corun_config *config, double *together_ns,
                                 gcast_error *err)
{
    if (!launches || !config || !together_ns)
        return argument_missing(err);
    const gcast_corun_launches *l = launches;
    gcast_status status = GCAST_OK;
    for (uint32_t k = 0; k < l->kernels && status == GCAST_OK; k++)
        status = gcast_corun_time_alone(l->launch[k], config->workers[k], config->sms[k], &together_ns[k], err);
    return status;
}
