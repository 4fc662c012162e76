/* The state of an analysis of a system, and sums of times that may be unbounded. Times count from the nominal release
 * of a task's root; times called `own` count from the release of the task itself. Words as in
 * docs/amalthea.md: a task on a core is cut into pieces at its waits, and into bursts at those waits in which
 * it leaves the core. */
#ifndef ANALYZE_SYSTEM_SYSTEM_WORK_H
#define ANALYZE_SYSTEM_SYSTEM_WORK_H

#include "analyze/system/system_analysis.h"
#include "base/integers.h"

/* Why a task has no bound. */
typedef enum {
    WHY_BOUNDED,
    WHY_OVERLOAD,   /* the task and those that go before it need more than the core has */
    WHY_TOO_LONG,   /* a busy window exceeds the cap */
    WHY_PERIOD,     /* it suspends itself, and may still be pending at its next release */
    WHY_RELEASE,    /* no bound on when `other` triggers it */
    WHY_WAITS,      /* no bound on how long it waits for `other` */
    WHY_INTERFERES, /* no bound on when `other`, which goes before it, is ready */
    WHY_GPU,        /* the analysis of the GPU gives no bound */
    WHY_GIVES_UP,   /* the analysis would take too many steps */
} why_not;

/* Part of a task on a core: its steps from one wait to the next. */
typedef struct core_piece {
    uint32_t first, end; /* its steps, RUN and TRIGGER: first to end - 1 */
    uint32_t burst;      /* in bursts[] */
    int waits_for;       /* the task that the wait before this piece is for, or SYS_NONE */
    bool suspends;       /* in that wait the task leaves its core */
    bool covered;        /* during that wait the core runs tasks that go before this one anyway */
    /* Own execution from the trigger of the awaited task to the wait: the least; the same with the longest times of
     * steps since the start of the burst; and of the job (lemma 5). */
    int64_t lead, burst_lead, job_lead;
    int64_t least, most;          /* own execution */
    int64_t wait_most;            /* longest wait before it */
    int64_t burst_wait, job_wait; /* what the wait adds to the longest execution of the burst; of the job */
    int64_t ready_min, ready_max;
    int64_t end_min, end_max;
    int64_t own_ready, own_end; /* latest */
} core_piece;

/* Part of a task on a core between waits in which it leaves the core: what other tasks of the core see of it. */
typedef struct core_burst {
    int task;
    int root;
    bool sporadic; /* its root is sporadic */
    bool single;   /* the core has no other burst of its root */
    bool spins;    /* it holds its core while it waits for a task elsewhere */
    int64_t period;
    int64_t ready_min, ready_max;
    int64_t most; /* longest execution, including waits in which it holds the core */
} core_burst;

typedef struct task_state {
    bool on_core;
    bool has_equals; /* another task of its core has its priority */
    bool several;    /* it has more than one burst */
    bool dirty;      /* something that it depends on has changed */
    bool limited;    /* a limit needs the ends of all its steps */

    uint32_t class_begin, class_end; /* tasks of its priority on its core, in order[] */
    uint32_t core_begin, core_end;   /* tasks of its core, in order[] */
    uint32_t first_piece, piece_count;
    uint32_t first_burst, burst_count;
    uint32_t first_step; /* in steps[] */
    int64_t section;     /* its longest non-preemptive section; 0: none */
    int64_t release_min, release_max;
    int64_t best, worst, own_worst;
    int64_t blocking; /* part of own_worst */
    double load;      /* of it and of tasks that go before it, as last computed while it had a bound */
    why_not why;
    int other; /* the task that `why` names */
    uint32_t visits;
} task_state;

/* When a step can start and end. */
typedef struct step_state {
    int64_t start_min, end_min, end_max, own_end;
} step_state;

/* A burst of the task's own root, as a term of a busy window for one job of the task. */
typedef struct own_term {
    const core_burst *burst;
    int trigger_step; /* the step by which the analyzed task triggers the burst's task, directly or not; or -1 */
    int64_t last;     /* the last job of the burst that counts, relative to the analyzed job; INT64_MAX: any */
} own_term;

/* A context of a GPU shared by time slices, as other contexts see it. */
typedef struct context_load {
    bool has_kernels;
    int64_t slice; /* the longest time that it keeps the GPU: its slice, or its longest kernel */
    int64_t copy;  /* its longest copy */
    int64_t work;  /* of one job: its kernels, and a context switch for each of their slices */
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
    int64_t cap;      /* longest busy window to follow */
    int64_t patience; /* how many terms of busy windows may still be computed */
    bool use_offsets;
    int64_t offset_patience; /* the same for windows with offsets */
    /* arrays of core_level */
    const core_burst **single, **grouped;
    size_t *group_end;
    uint32_t *group_of; /* by task: scratch; in the end, whether the task's times rest on the GPU */
    own_term *own;
    /* the GPU */
    bool uses_gpu, gpu_dirty, gpu_bounded, gpu_conditional;
    char gpu_why_not[512]; /* "": no reason */
    sys_range *releases;   /* by task: the releases for the analysis of the GPU */
    int64_t *gpu_key;      /* the key of the cache: 4 numbers for each task, and one; with slices: ends of steps */
    context_load *loads;   /* by task */
    int slice_rounds;
    gcast_call_latency launch, copy; /* with time slices */
    bool any_phase;                  /* never use gpu_offsets */
    bool gpu_offsets;                /* analyze the GPU with the offsets of releases, too */
    int gpu_rounds;                  /* how often the GPU was analyzed */
    int rounds;
    sys_gpu_cache *cache;
} system_work;

/* Every known time is below this, so that a sum of a few fits in 64 bits. */
#define TIME_LIMIT (INT64_C(1) << 60)

static inline int64_t sum_of(int64_t a, int64_t b)
{
    return a >= TIME_LIMIT || b >= TIME_LIMIT || a + b >= TIME_LIMIT ? SYS_UNBOUNDED : a + b;
}

/* count * each; neither is negative. */
static inline int64_t product_of(int64_t count, int64_t each)
{
    int64_t product;
    return __builtin_mul_overflow(count, each, &product) || product >= TIME_LIMIT ? SYS_UNBOUNDED : product;
}

/* a - b; `a` may be unbounded. */
static inline int64_t minus(int64_t a, int64_t b)
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

/* Makes *hyperperiod a multiple of `period` as well. False where it does not fit. */
static inline bool add_period(int64_t *hyperperiod, int64_t period)
{
    return checked_mul(*hyperperiod, period / common_divisor(*hyperperiod, period), hyperperiod);
}

/* The step by which `task` triggers `other`, directly or through other tasks; -1: it does not. */
int system_trigger_step(const sys_system *s, int task, int other);

/* Puts all arrays into the scratch memory of the cache. False without memory. */
bool system_work_init(system_work *x);

#endif
