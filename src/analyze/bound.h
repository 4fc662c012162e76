/* An upper bound on response times that holds for all durations, orders and jitter.
 * docs/bound.md proves it; the files here name its lemmas. */
#ifndef ANALYZE_BOUND_H
#define ANALYZE_BOUND_H

#include "analyze/analysis.h"

/* Sums that cannot overflow: they stop at BOUND_HUGE, far above any time. */
typedef __int128 wide;
#define BOUND_HUGE ((wide)1 << 120)
#define BOUND_LATEST (INT64_MAX / 8) /* a response as long as this is taken as none */
#define BOUND_NEVER INT64_MAX

static inline wide wide_add(wide a, wide b)
{
    return a + b < BOUND_HUGE ? a + b : BOUND_HUGE;
}

static inline wide wide_mul(wide a, wide b)
{
    /* Unsigned: checks of signed products need a runtime that not every clang has. */
    wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    bool small = x >> 60 == 0 && y >> 60 == 0; /* then it fits, without a division */
    if (!small && x && y > BOUND_HUGE / x)
        return BOUND_HUGE;
    return (wide)((unsigned __int128)a * (unsigned __int128)b);
}

static inline wide wide_min(wide a, wide b)
{
    return a < b ? a : b;
}

static inline wide wide_max(wide a, wide b)
{
    return a > b ? a : b;
}

/* An op of the workload that runs on the GPU. Each of its jobs is an event. */
typedef struct bound_op {
    const gcast_op *op;
    size_t index; /* in the workload */
    bool kernel, null, blocking;
    int level;  /* of its EE queue; 0 is the highest */
    int engine; /* of a copy */
    int64_t latency;
    int64_t longest;        /* what a block, or the copy, takes at most */
    int64_t early, late;    /* releases are in here; of a task's op `late` is BOUND_NEVER */
    size_t awaited;         /* its host's later calls come when it has ended, from this index on; SIZE_MAX: none do */
    int64_t period, jitter; /* period 0: it runs once */
    int64_t best;
    wide enter, response; /* the bounds of its entry and its end, while they are looked for */
    /* kernels */
    int64_t hold;      /* how long a block has its room at most */
    int64_t last_hold; /* the block that starts last */
    wide holds;        /* all blocks, summed */
    int64_t weight;    /* of a block */
    wide floor;        /* weight that is on the GPU whenever a block of it fits nowhere */
    wide alone;        /* blocks of it that are there whenever nothing else is and one fits nowhere */
    wide at_once;      /* blocks of it that the GPU holds at most */
} bound_op;

typedef struct bound {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const gcast_analyze_options *options;
    int64_t starved; /* how much longer a block may take than it says */
    bound_op *ops;
    size_t count;
    bound_op **by_floor; /* kernels, the lowest floor first */
    size_t kernels;
    bool goes[GCAST_DIRECTIONS];        /* there are copies in this direction */
    bool shared;                        /* kernels may wait in connections behind those of other streams */
    bool null_shared;                   /* those of the NULL stream may */
    bool serial;                        /* no two kernels of one stream hold room at a time */
    int64_t after;                      /* how long after its end a kernel still matters to the EE */
    wide *counts;                       /* of events, by op */
    wide *stream_weight, *stream_least; /* by stream */
    size_t *stream_next;                /* by stream */
    int64_t *due;                       /* latest, by op of the workload */
    uint64_t steps, most_steps;         /* counts taken so far, and before it gives up */
    arena *memory;
} bound;

/* bound_ops.c: the table; GCAST_OK with *why where something is not covered. */
gcast_status bound_prepare(bound *b, const char **why, gcast_error *err);
/* bound_hosts.c: what hosts wait for, and releases by the responses known; true where one moved. */
void bound_awaits(bound *b);
bool bound_releases(bound *b);
/* bound_room.c: weights and floors. False without memory. */
bool bound_rooms(bound *b);

/* bound_count.c: how many events of `i`, other than the event of `k` itself, can be released after
 * that one's call less `back`, and no later than its call plus `ahead`. */
#define BOUND_BEFORE (-1) /* as `ahead`: called before it */
wide bound_count(bound *b, const bound_op *i, const bound_op *k, wide back, wide ahead);
/* How long before k an event of i is called at least that is called before it. */
wide bound_distance(const bound_op *i, const bound_op *k);

/* What k's critical path is made of (bound_response.c). */
typedef struct bound_path {
    bool alone;       /* nothing but k, from its entry on */
    wide length;      /* latency, tails and gaps */
    wide entry;       /* k enters by then, as the responses of those right before it say */
    wide events;      /* before k on it */
    wide kernels;     /* of them */
    int lowest;       /* level of a kernel on it, k among them */
    uint64_t engines; /* of copies on it */
} bound_path;

/* bound_wait.c: how long kernels of the path are in EE queues, with b->counts events of each op
 * about. `own`: k's event is one of them. */
wide bound_wait(bound *b, const bound_op *k, const bound_path *path, bool own);

/* bound_response.c: when k enters its engine's queue and ends at the latest, after its call, as
 * those of all others say. */
void bound_response(bound *b, const bound_op *k, wide *enter, wide *end);

#endif
