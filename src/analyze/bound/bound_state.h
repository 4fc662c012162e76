/* The state of the method BOUND (docs/bound.md): the table of ops, scratch arrays, and how far the search is. Times of
 * an event k count from k's call. */
#ifndef ANALYZE_BOUND_BOUND_STATE_H
#define ANALYZE_BOUND_BOUND_STATE_H

#include "analyze/bound/wide.h"
#include "analyze/time_limit.h"
#include "base/arena.h"
#include "gridcast/analyze.h"

#define BOUND_MAX_NS (INT64_MAX / 8) /* longer responses count as unbounded */
#define BOUND_NEVER INT64_MAX        /* a time that has no limit */
#define BOUND_NO_CUT (-WIDE_HUGE)    /* value of cut_ns: every event counts */
#define BOUND_END UINT32_MAX         /* no further op of a host */
#define BOUND_CLOCK_STEPS 100000     /* steps between two readings of the clock */

/* An op of the workload that runs on the GPU. Each of its operations is an event. */
typedef struct bound_op {
    const gcast_op *op;          /* the op itself */
    size_t index;                /* its index in the workload */
    bool is_kernel;              /* false: a copy or a memset */
    bool is_null;                /* it is in the NULL stream */
    bool is_blocking;            /* it is in the NULL stream or in a blocking stream */
    bool never_called;           /* it is skipped in every execution (lemma 6) */
    int level;                   /* of a kernel, its priority level */
    bool has_above;              /* it is a kernel, and some kernel has a higher priority */
    int copy_engine;             /* of a copy, the engine that it needs */
    int64_t latency_ns;          /* shortest time from call to arrival */
    int64_t max_latency_ns;      /* longest time from call to arrival */
    int64_t min_entry_ns;        /* `e`: shortest time from call to entry (lemma 7) */
    int64_t max_ns;              /* `max`: longest duration of a block, or of the copy (lemma 8) */
    int64_t earliest_release_ns; /* earliest release (lemma 6); of a task, its first nominal release */
    int64_t latest_release_ns;   /* latest release (lemma 6); of a task, BOUND_NEVER */
    size_t awaited_from;         /* calls of its host from this index on come after its end; SIZE_MAX: none does */
    int64_t period_ns;           /* 0: it runs once */
    int64_t jitter_ns;           /* longest time from its nominal release to its release */
    bool is_sporadic;            /* nominal releases at unknown times, at least a period apart (lemma 5) */
    int64_t best_ns;             /* lower bound of the response (lemma 7) */
    wide entry_ns;               /* `E`: the bound of the time from call to entry, as found so far (theorem) */
    wide response_ns;     /* `R`: the bound of the response, as found so far (theorem); WIDE_HUGE: there is none */
    wide max_entry_ns;    /* bound of `E` by lemmas 10 and 11, or WIDE_HUGE */
    wide max_response_ns; /* bound of `R` by lemmas 10 and 11, or WIDE_HUGE */
    wide busy_ns;         /* bound by busy periods, independent of other responses (lemma 9); 0: not found yet */
    /* Kernels only. */
    int64_t hold_ns;           /* longest time that a block holds its resources, the hand-over included */
    int64_t last_hold_ns;      /* the same of its last block */
    wide hold_sum_ns;          /* the holds of all blocks, summed */
    int64_t weight;            /* of a block (lemma 1) */
    wide floor;                /* `F`: least weight on its SMs while a block of it fits nowhere (lemma 1) */
    wide own_floor;            /* the same while only its own blocks are there (lemma 2) */
    wide filling_blocks;       /* fewest own blocks that, alone on its SMs, keep another one out (lemma 3c) */
    wide max_resident;         /* `b`: most of its blocks that can be resident at once (lemma 7) */
    wide waves_ns;             /* longest wait for its own blocks (lemma 3c) */
    wide undisturbed_waves_ns; /* the same if no other block starts between them (lemma 3c) */
} bound_op;

/* A kernel waits for blocks of lower levels that were resident at its entry: a part of that wait. */
typedef struct bound_part {
    bound_op *op;     /* the kernel */
    int64_t from_ns;  /* this part begins so long after the entry; only blocks with longer holds are still there */
    int64_t until_ns; /* and ends so long after it */
    wide floor;       /* least weight on its SMs while these blocks and its own keep another one out (lemma 1) */
} bound_part;

#define BOUND_MAX_LARGEST 16 /* a path with fewer kernels limits how many of another stream count */

/* Quantities that a stream's kernels add to the interference on a path. */
typedef enum bound_size {
    BOUND_RESIDENT,     /* weight of blocks that can be resident at once (lemma 2) */
    BOUND_AREA,         /* weight x time of all blocks (lemma 2) */
    BOUND_WEIGHT,       /* weight of all blocks (lemma 2) */
    BOUND_HOLD,         /* hold of a block */
    BOUND_WAVES,        /* wait for own blocks (lemma 3c) */
    BOUND_DRAIN,        /* wait for blocks of others (lemma 3a) */
    BOUND_SHARED_WAVES, /* as BOUND_WAVES, in the sum limited by area (lemma 2) */
    BOUND_SHARED_DRAIN, /* as BOUND_DRAIN, in the sum limited by area (lemma 2) */
    BOUND_SIZES
} bound_size;

/* What one stream adds to the interference on a path. Where only a limited number of its kernels can be on the GPU, the
 * largest ones are taken. */
typedef struct bound_stream {
    int counts[BOUND_SIZES];                      /* kernels in `largest` */
    wide largest[BOUND_SIZES][BOUND_MAX_LARGEST]; /* in descending order */
    int event_count;                              /* events counted, if they are limited */
    bool has_kernel;                              /* a kernel of it has been seen */
    wide copy_ns;                                 /* its longest copy, the gap included */
} bound_stream;

typedef struct bound {
    const gcast_workload *w;              /* the workload */
    const gcast_gpu *gpu;                 /* the GPU */
    const gcast_analyze_options *options; /* the caller's options */
    int64_t starving_ns;                  /* longest delay of a starving block */
    int64_t max_spin_ns;                  /* longest duration of a spinning block (lemma 8) */
    bound_op *ops;                        /* all ops that run on the GPU */
    size_t op_count;                      /* of `ops` */
    const bound_op **by_floor;            /* the kernels by ascending floor */
    const bound_op **by_own_floor;        /* the kernels by ascending own floor */
    size_t kernel_count;                  /* of `by_floor` and `by_own_floor` */
    bound_part *parts;                    /* of kernels with others below them, by ascending floor */
    size_t part_count;                    /* of `parts` */
    bool has_copies[GCAST_DIRECTIONS];    /* by direction: there are copies */
    bool connections_shared;              /* kernels may queue behind other streams' kernels in connections (lemma 4) */
    bool null_connections_shared;         /* kernels of the NULL stream may (lemma 4) */
    int64_t leave_ns;           /* the stream gap, or the event gap if it is longer and there are dependencies */
    int64_t gap_ns;             /* leave_ns plus the longest wait for a turn of the next kernel (lemma 4) */
    uint32_t *stream_group;     /* by stream: streams of one group may wait for each other; NULL: no dependencies */
    bool *stream_is_joined;     /* by stream: its group has other streams */
    bool one_kernel_per_stream; /* no two kernels of one stream hold resources at one time (lemma 2) */
    int64_t after_end_ns;       /* how long a kernel delays the EE after its end */
    /* For the event k whose response is computed. */
    wide *event_counts;         /* by op: events that can be on the GPU while k's path waits */
    wide left_count;            /* kernels that have left when k enters but may still cause a kernel switch */
    bool is_overtaken;          /* some event counted overtakes k */
    wide *until_ns;             /* by op: from here on none of its counted events matters */
    wide last_until_ns;         /* the largest of `until_ns` */
    wide *sorted_until_ns;      /* values of `until_ns`, in descending order */
    wide cut_ns;                /* events that matter up to here only are left out (theorem, c), or BOUND_NO_CUT */
    bound_stream *streams;      /* by stream: what it adds to the interference */
    wide *stream_min_length_ns; /* by stream: shortest length that one of its events adds to the path */
    wide *once_length_ns;       /* by stream: what its ops that run once add to every busy period */
    /* Hosts (lemma 6). */
    uint32_t *host_first;        /* by host: its first op in the workload, or BOUND_END */
    uint32_t *host_last;         /* by host: its last op in the workload, or BOUND_END */
    uint32_t *host_next;         /* by op of the workload: the next op of its host, or BOUND_END */
    uint32_t *host_previous;     /* by op of the workload: the previous op of its host, or BOUND_END */
    bound_op **op_of;            /* by op of the workload: its entry in `ops`; NULL: it does not run on the GPU */
    int64_t *latest_due_ns;      /* by op of the workload: when its call is due at the latest */
    int64_t *earliest_due_ns;    /* by op of the workload: when its call is due at the earliest */
    bool *may_be_skipped;        /* by op of the workload: it, or an earlier op of its host, may be skipped */
    int64_t *stream_end_ns;      /* by stream, then for all: earliest end of the ops that the host has called so far */
    size_t *stream_awaited_from; /* by stream: from this index on, calls of the host come after the ends of its ops */
    /* The iteration of the theorem. */
    wide max_response_ns;     /* the search gives up at a longer response */
    wide widening;            /* a growing response is raised by its growth times 1 + this */
    uint64_t steps;           /* work so far: events counted */
    uint64_t max_steps;       /* limit of `steps` */
    uint64_t next_clock_step; /* the clock is read at this step */
    time_limit limit;         /* of the whole analysis */
    bool is_late;             /* the limit has passed */
    bool by_job_is_too_long;  /* the analysis job by job takes too long */
    bool by_job_is_limited;   /* responses of others are not known yet: a lower limit of work applies */
    arena *memory;            /* owns all arrays here */
} bound;

/* Whether steps and time are left. Reads the clock now and then. */
static inline bool bound_may_continue(bound *b)
{
    if (b->steps >= b->next_clock_step) {
        b->next_clock_step = b->steps + BOUND_CLOCK_STEPS;
        b->is_late = b->is_late || limit_passed(&b->limit);
    }
    return b->steps < b->max_steps && !b->is_late;
}

/* Must `later`, called after k, wait until k has left its stream queue: same stream, N1 or N2? */
static inline bool bound_waits_for(const bound_op *later, const bound_op *k)
{
    return later->op->stream == k->op->stream ||
           ((later->is_null || k->is_null) && later->is_blocking && k->is_blocking);
}

/* Fills the table of ops and everything else that does not change during the search. If the method does not cover the
 * workload, *why says so, and the status is GCAST_OK. */
gcast_status bound_prepare(bound *b, const char **why, gcast_error *err);

/* Calls the caller's progress function; an error if that stops the analysis. */
gcast_status bound_report_progress(const bound *b, double fraction, gcast_error *err);

#endif
