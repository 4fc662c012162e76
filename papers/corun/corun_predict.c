/* Scores of co-runs, the SMs of each kernel, and predicted times of launches (gridcast/corun.h). */
#include <stdio.h>

#include "base/api.h"
#include "base/integers.h"
#include "model/launch_file.h"
#include "papers/corun/corun.h"

#define PAIR 2 /* SMs of a TPC, which have consecutive numbers */

gcast_corun_score gcast_corun_score_make(uint32_t kernels, const double *alone, const double *together)
{
    if (!alone || !together)
        return (gcast_corun_score){0};
    gcast_corun_score score = {0, 0};
    for (uint32_t k = 0; k < kernels; k++) {
        score.stp += alone[k] / together[k];
        score.antt += together[k] / alone[k];
    }
    if (kernels)
        score.antt /= kernels;
    return score;
}

/* gcast_corun_deal_sms decides which SMs each kernel gets. */

/* The kernel that is furthest behind its share when `dealt` of `all` SMs are dealt. */
static uint32_t most_behind(const gcast_corun_config *config, uint32_t kernels, const uint32_t *given, uint32_t dealt,
                            uint32_t all)
{
    uint32_t best = 0;
    double most = -2;
    for (uint32_t k = 0; k < kernels; k++) {
        double behind = (double)config->sms[k] * (dealt + PAIR) / all - given[k];
        if (given[k] < config->sms[k] && behind > most) {
            best = k;
            most = behind;
        }
    }
    return best;
}

void gcast_corun_deal_sms(const gcast_corun_config *config, uint32_t kernels, uint32_t sms, uint32_t *kernel_of)
{
    if (!config || !kernel_of)
        return;
    uint32_t given[GCAST_CORUN_MAX] = {0}, all = 0, left_over = 0;
    for (uint32_t k = 0; k < kernels; k++)
        all += config->sms[k];
    for (uint32_t s = 0; s < sms; s++)
        kernel_of[s] = kernels;
    for (uint32_t s = 0; s < sms && s < all; s++) {
        if (!left_over) {
            uint32_t k = most_behind(config, kernels, given, s, all);
            left_over = config->sms[k] - given[k] < PAIR ? 1 : PAIR;
            kernel_of[s] = k;
        } else {
            kernel_of[s] = kernel_of[s - 1];
        }
        given[kernel_of[s]]++;
        left_over--;
    }
}

/* The time of a launch is interpolated between its measured times. */

/* The measured times next to a number of SMs, for one number of workers; each may be NULL. */
typedef struct nearest_times {
    const gcast_launch_time *below;        /* the most SMs that are not more */
    const gcast_launch_time *second_below; /* the next one below that */
    const gcast_launch_time *above;        /* the fewest SMs that are more */
    const gcast_launch_time *second_above; /* the next one above that */
} nearest_times;

static nearest_times find_nearest(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    nearest_times n = {0};
    for (size_t i = 0; i < launch->time_count; i++) {
        const gcast_launch_time *t = &launch->times[i];
        if (t->workers != workers)
            continue;
        if (t->sms <= sms && (!n.below || t->sms > n.below->sms)) {
            n.second_below = n.below;
            n.below = t;
        } else if (t->sms <= sms && (!n.second_below || t->sms > n.second_below->sms)) {
            n.second_below = t;
        } else if (t->sms > sms && (!n.above || t->sms < n.above->sms)) {
            n.second_above = n.above;
            n.above = t;
        } else if (t->sms > sms && (!n.second_above || t->sms < n.second_above->sms)) {
            n.second_above = t;
        }
    }
    return n;
}

/* Interpolates linearly in 1 / SMs. */
static double on_line(const gcast_launch_time *a, const gcast_launch_time *b, uint32_t sms)
{
    double from = 1.0 / a->sms, part = (1.0 / sms - from) / (1.0 / b->sms - from);
    return (double)a->ns + ((double)b->ns - (double)a->ns) * part;
}

/* Extrapolates: `end` is the nearest time and `inner` the one next to it, or NULL. */
static double beyond(const gcast_launch_time *end, const gcast_launch_time *inner, uint32_t sms)
{
    double same = (double)end->ns, proportional = same * end->sms / sms;
    double line = inner ? on_line(inner, end, sms) : proportional;
    double min = proportional < same ? proportional : same, max = proportional < same ? same : proportional;
    return line < min ? min : line > max ? max : line;
}

static double time_with_workers(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    nearest_times n = find_nearest(launch, workers, sms);
    if (n.below && n.below->sms == sms)
        return (double)n.below->ns;
    if (n.below && n.above)
        return on_line(n.below, n.above, sms);
    return n.below ? beyond(n.below, n.second_below, sms) : beyond(n.above, n.second_above, sms);
}

/* The launch must have times. A measured time is returned exactly. Otherwise the time is linear in 1 / SMs between
 * measured numbers of SMs, and beyond them too, but there it stays between constant and inversely proportional. It is
 * linear in workers between measured numbers of workers; with fewer it grows in proportion, with more it stays. */
static double sampled_time_ns(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    uint32_t fewer = 0, more = 0; /* the nearest numbers of workers that were measured; 0: none */
    for (size_t i = 0; i < launch->time_count; i++) {
        uint32_t measured = launch->times[i].workers;
        if (measured <= workers && measured > fewer)
            fewer = measured;
        if (measured > workers && (!more || measured < more))
            more = measured;
    }
    if (!fewer)
        return time_with_workers(launch, more, sms) * more / workers;
    double ns = time_with_workers(launch, fewer, sms);
    if (fewer == workers || !more)
        return ns;
    return ns + (time_with_workers(launch, more, sms) - ns) * (workers - fewer) / (more - fewer);
}

/* The time of a launch without measured times is the sum of its jobs. */

static double job_time(const gcast_launch_file *launch, uint64_t workers)
{
    size_t known = launch->job_ns_count;
    if (workers <= known)
        return (double)launch->job_ns[workers - 1];
    return (double)launch->job_ns[known - 1] * (double)workers / (double)known;
}

/* The time of the worker with the most jobs on the SM with the most, as the mapping "segments" deals them. */
static double sum_of_jobs(const gcast_launch_file *launch, uint32_t workers, uint32_t sms)
{
    uint64_t jobs = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t of_sm = (jobs - 1) / sms + 1, busy = min_u64(workers, of_sm), of_worker = (of_sm - 1) / busy + 1;
    return (double)of_worker * job_time(launch, busy);
}

/* Refuses times without workers or SMs, and counts without arrays. */
static gcast_status check_times(const gcast_launch_file *l, gcast_error *err)
{
    if ((l->time_count && !l->times) || (l->job_ns_count && !l->job_ns))
        return argument_missing(err);
    for (size_t i = 0; i < l->time_count; i++)
        if (l->times[i].workers == 0 || l->times[i].sms == 0)
            return gcast_error_set(err, GCAST_USAGE, "/times", "time %zu has no workers, or no SMs", i);
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
    status = gcast_error_set(err, GCAST_INPUT, "/job_ns",
                             "its time is not known: measure `times`, or compute `job_ns` with `gridcast exec --cost`");
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
