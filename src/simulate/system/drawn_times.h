/* Random times of an execution: of code, jitter, distances and first releases. Each is a hash of the seed and of its
 * purpose, so that it does not depend on the order of draws. */
#ifndef SIMULATE_SYSTEM_DRAWN_TIMES_H
#define SIMULATE_SYSTEM_DRAWN_TIMES_H

#include "simulate/duration.h"
#include "simulate/system/system_simulate.h"

/* What is drawn, in place of the number of a step. */
#define DRAWN_JITTER (UINT64_MAX / 2)
#define DRAWN_DISTANCE (UINT64_MAX / 2 + 1)
#define DRAWN_OFFSET (UINT64_MAX / 2 + 2)

/* The engine draws blocks with the same seed; this makes the draws here different. */
#define DRAWN_SYSTEM 0x6a09e667f3bcc909u

static inline uint64_t drawn(const sys_simulate_options *options, int task, uint32_t number, uint64_t what)
{
    return duration_draw(options->seed ^ DRAWN_SYSTEM, (uint64_t)task, number, what);
}

/* How long a step of a job takes. */
static inline int64_t drawn_step_ns(const sys_simulate_options *options, int task, uint32_t number, uint32_t step,
                                    sys_range range)
{
    if (range.min_ns == range.max_ns || options->durations == GCAST_DURATIONS_MAX)
        return range.max_ns;
    if (options->durations == GCAST_DURATIONS_MIN)
        return range.min_ns;
    return range.min_ns + duration_scale(drawn(options, task, number, step), range.max_ns - range.min_ns);
}

/* How much later than its nominal time a root's job is released. */
static inline int64_t drawn_jitter_ns(const sys_simulate_options *options, int task, uint32_t number, int64_t jitter_ns)
{
    return options->random_jitter ? duration_scale(drawn(options, task, number, DRAWN_JITTER), jitter_ns) : 0;
}

/* The distance from a job of a sporadic task to the next: the least one; with a seed, in half of the cases, up to twice
 * that, within the task's longest distance. */
static inline int64_t drawn_distance_ns(const sys_simulate_options *options, int task, uint32_t number,
                                        const sys_task *t)
{
    uint64_t z = drawn(options, task, number, DRAWN_DISTANCE);
    int64_t distance = !options->seed || z % 2 == 0 ? t->period_ns : t->period_ns + duration_scale(z, t->period_ns);
    return t->longest_ns && distance > t->longest_ns ? t->longest_ns : distance;
}

static inline int64_t drawn_offset_ns(const sys_simulate_options *options, int task, const sys_task *t)
{
    return options->random_offsets ? duration_scale(drawn(options, task, 0, DRAWN_OFFSET), t->period_ns - 1)
                                   : t->offset_ns;
}

#endif
