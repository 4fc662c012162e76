/* Busy windows of a task on a core: which bursts compete with the task, and how long the core can be busy with them. A
 * window begins when no work that goes before the task is pending. */
#ifndef ANALYZE_SYSTEM_CORE_BUSY_WINDOW_H
#define ANALYZE_SYSTEM_CORE_BUSY_WINDOW_H

#include "analyze/system/system_work.h"

/* All that competes with a task on its core. */
typedef struct core_level {
    system_work *x;
    int task;
    const core_burst **single; /* bursts of other roots that have one burst on the core, or are sporadic */
    size_t single_count;
    const core_burst **grouped; /* bursts of other roots that have several, sorted by root */
    const size_t *group_end;    /* by group: where its bursts end in grouped[] */
    size_t group_count;
    own_term *own; /* bursts of the task's own root */
    size_t own_count;
    size_t own_other_count; /* how many of them, the first ones, are of other tasks */
    bool may_be_alone;      /* windows may leave out other parts of the task (level_part.alone) */
    int64_t jobs;           /* tasks of one burst: most jobs of the task in a busy window; 0: not known yet */
    int64_t blocking;       /* longest non-preemptive section of a task that goes after it */
    int64_t cap;
    double load; /* of the task and of tasks that go before it */
    bool overloaded;
    bool spins;  /* another burst holds its core in a wait */
    int unknown; /* a task without a bound on when it is ready, or SYS_NONE */
} core_level;

/* Finds all that competes with a task. A further call overwrites the arrays of the first. */
void level_make(system_work *x, int task, core_level *l);

/* A part of a job, waits in between included. */
typedef struct level_part {
    int64_t ready_min, ready_max;
    uint32_t burst;    /* where the part begins: index among the task's bursts */
    uint32_t step;     /* the part ends with this step */
    bool alone;        /* no other part of the task can run in the window */
    int64_t most;      /* longest execution */
    bool instant;      /* it ends with a step of no time, which needs the core, too */
    int64_t blockings; /* how often it may be blocked */
} level_part;

typedef struct level_end {
    int64_t end; /* latest end */
    int64_t own; /* longest time from ready to end */
    why_not why;
} level_end;

/* The latest end of a part. */
level_end level_part_end(core_level *l, const level_part *part);

/* How many jobs of a burst can become ready in a window of length w, for any phase. */
static inline int64_t level_any_jobs(const core_burst *b, int64_t w)
{
    return div_up(w + b->ready_max - b->ready_min, b->period);
}

/* How many jobs up to `last` can become ready in [begin, begin + w); job n has its nominal release at n periods. */
static inline int64_t level_jobs_from(const core_burst *b, int64_t last, int64_t begin, int64_t w)
{
    int64_t first = ceil_div(begin - b->ready_max, b->period);
    last = min_i64(last, floor_div(begin + w - 1 - b->ready_min, b->period));
    return last < first ? 0 : last - first + 1;
}

#endif
