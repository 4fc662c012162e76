/* What a task on a core competes with, and how long its core may be busy with that: windows. A window begins when
 * nothing that goes before the task is pending. */
#ifndef ANALYZE_SYSTEM_CORES_CORE_LEVEL_H
#define ANALYZE_SYSTEM_CORES_CORE_LEVEL_H

#include "analyze/system/state.h"

typedef struct core_level {
    system_work *x;
    int task;
    const core_burst **lone; /* of other roots, each on its own */
    size_t lone_count;
    const core_burst **joint; /* of other roots, several of a root: by root */
    const size_t *group_end;  /* where the bursts of a root end in joint[] */
    size_t group_count;
    own_term *own; /* of the task's root */
    size_t own_count;
    size_t own_others; /* of these, bursts of other tasks; they come first */
    bool may_be_alone; /* a part may be looked at without other parts of its task (level_part) */
    int64_t jobs;      /* of the task in one busy time, at most; 0: not known yet. For tasks of one burst */
    int64_t blocking;  /* by one that goes after it and cannot be preempted */
    int64_t cap;
    double load; /* of the task and of what goes before it */
    bool overloaded;
    bool spins;  /* a burst of others does */
    int unknown; /* a task of the level of which it is not known when it is ready, or SYS_NONE */
} core_level;

/* What may go before the task on its core. There is one at a time. */
void level_make(system_work *x, int task, core_level *l);

/* A part of a job: from when it is ready, it executes so much, waits in between included. */
typedef struct level_part {
    int64_t ready_min, ready_max;
    uint32_t burst; /* of the task, counted from its first: where the part begins */
    uint32_t step;  /* after this step of the task the part is over */
    bool alone;     /* no other part of the task is pending or runs while the window lasts */
    int64_t most;
    bool instant;      /* it ends with what takes no time: that needs the core, too */
    int64_t blockings; /* how often it may be blocked */
} level_part;

typedef struct level_end {
    int64_t end; /* latest */
    int64_t own; /* longest from when it is ready */
    why_not why;
} level_end;

/* When the part is over at the latest. */
level_end level_part_end(core_level *l, const level_part *part);

/* Jobs of a burst that can be ready in a window of length w, whatever its phase. */
static inline int64_t level_any_jobs(const core_burst *b, int64_t w)
{
    return div_up(w + b->ready_max - b->ready_min, b->period);
}

/* Jobs up to `last` that can be ready in [begin, begin + w), where job n has its nominal release at n periods. */
static inline int64_t level_jobs_from(const core_burst *b, int64_t last, int64_t begin, int64_t w)
{
    int64_t first = ceil_div(begin - b->ready_max, b->period);
    last = min_i64(last, floor_div(begin + w - 1 - b->ready_min, b->period));
    return last < first ? 0 : last - first + 1;
}

/* What the first `count` bursts of the task's own root execute in a window of length w that begins so long after the
 * nominal release of the job that is looked at. */
int64_t level_own_demand(const core_level *l, size_t count, int64_t begin, int64_t w);

/* Makes the end of a part earlier where offsets show that. `reach`: no window is longer. */
void level_use_offsets(core_level *l, const level_part *part, size_t own_count, int64_t base, int64_t reach,
                       level_end *e);

#endif
