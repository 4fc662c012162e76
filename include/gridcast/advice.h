/* What to do about response times: how much kernels may grow, which order of calls is
 * best, which priorities meet all deadlines, and how another GPU would do.
 *
 * A task meets its deadline where every op ends at most deadline_ns after the release of its
 * job; once-released ops have none. docs/analysis.md says what each answer rests on. */
#ifndef GRIDCAST_ADVICE_H
#define GRIDCAST_ADVICE_H

#include "gridcast/analyze.h"
#include <stddef.h>
#include <string.h>

#include "gridcast/api.h"

GCAST_BEGIN_DECLS

/* The method that bounds the ends of operations. */
typedef struct gcast_judge {
    gcast_method method;
    const gcast_analyze_options *options; /* of the method; NULL: its defaults */
    /* Asked instead of gcast_workload_analyze; NULL. */
    gcast_status (*analyze)(void *data, const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis **out,
                            gcast_error *err);
    void *data;          /* given to `analyze` */
    bool covers_shorter; /* its bounds hold for all shorter durations, too */
    bool monotonic;      /* no worst time shrinks where a duration grows or a period shrinks */
    /* The judgement of a stream depends on which streams have higher and lower levels but not on their order, and no
     * worst time grows at a higher level: what Audsley's optimal priority assignment (OPA) needs. */
    bool opa_compatible;
} gcast_judge;

/* gcast_workload_analyze by a method, and what is known of it. */
GCAST_API gcast_judge gcast_judge_by_method(gcast_method method, const gcast_analyze_options *options);

typedef struct gcast_judgement {
    bool known;       /* else `why`, and nothing below is set */
    bool deadlines;   /* there are any */
    bool meets;       /* all of them */
    bool conditional; /* met only if assumed values of the GPU hold, such as the launch latency */
    size_t worst_op;  /* the op with the largest response */
    int64_t worst_ns; /* its response */
    char why[512];
} gcast_judgement;

/* Errors are GCAST_RESOURCE and GCAST_INTERNAL; for a workload that cannot run on the GPU, `known` is false. */
GCAST_API gcast_status gcast_judge_ask(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                                       gcast_judgement *verdict, gcast_error *err);

/* How a limit was found. */
#define GCAST_LIMIT_TABLE(X)                                                                                           \
    X(EXACT, "exact", "one nanosecond more, and the method says no")                                                   \
    X(SAFE, "safe", "up to here the method says yes; beyond, it may say yes or no")                                    \
    X(TRIED, "tried", "the method says yes at every hundredth up to here; between them nothing is known")              \
    X(NONE, "none", "there is no limit")                                                                               \
    X(NEVER, "never", "no value meets all deadlines")                                                                  \
    X(UNKNOWN, "unknown", "it was not looked for")

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
    void *memory;
} gcast_sensitivity;

/* max_ms: the search stops after this time, and limits not found by then are GCAST_LIMIT_UNKNOWN; 0: a minute. */
GCAST_API gcast_status gcast_judge_find_sensitivity(const gcast_judge *judge, const gcast_workload *w,
                                                    const gcast_gpu *gpu, int64_t max_ms, gcast_sensitivity **out,
                                                    gcast_error *err);
GCAST_API void gcast_sensitivity_free(gcast_sensitivity *s);

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

typedef struct gcast_order_options {
    size_t size; /* of the struct, as the caller was compiled */
    gcast_goal goal;
    size_t exhaustive_ops;                         /* up to this many ops, all orders are simulated */
    uint64_t max_runs;                             /* of larger sets; 0: 200 000 */
    int64_t max_ms;                                /* 0: a minute */
    int64_t horizon_ns;                            /* of tasks; 0: as gcast_workload_simulate */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
} gcast_order_options;

static inline gcast_order_options gcast_order_options_default(void)
{
    gcast_order_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.exhaustive_ops = 8;
    options.max_runs = 200000;
    options.max_ms = 60000;
    return options;
}

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
    void *memory;
} gcast_orders;

/* By simulation, longest durations. `options` may be NULL. */
GCAST_API gcast_status gcast_workload_find_orders(const gcast_workload *w, const gcast_gpu *gpu,
                                                  const gcast_order_options *options, gcast_orders **out,
                                                  gcast_error *err);
GCAST_API void gcast_orders_free(gcast_orders *o);

typedef struct gcast_levels {
    const char *why_not;   /* the scheme does not apply; NULL */
    bool found;            /* all deadlines are met, as the judge says of the whole */
    bool conditional;      /* found, and they are met if assumed values of the GPU hold */
    bool none;             /* not found, because the judge accepts none */
    const int *priorities; /* by stream; where not found, the ones tried last */
    const bool *assigned;  /* by stream: it has kernels, so that it was given a priority */
    size_t stream_count;
    uint64_t analyses;
    void *memory;
} gcast_levels;

/* Priorities of the streams by Audsley's scheme: each level of the GPU, from the lowest up, is given to the streams
 * that meet their deadlines while all streams without a level are above them. All analyses together take no longer
 * than a single one may. */
GCAST_API gcast_status gcast_judge_assign_levels(const gcast_judge *judge, const gcast_workload *w,
                                                 const gcast_gpu *gpu, gcast_levels **out, gcast_error *err);
GCAST_API void gcast_levels_free(gcast_levels *l);

GCAST_END_DECLS

#endif
