#include "analyze/corun/worker_climb.h"

#include "analyze/corun/trials.h"

static void set_start(corun_search *s)
{
    uint32_t unit[GCAST_CORUN_MAX], kernels = s->o.kernels;
    for (uint32_t k = 0; k < kernels; k++) {
        unit[k] = s->units / kernels + (k < s->units % kernels);
        s->start.workers[k] = s->o.max_workers[k];
    }
    corun_set_split(s, unit, &s->start);
}

static gcast_status climb(corun_search *s, uint32_t kernel)
{
    size_t index;
    gcast_status status = corun_try(s, &s->start, &index);
    double best = status == GCAST_OK ? s->trials.at[index].value : 0;
    while (status == GCAST_OK && s->start.workers[kernel] > 1) {
        gcast_corun_config fewer = s->start;
        fewer.workers[kernel]--;
        status = corun_try(s, &fewer, &index);
        if (status != GCAST_OK || s->trials.at[index].value < best * (1 - CORUN_TIE))
            break;
        s->start = fewer;
        if (s->trials.at[index].value > best)
            best = s->trials.at[index].value;
    }
    return status;
}

gcast_status corun_climb_workers(corun_search *s)
{
    gcast_status status = GCAST_OK;
    set_start(s);
    for (uint32_t k = 0; k < s->o.kernels && status == GCAST_OK; k++)
        status = climb(s, k);
    return status;
}

/* May an adjustment go from `now` workers to `other`? */
static bool is_candidate(const corun_search *s, uint32_t now, uint32_t other)
{
    if (s->o.exhaustive)
        return other != now;
    return other == now + 1 || other + 1 == now || other == now / 2 || other == now * 2;
}

/* Makes the best change of one kernel's workers that gains more than a tie. *has_changed: there was one. */
static gcast_status adjust(corun_search *s, uint32_t kernel, bool *has_changed)
{
    gcast_corun_config config = s->start;
    uint32_t now = s->start.workers[kernel], *workers = &config.workers[kernel];
    size_t index;
    gcast_status status = corun_try(s, &s->start, &index);
    double best = status == GCAST_OK ? s->trials.at[index].value * (1 + CORUN_TIE) : 0;
    for (*workers = 1; *workers <= s->o.max_workers[kernel] && status == GCAST_OK; ++*workers) {
        if (!is_candidate(s, now, *workers))
            continue;
        status = corun_try(s, &config, &index);
        if (status == GCAST_OK && s->trials.at[index].value > best) {
            best = s->trials.at[index].value;
            s->start.workers[kernel] = *workers;
        }
    }
    *has_changed = s->start.workers[kernel] != now;
    return status;
}

gcast_status corun_adjust_workers(corun_search *s, bool *has_changed)
{
    gcast_status status = GCAST_OK;
    *has_changed = false;
    for (uint32_t k = 0; k < s->o.kernels && status == GCAST_OK; k++) {
        bool is_better = true;
        while (status == GCAST_OK && is_better) {
            status = adjust(s, k, &is_better);
            *has_changed = *has_changed || is_better;
        }
    }
    return status;
}
