/* The state of the method BOUND, whose lemmas docs/bound.md proves. Times of an event k count from k's call. */
#ifndef ANALYZE_BOUND_STATE_H
#define ANALYZE_BOUND_STATE_H

#include "analyze/bound/wide.h"
#include "analyze/time_limit.h"
#include "base/arena.h"
#include "gridcast/analyze.h"

#define BOUND_MAX_NS (INT64_MAX / 8) /* longer responses count as unbounded */
#define BOUND_NEVER INT64_MAX        /* a time that has no limit */
#define BOUND_NO_CUT (-WIDE_HUGE)    /* as cut_ns: every event counts */
#define BOUND_END UINT32_MAX         /* no further op of a host */
#define BOUND_CLOCK_STEPS 100000     /* steps between two readings of the clock */

/* An op of the workload that runs on the GPU. Each of its operations is an event. */
typedef struct bound_op {
    const gcast_op *op;          /* the op itself */
    size_t index;                /* where it is in the workload */
    bool is_kernel;              /* false: a copy or a memset */
    bool is_null;                /* it is in the NULL stream */
    bool is_blocking;            /* it is in the NULL stream or in a blocking stream */
    bool never_called;           /* it is skipped in every execution (lemma 6) */
    int level;                   /* of a kernel, its priority level */
    bool has_above;              /* it is a kernel, and some other one has a higher level */
    int copy_engine;             /* of a copy, the engine that it needs */
    int64_t latency_ns;          /* the least time from call to arrival */
    int64_t max_latency_ns;      /* the longest time from call to arrival */
    int64_t min_entry_ns;        /* `e`: the least time from call to entry (lemma 7) */
    int64_t max_ns;              /* `max`: the longest that one of its blocks, or the copy, takes (lemma 8) */
    int64_t earliest_release_ns; /* no release is before (lemma 6); of a task, its first nominal release */
    int64_t latest_release_ns;   /* no release is later (lemma 6); of a task, BOUND_NEVER */
    size_t awaited_from;  /* its host makes calls of this index and later ones when it has ended; SIZE_MAX: none */
    int64_t period_ns;    /* 0: it runs once */
    int64_t jitter_ns;    /* the maximum time from its nominal release to its release */
    bool is_sporadic;     /* nominal releases are at least a period apart, at no known times (lemma 5) */
    int64_t best_ns;      /* no response is shorter (lemma 7) */
    wide entry_ns;        /* `E`: the bound of the time from call to entry, as found so far (theorem) */
    wide response_ns;     /* `R`: the bound of the response, as found so far (theorem); WIDE_HUGE: there is none */
    wide max_entry_ns;    /* what lemmas 10 and 11 say of `E`, or WIDE_HUGE */
    wide max_response_ns; /* what lemmas 10 and 11 say of `R`, or WIDE_HUGE */
    wide busy_ns;         /* the response by busy periods, whatever those of others are (lemma 9); 0: not found yet */
    /* Kernels only. */
    int64_t hold_ns;           /* the longest that a block holds its resources, the hand-over included */
    int64_t last_hold_ns;      /* the longest that its last block holds them */
    wide hold_sum_ns;          /* the holds of all blocks, summed */
    int64_t weight;            /* of a block (lemma 1) */
    wide floor;                /* `F`: weight on its SMs whenever a block of it fits nowhere (lemma 1) */
    wide own_floor;            /* weight on its SMs whenever its own blocks alone keep another one out (lemma 2) */
    wide filling_blocks;       /* fewest of its own blocks that, alone on its SMs, keep another one out (lemma 3c) */
    wide max_resident;         /* `b`: its blocks that can be resident at once (lemma 7) */
    wide waves_ns;             /* its wait for its own blocks (lemma 3c) */
    wide undisturbed_waves_ns; /* its wait for its own blocks where no others start between them (lemma 3c) */
} bound_op;

/* A part of the time after a kernel's entry. */
typedef struct bound_part {
    bound_op *op;     /* the kernel */
    int64_t from_ns;  /* blocks below it that are still there hold resources for longer than this, */
    int64_t until_ns; /* up to this */
    wide floor;       /* weight on its SMs whenever these, and its own, keep another one out (lemma 1) */
} bound_part;

#define BOUND_MAX_LARGEST 16 /* kernels of a path that are counted one by one for each other stream */

/* Sizes of a stream's kernels that add to the interference that a path suffers. */
typedef enum bound_size {
    BOUND_RESIDENT,     /* weight of blocks that can be resident at once (lemma 2) */
    BOUND_AREA,         /* weight x time of all blocks (lemma 2) */
    BOUND_WEIGHT,       /* weight of all blocks (lemma 2) */
    BOUND_HOLD,         /* hold of a block */
    BOUND_WAVES,        /* wait for own blocks (lemma 3c) */
    BOUND_DRAIN,        /* wait for blocks of others (lemma 3a) */
    BOUND_SHARED_WAVES, /* as BOUND_WAVES, of those counted with the area of blocks (lemma 2) */
    BOUND_SHARED_DRAIN, /* as BOUND_DRAIN, of those counted with the area of blocks (lemma 2) */
    BOUND_SIZES
} bound_size;

/* What one stream adds to the interference that a path suffers. Where only some of its kernels can be on the GPU
 * meanwhile, these are the largest ones. */
typedef struct bound_stream {
    int counts[BOUND_SIZES];                      /* how many there are */
    wide largest[BOUND_SIZES][BOUND_MAX_LARGEST]; /* the largest first */
    int event_count;                              /* events counted, where there is a limit */
    bool has_kernel;                              /* a kernel of it has been seen */
    wide copy_ns;                                 /* its longest copy, the gap included */
} bound_stream;

typedef struct bound {
    const gcast_workload *w;              /* what is analyzed */
    const gcast_gpu *gpu;                 /* on this GPU */
    const gcast_analyze_options *options; /* as the caller gave them */
    int64_t starving_ns;                  /* the maximum delay of a starving block, */
    int64_t max_spin_ns;                  /* and no longer than the longest block that spins (lemma 8) */
    bound_op *ops;                        /* all ops that run on the GPU */
    size_t op_count;                      /* of `ops` */
    const bound_op **by_floor;            /* the kernels, the lowest floor first */
    const bound_op **by_own_floor;        /* the kernels, the lowest own floor first */
    size_t kernel_count;                  /* of `by_floor` and `by_own_floor` */
    bound_part *parts;                    /* of kernels with others below them, the lowest floor first */
    size_t part_count;                    /* of `parts` */
    bool has_copies[GCAST_DIRECTIONS];    /* there are copies in this direction */
    bool connections_shared;              /* kernels may wait in connections behind those of other streams (lemma 4) */
    bool null_connections_shared;         /* kernels of the NULL stream may (lemma 4) */
    int64_t leave_ns;       /* the stream gap or, where ops are after others and it is longer, the event gap */
    int64_t gap_ns;         /* leave_ns, and the longest wait for a turn of the next kernel (lemma 4) */
    uint32_t *stream_group; /* by stream: streams of one group may wait for each other; NULL: no op is after another */
    bool *stream_is_joined; /* by stream: its group has other streams */
    bool one_kernel_per_stream; /* no two kernels of one stream hold resources at one time (lemma 2) */
    int64_t after_end_ns;       /* how long after its end a kernel matters to the EE */
    /* Of the event k whose response is computed (bound/response.c). */
    wide *event_counts;         /* by op: events that can be on the GPU while k's path waits */
    wide left_count;            /* kernels that have left when k enters, whose switch may still go on */
    bool is_overtaken;          /* some event counted overtakes k */
    wide *until_ns;             /* by op: none of its events counted matters later than this */
    wide last_until_ns;         /* the largest of `until_ns` */
    wide *sorted_until_ns;      /* values of `until_ns`, the last one first */
    wide cut_ns;                /* events that matter up to here only are not counted (theorem, c), or BOUND_NO_CUT */
    bound_stream *streams;      /* by stream: what it adds to the interference */
    wide *stream_min_length_ns; /* by stream: the least length that one of its events adds to the path */
    wide *once_length_ns;       /* by stream: what its ops that run once add to every busy period */
    /* Hosts (lemma 6). */
    uint32_t *host_first;        /* by host: its first op in the workload, or BOUND_END */
    uint32_t *host_last;         /* by host: its last op in the workload, or BOUND_END */
    uint32_t *host_next;         /* by op of the workload: the next op of its host, or BOUND_END */
    uint32_t *host_previous;     /* by op of the workload: the op before it of its host, or BOUND_END */
    bound_op **op_of;            /* by op of the workload: its entry in `ops`; NULL: it does not run on the GPU */
    int64_t *latest_due_ns;      /* by op of the workload: it is due no later */
    int64_t *earliest_due_ns;    /* by op of the workload: it is due no earlier */
    bool *may_be_skipped;        /* by op of the workload: it, or one before it on its host, may be skipped */
    int64_t *stream_end_ns;      /* by stream, then of all: the earliest end of all ops that the host called so far */
    size_t *stream_awaited_from; /* by stream: from this index on its host's calls come when all ops there ended */
    /* The iteration of the theorem. */
    wide max_response_ns;     /* the search gives up at a longer response */
    wide widening;            /* a response that grows is raised by 1 + this times its growth */
    uint64_t steps;           /* counts taken so far */
    uint64_t max_steps;       /* the maximum number of them */
    uint64_t next_clock_step; /* the clock is read at this step */
    time_limit limit;         /* of the whole analysis */
    bool is_late;             /* the limit has passed */
    bool by_job_is_too_long;  /* there is more to look at job by job than may be */
    bool by_job_is_limited;   /* responses of others are not known yet: less is looked at */
    arena *memory;            /* of all arrays here */
} bound;

/* May it take more steps? Reads the clock now and then. */
static inline bool bound_may_continue(bound *b)
{
    if (b->steps >= b->next_clock_step) {
        b->next_clock_step = b->steps + BOUND_CLOCK_STEPS;
        b->is_late = b->is_late || limit_passed(&b->limit);
    }
    return b->steps < b->max_steps && !b->is_late;
}

/* Does i, where it is called after k, wait until k has left its stream queue: by its stream, N1 or N2? */
static inline bool bound_waits_for(const bound_op *i, const bound_op *k)
{
    return i->op->stream == k->op->stream || ((i->is_null || k->is_null) && i->is_blocking && k->is_blocking);
}

#endif
