/* The analysis of a system while it is made. Times count from the nominal release of a task's root, unless they are
 * called own: those count from the release of the task itself. Words as in docs/amalthea-analysis.md: a task on a core
 * is cut into pieces at its waits, and into bursts at those waits in which it leaves the core. */
#ifndef ANALYZE_SYSTEM_STATE_H
#define ANALYZE_SYSTEM_STATE_H

#include "analyze/system/system_analysis.h"
#include "base/minmax.h"

/* Why there is no bound. */
typedef enum {
    WHY_BOUNDED,
    WHY_OVERLOAD,   /* what goes before it on its core, and itself, ask for more than there is */
    WHY_TOO_LONG,   /* a busy time passes the cap */
    WHY_PERIOD,     /* it suspends, and may not have ended when it is released again */
    WHY_RELEASE,    /* nothing is known of when `other` triggers it */
    WHY_WAITS,      /* nothing is known of how long it waits for `other` */
    WHY_INTERFERES, /* nothing is known of when `other`, which goes before it, is ready */
    WHY_GPU,        /* the analysis of the GPU gives no answer */
    WHY_GIVES_UP,   /* it would take too many steps */
} why_not;

/* Part of a task on a core: its steps from one wait to the next. */
typedef struct core_piece {
    uint32_t first, end; /* its steps, RUN and TRIGGER: from first, before end */
    uint32_t burst;      /* in bursts[] */
    int waits_for;       /* the task that the wait before it is for, or SYS_NONE */
    bool suspends;       /* in that wait the task leaves its core */
    bool covered;        /* while that wait lasts, the core runs what goes before the task anyway */
    /* Own execution from the trigger of the awaited task to the wait: at least; and with the most of steps from the
     * start of the burst, or of the job, on (docs: lemma 5) */
    int64_t lead, burst_lead, job_lead;
    int64_t least, most;          /* own execution */
    int64_t wait_most;            /* of the wait before it */
    int64_t burst_wait, job_wait; /* what it adds to the execution of a burst, or of a job, where that takes its most */
    int64_t ready_min, ready_max;
    int64_t end_min, end_max;
    int64_t own_ready, own_end; /* latest */
} core_piece;

/* Part of a task on a core without a pause: what others on the core see of it. */
typedef struct core_burst {
    int task;
    int root;
    bool sporadic; /* its root is */
    bool lone;     /* no other burst of its root is on its core */
    bool spins;    /* it holds its core while it waits for what is elsewhere */
    int64_t period;
    int64_t ready_min, ready_max;
    int64_t most; /* execution, with waits in which it holds the core */
} core_burst;

typedef struct task_state {
    bool on_core;
    bool has_equals; /* others of its core have its priority */
    bool several;    /* it has more than one burst */
    bool dirty;      /* something that it depends on has changed */
    bool limited;    /* a limit counts times within it: ends of all steps are needed */

    uint32_t class_begin, class_end; /* tasks of its priority on its core, in order[] */
    uint32_t core_begin, core_end;   /* tasks of its core, in order[] */
    uint32_t first_piece, piece_count;
    uint32_t first_burst, burst_count;
    uint32_t first_step; /* in steps[] */
    int64_t section;     /* the longest time for which it cannot be preempted; 0: it can */
    int64_t release_min, release_max;
    int64_t best, worst, own_worst;
    int64_t blocking; /* that counts in own_worst */
    double load;      /* of it and of what goes before it, when it was found to have no bound */
    why_not why;
    int other; /* of `why` */
    uint32_t visits;
} task_state;

/* Of a step: when it can be over. */
typedef struct step_state {
    int64_t start_min, end_min, end_max, own_end;
} step_state;

/* Of one job of the task to which it belongs: a term of the own root in a busy time. */
typedef struct own_term {
    const core_burst *burst;
    uint32_t leaves; /* the step by which the task triggers what this is of, or UINT32_MAX */
    int64_t last;    /* the last job that counts, from the job that is looked at; INT64_MAX: any */
} own_term;

/* Of a GPU that is shared by slices of time: what others see of a context. */
typedef struct context_load {
    bool has_kernels;
    int64_t slice; /* the longest time for which it has the GPU: its slice or its longest kernel */
    int64_t copy;  /* its longest copy */
    int64_t work;  /* of a job: its kernels, and a switch for each of their slices */
} context_load;

typedef struct system_work {
    const sys_system *s;
    const sys_place *places;
    const sys_analyze_options *options;
    gcast_error *err;
    gcast_status status;
    task_state *tasks;
    step_state *steps;
    core_piece *pieces;
    core_burst *bursts;
    uint32_t *order; /* tasks on cores: by core, then priority */
    uint32_t order_count;
    size_t step_count, piece_count, burst_count;
    int64_t cap;      /* no busy time is looked at beyond */
    int64_t patience; /* how many terms of busy times are still looked at */
    bool use_offsets;
    int64_t offset_patience; /* the same for windows with offsets */
    /* room for core_level */
    const core_burst **lone, **joint;
    size_t *group_end;
    uint32_t *group_of; /* by root */
    own_term *own;
    /* the GPU */
    bool uses_gpu, gpu_dirty, gpu_bounded, gpu_conditional;
    char gpu_why_not[512]; /* "": none */
    sys_range *releases;   /* by task: what the GPU was asked for */
    int64_t *gpu_key;      /* 4 numbers for each task, one for each step, and one more */
    context_load *loads;   /* by task */
    int slice_rounds;
    gcast_call_latency launch, copy; /* with slices of time */
    bool any_phase;                  /* it is never */
    bool gpu_offsets;                /* the GPU is asked with the offsets that releases have */
    int gpu_rounds;                  /* how often the GPU was asked */
    int rounds;
    sys_gpu_cache *cache;
    void *block; /* all of the above */
} system_work;

/* No time that is known is later, so that sums of a few fit. */
#define TIME_LIMIT (INT64_C(1) << 60)

static inline int64_t sum_of(int64_t a, int64_t b)
{
    return a >= TIME_LIMIT || b >= TIME_LIMIT || a + b >= TIME_LIMIT ? SYS_UNBOUNDED : a + b;
}

/* count * each, of no negative numbers. */
static inline int64_t product_of(int64_t count, int64_t each)
{
    int64_t product;
    return __builtin_mul_overflow(count, each, &product) || product >= TIME_LIMIT ? SYS_UNBOUNDED : product;
}

/* a - b, of a time that may be unbounded. */
static inline int64_t less(int64_t a, int64_t b)
{
    return a == SYS_UNBOUNDED ? a : a - b;
}

/* a / b rounded down, and up, for any a and b > 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

#endif
