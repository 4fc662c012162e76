/* An upper bound on response times that holds for all durations, orders and jitter.
 * docs/bound.md proves it; the files here name its lemmas. */
#ifndef ANALYZE_BOUND_BOUND_H
#define ANALYZE_BOUND_BOUND_H

#include "analyze/analysis.h"
#include "analyze/time_limit.h"

/* Sums that cannot overflow: they stop at BOUND_HUGE, far above any time. */
typedef __int128 wide;
#define BOUND_HUGE ((wide)1 << 120)
#define BOUND_LATEST (INT64_MAX / 8) /* a response as long as this is taken as none */
#define BOUND_NEVER INT64_MAX
#define BOUND_NO_CUT (-BOUND_HUGE)
#define BOUND_END UINT32_MAX
#define BOUND_LOOK 100000 /* steps between two looks at the clock */

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
    bool never; /* it is skipped, whatever happens */
    int level;  /* of its EE queue; 0 is the highest */
    int engine; /* of a copy */
    int64_t latency;
    int64_t sooner;         /* no less is between its call and its entry */
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
    wide waves, turns; /* how long one waits for its own blocks; where no others start between them */
} bound_op;

/* What one stream adds to what is about (bound/queue_wait.c). */
typedef struct bound_stream {
    wide weight;                           /* of its heaviest kernel, as much as can be there at once */
    wide area, width, hold, waves, drains; /* the largest of a kernel, where only one can be there */
    bool seen;
} bound_stream;

typedef struct bound {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const gcast_analyze_options *options;
    int64_t starved;      /* how much longer a block may take than it says, */
    int64_t longest_spin; /* but not beyond the longest that spins */
    bound_op *ops;
    size_t count;
    bound_op **by_floor; /* kernels, the lowest floor first */
    size_t kernels;
    bool goes[GCAST_DIRECTIONS];       /* there are copies in this direction */
    bool shared;                       /* kernels may wait in connections behind those of other streams */
    bool null_shared;                  /* those of the NULL stream may */
    int64_t gap;                       /* from an end until the next of its stream enters, at most */
    bool serial;                       /* no two kernels of one stream hold room at a time */
    int64_t after;                     /* how long after its end a kernel still matters to the EE */
    wide *counts;                      /* of events, by op */
    wide left;                         /* kernels that have left when k enters, whose switch may go on */
    bool overtaken;                    /* something counted overtakes k */
    wide over;                         /* after k's call, when all that is counted has ended, */
    wide *overs, *sorted;              /* and each op's, by op, and by time from the last on */
    wide cut;                          /* what is over by then is not counted */
    bound_stream *streams;             /* by stream */
    wide *stream_least;                /* by stream */
    size_t *stream_next;               /* by stream */
    uint32_t *host_first, *host_last;  /* ops of the workload, by host; BOUND_END: none */
    uint32_t *host_next, *host_before; /* of the same host, by op of the workload */
    bound_op **at;                     /* by op of the workload; NULL: it does not run on the GPU */
    int64_t *due, *soonest;            /* latest and earliest, by op of the workload */
    bool *may_skip;                    /* its host may be skipped at it or before, by op of the workload */
    int64_t *stream_ended;             /* by stream, then of all */
    wide most;                         /* longer than any response worth looking for */
    wide hurry;                        /* how many times what they grow by responses are raised; 0: they are not */
    uint64_t steps, most_steps;        /* counts taken so far, and before it gives up */
    time_limit limit;
    uint64_t next_look; /* at the clock, in steps */
    bool late;
    arena *memory;
} bound;

/* May it take more steps? It looks at the clock now and then. */
static inline bool bound_goes_on(bound *b)
{
    if (b->steps >= b->next_look) {
        b->next_look = b->steps + BOUND_LOOK;
        b->late = b->late || limit_passed(&b->limit);
    }
    return b->steps < b->most_steps && !b->late;
}

/* i, where called after k, waits until k has left its stream's queue: of its stream, or by N1 and N2. */
static inline bool bound_stays_behind(const bound_op *i, const bound_op *k)
{
    return i->op->stream == k->op->stream || ((i->null || k->null) && i->blocking && k->blocking);
}

/* bound/op_table.c: the table; GCAST_OK with *why where something is not covered. */
gcast_status bound_prepare(bound *b, const char **why, gcast_error *err);
/* bound/best_case.c: the shortest responses and times to entry. */
void bound_best(bound *b);
/* bound/hosts.c: each host's ops one after the other, false without memory; what hosts wait for, earliest releases by
 * the best responses, and latest by those known; true where one moved. */
bool bound_link_hosts(bound *b);
void bound_awaits(bound *b);
void bound_soonest(bound *b);
bool bound_releases(bound *b);
/* May a host make a call later than any time that is looked at? */
bool bound_calls_late(const bound *b);
/* bound/floors.c: weights and floors. False without memory. */
bool bound_rooms(bound *b);

/* Releases after that of k less `back`, and no later than that plus `ahead`; `before`: called before k. */
typedef struct bound_window {
    wide back, ahead;
    bool before;
} bound_window;

/* bound/event_counts.c: how many events of `i`, other than the event of `k` itself, can be released in the window, */
wide bound_count(bound *b, const bound_op *i, const bound_op *k, bound_window w);
/* and how long after that of k the last of them can be; negative: before it. */
wide bound_latest(const bound *b, const bound_op *i, const bound_op *k, bound_window w);

/* What k's critical path is made of (bound/response.c). */
typedef struct bound_path {
    bool alone;       /* nothing but k, from its entry on */
    wide length;      /* latency, tails and gaps */
    wide entry;       /* k enters by then, as the responses of those right before it say */
    wide events;      /* before k on it */
    wide kernels;     /* of them */
    int lowest;       /* level of a kernel on it, k among them */
    uint64_t engines; /* of copies on it */
} bound_path;

/* bound/queue_wait.c: how long kernels of the path are in EE queues, with b->counts events of each op
 * about. `own`: k's event is one of them. */
wide bound_wait(bound *b, const bound_op *k, const bound_path *path, bool own);
/* The same for k where nothing else is there; `above`: how many others start blocks between its own. */
wide bound_waves(const bound_op *k, wide above);

/* bound/response.c: when k enters its engine's queue and ends at the latest, after its call, as
 * those of all others say. */
void bound_response(bound *b, const bound_op *k, wide *enter, wide *end);

#endif
