/* What to do about response times: how much kernels may grow and periods shrink, which order of calls is best, and
 * which priorities meet all deadlines. One call makes a gcast_advice with the parts that are asked for; the caller
 * frees it, and only reads it. Several threads may ask about one workload.
 *
 * A task meets its deadline where every op ends at most deadline_ns after the release of its job; once-released ops
 * have none. docs/analysis.md says what each answer rests on. */
#ifndef GRIDCAST_ADVICE_H
#define GRIDCAST_ADVICE_H

#include "gridcast/analyze.h"

GCAST_BEGIN_DECLS

/* How a limit was found. */
#define GCAST_LIMIT_TABLE(X)                                                                                           \
    X(EXACT, "exact", "one nanosecond more, and the method says no")                                                   \
    X(SAFE, "safe", "up to here the method says yes; beyond, it may say yes or no")                                    \
    X(TRIED, "tried", "the method says yes at every hundredth up to here; between them nothing is known")              \
    X(NONE, "none", "there is no limit")                                                                               \
    X(NEVER, "never", "no value meets all deadlines")                                                                  \
    X(UNKNOWN, "unknown", "it was not found")

typedef enum {
#define GCAST_X(id, name, text) GCAST_LIMIT_##id,
    GCAST_LIMIT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_LIMITS
} gcast_limit;

/* How long a kernel's longest block may take, everything else as it is. */
typedef struct gcast_growth {
    size_t op;
    int64_t longest_ns;     /* now */
    int64_t max_allowed_ns; /* with all deadlines met */
    int64_t permille;       /* of longest_ns, rounded down: below 1000 it must shrink */
    gcast_limit limit;
} gcast_growth;

/* How often a task may be released; its deadline stays. */
typedef struct gcast_min_period {
    size_t task;
    int64_t period_ns; /* now */
    int64_t min_ns;    /* with all deadlines met */
    gcast_limit limit;
} gcast_min_period;

/* Which op has the largest share in the response time of a task. */
typedef struct gcast_slack {
    size_t task;
    int64_t end_ns;     /* the latest end, after the job's release; GCAST_NO_BOUND */
    size_t op;          /* if this op takes 1 ns, the latest end is the earliest; SIZE_MAX: no op makes it earlier */
    int64_t without_ns; /* the latest end if that op takes 1 ns */
} gcast_slack;

typedef struct gcast_sensitivity {
    const char *why_not; /* nothing could be found; NULL */
    const gcast_growth *growths;
    size_t growth_count;
    const gcast_min_period *periods;
    size_t period_count;
    const gcast_slack *slacks;
    size_t slack_count;
    uint64_t analyses; /* how many were needed */
} gcast_sensitivity;

/* What the best order minimizes. */
#define GCAST_GOAL_TABLE(X)                                                                                            \
    X(MAKESPAN, "makespan", "when the last operation ends")                                                            \
    X(RESPONSE, "response", "the largest response time")                                                               \
    X(TOTAL, "total", "the sum of all response times")                                                                 \
    X(LATE, "late", "how many jobs end after their deadlines")

typedef enum {
#define GCAST_X(id, name, text) GCAST_GOAL_##id,
    GCAST_GOAL_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_GOALS
} gcast_goal;

/* Orders in which ops without a host that are released once and together are called. Ops of
 * one stream keep their order, as do those that the NULL stream orders. */
typedef struct gcast_orders {
    gcast_goal goal;
    size_t count;                       /* of ops that could change places; below 2 there is one order */
    const size_t *given, *best, *worst; /* ops of the workload as they are called, by release */
    int64_t given_value, best_value, worst_value;
    int64_t bound;       /* no order is below */
    bool best_proven;    /* none is better */
    bool worst_proven;   /* none is worse */
    uint64_t runs;       /* 0: it ended before the first was simulated, and no value is known */
    const char *stopped; /* why it ended early; NULL */
} gcast_orders;

/* Priorities of the streams by Audsley's scheme: each level of the GPU, from the lowest up, is given to the streams
 * that meet their deadlines while all streams without a level are above them. */
typedef struct gcast_levels {
    const char *why_not;   /* the scheme does not apply; NULL */
    bool found;            /* all deadlines are met, as the judge says of the whole */
    bool conditional;      /* found, and they are met if assumed values of the GPU hold */
    bool none;             /* not found, because the judge accepts none */
    const int *priorities; /* by stream; where not found, the ones tried last */
    const bool *assigned;  /* by stream: it has kernels, so that it was given a priority */
    size_t stream_count;
    uint64_t analyses;
} gcast_levels;

/* The parts that were asked for; the others are NULL. Ops, tasks and streams are given by their index in the workload,
 * to which nothing here points. */
typedef struct gcast_advice {
    const gcast_sensitivity *sensitivity;
    const gcast_orders *orders;
    const gcast_levels *levels;
    void *memory;
} gcast_advice;

typedef struct gcast_advise_options {
    size_t size;      /* of the struct, as the caller was compiled */
    bool sensitivity; /* how long kernels, and how short periods, may be */
    bool orders;      /* the best order of calls */
    bool levels;      /* priorities of streams */
    /* sensitivity, levels: the method that says how late operations end */
    gcast_method method;
    const gcast_analyze_options *analyze; /* of each analysis, but for its progress; NULL: the method's defaults */
    /* orders: by simulation, with the longest durations */
    gcast_goal goal;
    size_t exhaustive_ops; /* up to this many ops, all orders are simulated */
    uint64_t max_runs;     /* of larger sets; 0: 200 000 */
    int64_t horizon_ns;    /* of tasks; 0: as gcast_workload_simulate */
    int64_t max_ms;        /* processor time of each part, which then ends with what it has; 0: a minute */
    /* May be NULL. `part` is "sensitivity", "orders" or "priorities"; `fraction` how much of it is done, below 0: not
     * known. False stops: orders end with what they have, the other parts with GCAST_RESOURCE. */
    bool (*progress)(void *data, const char *part, double fraction);
    void *progress_data;
} gcast_advise_options;

/* By default sensitivity and levels are asked for, and the method is bound. */
static inline gcast_advise_options gcast_advise_options_default(void)
{
    gcast_advise_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.sensitivity = options.levels = true;
    options.method = GCAST_METHOD_BOUND;
    options.exhaustive_ops = 8;
    options.max_runs = 200000;
    options.max_ms = 60000;
    return options;
}

/* gpu NULL: the one that the workload names. What the method does not cover is no error but `why_not`. GCAST_INPUT: the
 * workload is invalid, or orders do not cover it. GCAST_USAGE: no part is asked for, or there is no such method or
 * goal. */
GCAST_API gcast_status gcast_workload_advise(const gcast_workload *w, const gcast_gpu *gpu,
                                             const gcast_advise_options *options, gcast_advice **out, gcast_error *err);
GCAST_API void gcast_advice_free(gcast_advice *advice);

GCAST_END_DECLS

#endif
