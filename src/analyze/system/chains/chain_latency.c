/* Latencies by walks from job to job, or for any phase. */
#include "analyze/system/chains/chain_stages.h"
#include "base/checked.h"

#define MOST_VISITS 2000000 /* of stages, in the walks of one chain */

/* Each stage may have to wait for a period until it samples, and takes from its reading to its writing. What comes
 * before the first job of a stage could have read it waits for that one. */
static void any_phase(const chain_stage *stages, size_t count, sys_latency *l)
{
    int64_t first = stages[0].skips ? SYS_UNBOUNDED : stages[0].write_max, age = 0, least = 0;
    bool sporadic = false;
    for (size_t i = 0; i < count; i++) {
        const chain_stage *s = &stages[i];
        int64_t takes = less(s->write_max, s->read_min);
        if (i)
            first = s->sporadic ? SYS_UNBOUNDED : sum_of(max_i64(first, s->read_min), sum_of(s->period, takes));
        l->age_worst_ns = sporadic ? SYS_UNBOUNDED : sum_of(age, takes);
        age = sum_of(age, sum_of(s->period, takes));
        sporadic |= s->sporadic;
        least = sum_of(least, s->least);
    }
    l->any_phase = true;
    l->first_worst_ns = first;
    l->reaction_worst_ns = stages[0].sporadic ? SYS_UNBOUNDED : sum_of(first, stages[0].period - stages[0].read_min);
    l->reaction_best_ns = l->age_best_ns = least;
}

/* Where all stages are periodic and bounded: how long until all are as they were. False: too long, or not so. */
static bool hyperperiod(const chain_stage *stages, size_t count, int64_t *all)
{
    *all = 1;
    for (size_t i = 0; i < count; i++) {
        const chain_stage *s = &stages[i];
        if (s->sporadic || s->write_max == SYS_UNBOUNDED ||
            !checked_mul(*all, s->period / common_divisor(*all, s->period), all) || *all >= TIME_LIMIT)
            return false;
    }
    return true;
}

/* From the writing of a job of the first stage: the first job of each next one that surely reads after it. */
static int64_t walk_forward(const chain_stage *stages, size_t count, int64_t release)
{
    int64_t t = release + stages[0].write_max;
    for (size_t i = 1; i < count; i++) {
        const chain_stage *s = &stages[i];
        int64_t job = max_i64(0, ceil_div(t - s->read_min - s->offset, s->period));
        t = s->offset + job * s->period + s->write_max;
    }
    return t;
}

/* From the reading of a job of the last stage: the last job of each one before that has surely written before it. */
static int64_t walk_back(const chain_stage *stages, size_t count, int64_t release)
{
    int64_t t = release + stages[count - 1].read_min;
    for (size_t i = count - 1; i-- > 0;) {
        const chain_stage *s = &stages[i];
        t = s->offset + floor_div(t - s->write_max - s->offset, s->period) * s->period + s->read_min;
    }
    return t;
}

/* With the jobs before all tasks have begun, and have read for the first time. */
static bool walk(const chain_stage *stages, size_t count, sys_latency *l)
{
    const chain_stage *first = &stages[0], *last = &stages[count - 1];
    int64_t all, latest = 0;
    if (!hyperperiod(stages, count, &all))
        return false;
    for (size_t i = 0; i < count; i++)
        latest = max_i64(latest, stages[i].offset + stages[i].read_min);
    int64_t starts = (latest + all) / first->period + 1, ends = all / last->period;
    if (starts + ends > MOST_VISITS / (int64_t)count)
        return false;
    *l = (sys_latency){.reaction_best_ns = INT64_MAX, .age_best_ns = INT64_MAX};
    for (int64_t k = 0; k < starts; k++) {
        int64_t release = first->offset + k * first->period, takes = walk_forward(stages, count, release) - release;
        l->first_worst_ns = max_i64(l->first_worst_ns, takes);
        l->reaction_best_ns = min_i64(l->reaction_best_ns, takes - first->read_min);
    }
    l->reaction_worst_ns = l->first_worst_ns + first->period - first->read_min;
    for (int64_t k = 0; k < ends; k++) {
        int64_t release = last->offset + k * last->period;
        int64_t takes = release + last->write_max - walk_back(stages, count, release);
        l->age_worst_ns = max_i64(l->age_worst_ns, takes);
        l->age_best_ns = min_i64(l->age_best_ns, takes);
    }
    return true;
}

sys_latency chain_latency(const chain_stage *stages, size_t count, bool offsets)
{
    sys_latency any = {0}, l;
    if (!count)
        return any;
    any_phase(stages, count, &any);
    if (!offsets || !walk(stages, count, &l))
        return any;
    /* only where times do not vary is the shortest walk one that happens at the soonest */
    bool exact = true;
    for (size_t i = 0; i < count; i++)
        exact &= stages[i].write_max - stages[i].read_min == stages[i].least;
    if (!exact) {
        l.reaction_best_ns = any.reaction_best_ns;
        l.age_best_ns = any.age_best_ns;
    }
    return l;
}
