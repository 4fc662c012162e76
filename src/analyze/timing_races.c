/* Timing races. Times on hardware scatter: those of blocks by a few clock ticks, those of launches by microseconds.
 * Where that reverses an order, the prediction is only one of several possible ones. Simulations with the same scatter
 * find these places. */
#include "gridcast/races.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"

#define MIN_SPREAD_NS 20000 /* a smaller range of an end is no race; nor is one below 1 % of the run */

typedef struct trial_progress {
    const gcast_simulate_options *options;
    int trial, trials;
} trial_progress;

static bool show_progress(void *data, double fraction)
{
    const trial_progress *p = data;
    return p->options->progress(p->options->progress_data, (p->trial + fraction) / p->trials);
}

/* Widens the range of each operation's end to include that of another run. */
static void widen(gcast_race *all, const gcast_run *run)
{
    for (size_t i = 0; i < run->op_count; i++) {
        all[i].earliest_ns = min_i64(all[i].earliest_ns, run->ops[i].end_ns);
        all[i].latest_ns = max_i64(all[i].latest_ns, run->ops[i].end_ns);
    }
}

static gcast_status run_trials(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options,
                               int trials, gcast_race *all, gcast_error *err)
{
    trial_progress progress = {options, 0, trials};
    gcast_simulate_options noisy = *options;
    noisy.record_blocks = false;
    noisy.noise_ns = run->gpu->noise_ns;
    noisy.scatter = true;
    noisy.progress = options->progress ? show_progress : NULL;
    noisy.progress_data = &progress;
    for (; progress.trial < trials; progress.trial++) {
        gcast_run *other;
        noisy.noise_seed = (uint64_t)progress.trial;
        gcast_status status = gcast_workload_simulate(run->workload, gpu, &noisy, &other, err);
        if (status != GCAST_OK)
            return status;
        bool same = other->op_count == run->op_count;
        if (same)
            widen(all, other);
        gcast_run_free(other);
        if (!same)
            return gcast_error_set(err, GCAST_USAGE, NULL,
                                   "the options are not those that gave the run: its operations "
                                   "are others");
    }
    return GCAST_OK;
}

gcast_status gcast_run_find_races(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *given,
                                  int trials, gcast_race **races, size_t *count, gcast_error *err)
{
    if (races)
        *races = NULL;
    if (!run || !races || !count)
        return argument_missing(err);
    gcast_simulate_options own = gcast_simulate_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_simulate_options", err);
    if (status != GCAST_OK)
        return status;
    gcast_race *all = calloc(run->op_count + 1, sizeof *all);
    if (!all)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count; i++)
        all[i] = (gcast_race){i, run->ops[i].end_ns, run->ops[i].end_ns};
    if (run->gpu->noise_ns || run->gpu->launch_noise_ns)
        status = run_trials(run, gpu, &own, trials, all, err);
    if (status != GCAST_OK) {
        free(all);
        return status;
    }
    int64_t spread = max_i64(run->end_ns / 100, MIN_SPREAD_NS);
    *count = 0;
    for (size_t i = 0; i < run->op_count; i++)
        if (all[i].latest_ns - all[i].earliest_ns > spread)
            all[(*count)++] = all[i];
    *races = all;
    return GCAST_OK;
}
