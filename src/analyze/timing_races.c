/* The hardware's times scatter: those of blocks by a few clock ticks, those of launches by
 * microseconds. Where that turns an order round, the prediction is one of several that may
 * come true. They are found by simulating with times that scatter as much. */
#include "gridcast/races.h"

#include <stdlib.h>

#define LEAST_SPREAD 20000

typedef struct trial_progress {
    const gcast_simulate_options *options;
    int trial, trials;
} trial_progress;

static bool show(void *data, double fraction)
{
    const trial_progress *p = data;
    return p->options->progress(p->options->progress_data, (p->trial + fraction) / p->trials);
}

/* Widen every operation's range of ends by those of another run. */
static void widen(gcast_race *all, const gcast_run *run)
{
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t end = run->ops[i].end_ns;
        all[i].earliest_ns = end < all[i].earliest_ns ? end : all[i].earliest_ns;
        all[i].latest_ns = end > all[i].latest_ns ? end : all[i].latest_ns;
    }
}

static gcast_status try_all(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options,
                            int trials, gcast_race *all, gcast_error *err)
{
    trial_progress progress = {options, 0, trials};
    gcast_simulate_options noisy = *options;
    noisy.record_blocks = false;
    noisy.noise_ns = run->gpu->noise_ns;
    noisy.scatter = true;
    noisy.progress = options->progress ? show : NULL;
    noisy.progress_data = &progress;
    for (; progress.trial < trials; progress.trial++) {
        gcast_run *other;
        noisy.noise_seed = (uint64_t)progress.trial;
        gcast_status status = gcast_workload_simulate(run->workload, gpu, &noisy, &other, err);
        if (status != GCAST_OK)
            return status;
        widen(all, other);
        gcast_run_free(other);
    }
    return GCAST_OK;
}

gcast_status gcast_run_find_races(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                  int trials, gcast_race **races, size_t *count, gcast_error *err)
{
    gcast_race *all = malloc((run->op_count + 1) * sizeof *all);
    if (!all)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count; i++)
        all[i] = (gcast_race){i, run->ops[i].end_ns, run->ops[i].end_ns};
    gcast_status status = GCAST_OK;
    if (run->gpu->noise_ns || run->gpu->launch_noise_ns)
        status = try_all(run, gpu, options, trials, all, err);
    if (status != GCAST_OK) {
        free(all);
        return status;
    }
    int64_t spread = run->end_ns / 100 > LEAST_SPREAD ? run->end_ns / 100 : LEAST_SPREAD;
    *count = 0;
    for (size_t i = 0; i < run->op_count; i++)
        if (all[i].latest_ns - all[i].earliest_ns > spread)
            all[(*count)++] = all[i];
    *races = all;
    return GCAST_OK;
}
