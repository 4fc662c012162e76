/* What both searches of method explore share (docs/explore.md): the workload as jobs, the GPU as slots, the results,
 * and the limits of states, memory and time. The search by intervals (explore/intervals) and the search by events
 * (explore/events) read the jobs and widen the results. */
#ifndef ANALYZE_EXPLORE_PROBLEM_H
#define ANALYZE_EXPLORE_PROBLEM_H

#include "analyze/analysis.h"
#include "analyze/time_limit.h"
#include "base/integers.h"
#include "base/vec.h"
#include "model/gpu.h"

#define EXPLORE_NONE UINT32_MAX            /* no job, stream or group; as a call index: the order is open */
#define EXPLORE_ENGINES (1 + COPY_ENGINES) /* the EE, and copy engines */
#define EXPLORE_MAX_TIME (INT64_MAX / 4)   /* for calls, and for the sum of all durations: no sum of two overflows */
#define EXPLORE_DEFAULT_STATES 10000000

/* Which slots of its engine a block waits for and takes. A state's latest and earliest times have slots of their own.
 * In a pool, and for a copy, a block waits for the first slot and takes it. */
typedef struct explore_share {
    size_t late_slot;  /* latest times: a block starts when this slot is free, */
    size_t late_take;  /* and takes so many slots, from the first on */
    size_t early_slot; /* earliest times: a block starts when this slot is free, */
    size_t early_take; /* and takes so many slots, from the first on */
} explore_share;

/* One operation: of an op that runs once, or of one job of a task. Jobs are sorted by earliest call, then by
 * call_index. */
typedef struct explore_job {
    uint32_t op;             /* index of its op in the workload */
    uint32_t task_job;       /* number of the job within its task */
    uint32_t operation;      /* its index among all operations of the window (model/workload/jobs.h) */
    uint32_t call_index;     /* calls of one time are made in this order, unless order_is_open */
    uint32_t queue;          /* the EE's levels, highest first, then copy engines */
    uint32_t engine;         /* 0: the EE; then the copy engines that are used */
    uint32_t stream;         /* index among the streams that have several jobs, or NONE */
    uint32_t predecessor;    /* last job of its stream that is called before it in every execution, or NONE */
    bool continues_job;      /* its predecessor comes right before it in the stream, and is of the same task job */
    bool order_is_open;      /* calls at the same time may come before or after its call */
    uint32_t *after;         /* dependencies in other streams: it waits for their events if they are called before it */
    uint32_t after_count;    /* of `after` */
    uint32_t *followers;     /* jobs of other streams that depend on it */
    uint32_t follower_count; /* of `followers` */
    uint32_t event;          /* number of its event if it has followers, else NONE */
    int64_t call_lo;         /* earliest call */
    int64_t call_hi;         /* latest call */
    int64_t latency_ns;      /* shortest time from its call to its arrival */
    int64_t max_latency_ns;  /* longest time from its call to its arrival; by intervals equal to latency_ns */
    uint64_t block_count;    /* 1 for a copy */
    int64_t min_ns;          /* shortest duration of a block, or of the copy */
    int64_t max_ns;          /* longest duration of a block, or of the copy, with noise and starving */
    const int64_t *each_ns;  /* shortest duration of each block; NULL: all are from min_ns to max_ns */
    int64_t extra_ns;        /* with each_ns: a block takes up to this much longer, by noise or starving */
    explore_share share;     /* slots of one block */
} explore_job;

/* A stream that has several jobs. */
typedef struct explore_stream {
    uint32_t *jobs;       /* its jobs, ascending */
    uint32_t job_count;   /* of `jobs` */
    bool order_is_known;  /* its jobs are called in this order in every execution */
    int64_t min_block_ns; /* shortest duration of a block or copy of any of its jobs */
} explore_stream;

/* What the GPU may remember when it is idle. */
typedef struct explore_memory {
    uint32_t called_count; /* it is idle after the calls of the first so many jobs */
    uint64_t hash;         /* of the words */
    const int64_t *words;  /* what it remembers */
    size_t bytes;          /* size of the words */
} explore_memory;

typedef struct explore_problem {
    /* the question */
    const gcast_workload *w;              /* the workload */
    const gcast_gpu *gpu;                 /* the GPU, cut to the workload's partition */
    const gcast_analyze_options *options; /* limits, horizon, and what to assume */
    time_limit limit;                     /* time limit of the search */

    /* the kind of search */
    bool is_pool;           /* blocks take slots of a pool, and nothing else decides a time */
    bool by_events;         /* by events, not by intervals */
    bool states_stay_apart; /* by events: two states merge only if one is within the other */
    bool is_large;          /* a state takes long, so the clock is read within it */

    /* the jobs */
    explore_job *jobs;       /* sorted */
    uint32_t job_count;      /* number of jobs */
    explore_stream *streams; /* those with several jobs */
    size_t stream_count;     /* of `streams` */
    size_t event_count;      /* number of jobs that have an event */
    int64_t window_ns;       /* jobs that are released before this time are searched */
    int64_t repeat_start_ns; /* releases repeat with the hyperperiod from this time on */
    int64_t hyperperiod_ns;  /* 0: a horizon is given, or there are no tasks */
    int64_t window_periods;  /* number of hyperperiods after repeat_start_ns that are searched */

    /* times of the GPU */
    int64_t noise_ns;         /* every block and copy takes up to this much longer */
    int64_t starved_ns;       /* a starving block takes up to this much longer */
    int64_t max_spin_ns;      /* but not longer than this, unless by itself; 0: no block starves */
    int64_t stream_gap_ns;    /* from a job's end to the entry of the next one of its stream */
    int64_t event_gap_ns;     /* from a job's end until its event is seen */
    int64_t handover_ns;      /* from a block's end to the reuse of its slot */
    int64_t switch_ns;        /* from a kernel's last start to the first start of the next kernel */
    int64_t copy_gap_ns;      /* from a copy's end to the next copy of its engine */
    int64_t min_latency_ns;   /* the shortest launch latency of any job */
    int64_t max_turn_wait_ns; /* longest wait for a turn of a kernel that its stream held, after the gap */

    /* queues and slots */
    size_t level_count;                 /* priority levels that have kernels */
    size_t queue_count;                 /* queues: levels, then copy engines that are used */
    size_t engine_count;                /* engines: the EE, then copy engines that are used */
    size_t partial_count;               /* levels at which a job may be cut off: all, or 0 if there is one level */
    size_t first_slot[EXPLORE_ENGINES]; /* by engine: its first slot among the slots of all engines */
    size_t slot_count[EXPLORE_ENGINES]; /* by engine: number of its slots */
    size_t slot_total;                  /* number of slots of all engines */
    explore_share *shares;              /* by op, for a search by shares; else NULL */
    size_t first_early_slot;            /* by shares: the EE's slots before this one have no earliest times */
    bool copies_both_ways;              /* there are copies to the device and to the host, on two engines */
    bool copies_may_pass;               /* copies wait in channels, in which one may pass another */
    size_t kernel_streams;              /* by intervals: number of streams with kernels */
    bool connections_shared;            /* by intervals: a kernel may wait in its connection for other streams */

    /* the results so far */
    int64_t *min_response;        /* by op; INT64_MAX: none is known */
    int64_t *max_response;        /* by op; -1: none is known */
    int64_t *max_end;             /* by job: its latest end */
    VEC(explore_memory) memories; /* by events: what an idle GPU may remember */
    bool remembers;               /* by events: this decides later times */
    bool memory_grows;            /* these memories have not repeated at some boundary */
    bool may_extend;              /* a window of more hyperperiods might stand for all jobs */
    bool has_bounded_burst;       /* the jobs of a burst were bounded by their work, not explored */

    /* the end */
    owned_analysis *out; /* the analysis that is filled in */
    gcast_error *err;    /* says what is wrong if status is not GCAST_OK */
    gcast_status status; /* not GCAST_OK: input or memory */
    const char *refusal; /* why the workload is not covered or too large; NULL: it is covered so far */
    char text[320];      /* holds a refusal or an assumption that has numbers in it */
    arena memory;        /* of everything that lives as long as the problem */
} explore_problem;

/* Gives up with this reason, unless there is one already. Returns false. */
static inline bool explore_refuse(explore_problem *p, const char *reason)
{
    if (!p->refusal)
        p->refusal = reason;
    return false;
}

/* Gives up without memory. Returns false. */
static inline bool explore_no_memory(explore_problem *p)
{
    p->status = gcast_error_set_memory(p->err);
    return false;
}

/* Allocates empty results for the jobs. False without memory; no status is set. */
bool explore_make_results(explore_problem *p);

/* Widens the results: the job has responses from `min` to `max`, and ends at `end_max` or before. */
static inline void explore_add_result(explore_problem *p, uint32_t job, int64_t min, int64_t max, int64_t end_max)
{
    uint32_t op = p->jobs[job].op;
    p->min_response[op] = min_i64(p->min_response[op], min);
    p->max_response[op] = max_i64(p->max_response[op], max);
    p->max_end[job] = max_i64(p->max_end[job], end_max);
}

static inline uint64_t explore_max_states(const explore_problem *p)
{
    return p->options->max_states ? p->options->max_states : EXPLORE_DEFAULT_STATES;
}

/* May the search go on, by states, memory, time and the caller? `checks` counts the calls: not every call checks all
 * limits. The states take `bytes` of memory, and `fraction` of the work is done. False: with a refusal. */
bool explore_within_limits(explore_problem *p, uint64_t checks, uint64_t bytes, double fraction);
/* Is there time left? False: with a refusal. */
bool explore_in_time(explore_problem *p);

#endif
