/* What the searches of method explore share (docs/explore.md): the workload as jobs, the GPU as slots, the limits, and
 * the results. The search by intervals (explore/intervals) and the search by events (explore/events) both read the jobs
 * and widen the results. */
#ifndef ANALYZE_EXPLORE_PROBLEM_PROBLEM_H
#define ANALYZE_EXPLORE_PROBLEM_PROBLEM_H

#include "analyze/analysis.h"
#include "analyze/time_limit.h"
#include "base/vec.h"
#include "model/gpu/copy_engine.h"

#define EXPLORE_NONE UINT32_MAX            /* no job, stream or group; as a call index: the order is open */
#define EXPLORE_ENGINES (1 + COPY_ENGINES) /* the EE, and copy engines */
#define EXPLORE_MAX_TIME (INT64_MAX / 4)   /* for calls, and for the sum of all durations: no sum of two overflows */

/* Which slots of its engine a block waits for and takes. The slots of a state's latest times and those of its earliest
 * times are counted separately. In a pool, and for a copy, a block waits for the first slot and takes it. */
typedef struct explore_share {
    size_t late_slot;  /* at the latest, a block starts when this slot is free */
    size_t late_take;  /* number of slots that it takes of the latest times, from the first on */
    size_t early_slot; /* at the earliest, a block starts when this slot is free */
    size_t early_take; /* number of slots that it takes of the earliest times, from the first on */
} explore_share;

/* One operation: of an op that runs once, or of one job of a task. Jobs are sorted by earliest call, then by
 * call_index. */
typedef struct explore_job {
    uint32_t op;          /* index of its op in the workload */
    uint32_t task_job;    /* number of the job within its task */
    uint32_t operation;   /* its index among all operations of the window (model/workload/jobs.h) */
    uint32_t call_index;  /* calls of one time are made in this order, unless order_is_open */
    uint32_t queue;       /* levels of the EE, highest first, then copy engines */
    uint32_t engine;      /* 0: the EE; then copy engines, those that are used */
    uint32_t stream;      /* index among the streams that have several jobs, or NONE */
    uint32_t predecessor; /* the last job that is called before it on its stream in every execution, or NONE */
    bool continues_job;   /* its predecessor is right before it in the stream, and of the same job of the task */
    bool order_is_open;   /* of it and another job that is called at the same time, either may be first */
    uint32_t *after;      /* jobs of other streams that it is after: it waits for the events of those called before */
    uint32_t after_count; /* number of these */
    uint32_t *followers;  /* jobs of other streams that are after it */
    uint32_t follower_count; /* number of these */
    uint32_t event;          /* number of its event, where others are after it; NONE: none is */
    int64_t call_lo;         /* earliest call */
    int64_t call_hi;         /* latest call */
    int64_t latency_ns;      /* the least time from its call to its arrival */
    int64_t max_latency_ns;  /* the longest time from its call to its arrival; longer than the least by events only */
    uint64_t block_count;    /* 1 for a copy */
    int64_t min_ns;          /* shortest duration of a block, or of the copy */
    int64_t max_ns;          /* longest duration of a block, or of the copy, with noise and starving */
    const int64_t *each_ns;  /* least duration of every block; NULL: all are from min_ns to max_ns */
    int64_t extra_ns;        /* with each_ns: every block takes up to this much longer, by noise or as it starves */
    explore_share share;     /* slots of one block */
} explore_job;

/* A stream that has several jobs. */
typedef struct explore_stream {
    uint32_t *jobs;       /* its jobs, ascending */
    uint32_t job_count;   /* number of its jobs */
    bool order_is_known;  /* its jobs are called in this order in every execution */
    int64_t min_block_ns; /* shortest duration of a block or copy of any of its jobs */
} explore_stream;

/* What the GPU may remember when it is idle. */
typedef struct explore_memory {
    uint32_t called_count; /* it is idle after this many jobs were called: the first ones, in the order of jobs */
    uint64_t hash;         /* of the words */
    const int64_t *words;  /* what it remembers */
    size_t bytes;          /* size of the words */
} explore_memory;

typedef struct explore_problem {
    /* what is asked */
    const gcast_workload *w;              /* the workload */
    const gcast_gpu *gpu;                 /* the GPU, cut to the workload's partition */
    const gcast_analyze_options *options; /* limits, horizon, and what to assume */
    time_limit limit;                     /* until when the search may go on */

    /* how it is searched */
    bool is_pool;           /* blocks take slots of a pool, and nothing else decides a time */
    bool by_events;         /* it is searched by events, not by intervals */
    bool states_stay_apart; /* by events: two states become one only where one is within the other */
    bool is_large;          /* the clock is read within a state, as a state takes long */

    /* the jobs that are searched */
    explore_job *jobs;       /* sorted */
    uint32_t job_count;      /* number of jobs */
    explore_stream *streams; /* those with several jobs */
    size_t stream_count;     /* number of these streams */
    size_t event_count;      /* number of jobs that have an event */
    int64_t window_ns;       /* jobs that are released before this time are searched */
    int64_t repeat_start_ns; /* releases repeat with the hyperperiod from this time on */
    int64_t hyperperiod_ns;  /* 0: a horizon is given, or there are no tasks */
    int64_t window_periods;  /* number of hyperperiods after repeat_start_ns that are searched */

    /* times of the GPU */
    int64_t noise_ns;         /* every block and copy takes up to this much longer */
    int64_t starved_ns;       /* a block that starves takes up to this much longer */
    int64_t max_spin_ns;      /* but no longer than this, or than it takes itself; 0: none starves */
    int64_t stream_gap_ns;    /* from a job's end to the entry of the next one of its stream */
    int64_t event_gap_ns;     /* from a job's end until its event is seen */
    int64_t handover_ns;      /* from a block's end to the reuse of its slot */
    int64_t switch_ns;        /* from a kernel's last start to the first start of the next kernel */
    int64_t copy_gap_ns;      /* from a copy's end to the next copy of its engine */
    int64_t min_latency_ns;   /* the shortest launch latency of any job */
    int64_t max_turn_wait_ns; /* a kernel that its stream held enters up to this much later than after the gap */

    /* queues and slots */
    size_t level_count;                 /* priority levels that have kernels */
    size_t queue_count;                 /* queues: levels, then copy engines that are used */
    size_t engine_count;                /* engines: the EE, then copy engines that are used */
    size_t partial_count;               /* levels at which a job may be cut off: all, or 0 where there is one level */
    size_t first_slot[EXPLORE_ENGINES]; /* by engine: its first slot among the slots of all engines */
    size_t slot_count[EXPLORE_ENGINES]; /* by engine: number of its slots */
    size_t slot_total;                  /* number of slots of all engines */
    explore_share *shares;              /* by op, where the search is by shares; else NULL */
    size_t first_early_slot;            /* by shares: the EE's slots before this one have no earliest times */
    bool copies_both_ways;              /* there are copies to the device and to the host, on two engines */
    bool copies_may_pass;               /* copies wait in channels, where one may pass another */
    size_t kernel_streams;              /* by intervals: number of streams with kernels */
    bool connections_shared;            /* by intervals: a kernel may wait in its connection for other streams */

    /* the results so far */
    int64_t *min_response;        /* by op; INT64_MAX: none is known */
    int64_t *max_response;        /* by op; -1: none is known */
    int64_t *max_end;             /* by job: its latest end */
    VEC(explore_memory) memories; /* by events: what an idle GPU may remember */
    bool remembers;               /* by events: what it remembers decides times later */
    bool memory_grows;            /* these memories do not repeat within the window */
    bool may_extend;              /* a window of more hyperperiods may stand for all, where this one does not */
    bool has_bounded_burst;       /* the jobs of a burst were bounded by their work, not explored */

    /* how it ends */
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

#endif
