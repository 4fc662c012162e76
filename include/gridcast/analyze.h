/* Response times and bounds: how late each operation can end after its release,
 * by one of several methods, and what that rests on. */
#ifndef GRIDCAST_ANALYZE_H
#define GRIDCAST_ANALYZE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/report.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

#define GCAST_METHOD_TABLE(X)                                                                                          \
    X(EXACT, "exact", "fixed durations, releases and order: one simulation over a sufficient window")                  \
    X(BOUND, "bound", "an upper bound for any durations in their ranges, any order, any jitter")                       \
    X(EXPLORE, "explore", "all executions with durations and releases in their ranges, by intervals")

typedef enum {
#define GCAST_X(id, name, text) GCAST_METHOD_##id,
    GCAST_METHOD_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_METHODS
} gcast_method;

#define GCAST_NO_BOUND INT64_MAX /* no time is known to be enough */

/* Do response times grow without bound in some execution? */
typedef enum {
    GCAST_BACKLOG_UNKNOWN, /* that is not known, or was not looked for */
    GCAST_BACKLOG_GROWS,   /* they grow over many hyperperiods of an execution */
    GCAST_BACKLOG_PILES_UP /* they grow forever: the system piles up */
} gcast_backlog;

/* Response times of an op of the workload, over all its jobs: from its release to its end. */
typedef struct gcast_response {
    size_t op;
    int64_t best_ns;     /* no execution is faster; 0 where nothing better is known */
    int64_t worst_ns;    /* no execution is slower; GCAST_NO_BOUND: not known */
    int64_t deadline_ns; /* relative to its task's release; 0: none */
    bool never_called;   /* in any execution, up to the horizon; best and worst are 0 */
    int64_t reached_ns;  /* some execution takes this long, or longer; 0 where none is known */
    int64_t seen_ns;     /* the longest that the search for late executions saw; 0: none was seen */
    /* Its deadline is met if no call takes longer to reach the GPU; -1: not known */
    int64_t launch_limit_ns;
    int64_t growth_ns; /* by how much it grows per hyperperiod; 0: it is not known to */
    /* There is no proof that its deadline is met if assumed values of the GPU change, or for other values of what the
     * workload does not say */
    bool rests_on_assumed;
} gcast_response;

#define GCAST_NO_OP SIZE_MAX

/* A search for late executions: a bound says what can never happen, such an execution is something that does. Which
 * responses are searched for: those whose deadlines are missed or open, and more by choice. */
typedef struct gcast_search_options {
    size_t size;    /* of the struct, as the caller was compiled */
    int64_t max_ms; /* of processor time; 0: a minute, and at most 6000 executions and 10 million operations */
    size_t op;      /* also the response of this op; GCAST_NO_OP: of none besides */
    bool all;       /* all responses */
    bool attained;  /* also where the analysis attains its worst times, for an execution to show */
} gcast_search_options;

static inline gcast_search_options gcast_search_options_default(void)
{
    gcast_search_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.op = GCAST_NO_OP;
    return options;
}

typedef struct gcast_analyze_options {
    size_t size; /* of the struct, as the caller was compiled */
    /* bound: whatever the offsets of tasks to each other, and for durations below their ranges too; then no
     * worst time shrinks where a duration grows or a period shrinks. */
    bool any_phase;
    bool any_order;      /* operations without a host that are released together may be called in any order */
    int64_t horizon_ns;  /* of tasks; 0: found by the method */
    uint64_t max_states; /* explore: give up after this many states; 0: 10 million */
    uint64_t max_bytes;  /* explore: give up beyond this much memory; 0: 2 GiB */
    int64_t max_ms;      /* give up after this much processor time of the thread; 0: a minute */
    bool coarse;         /* explore: do not begin with searches by events, where a coarser search covers the workload */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
    /* How long calls take to reach their stream's queue: each from a minimum to a maximum, whatever the others take.
     * Below 0: as the GPU has it. */
    int64_t launch_min_ns; /* of kernels */
    int64_t launch_max_ns; /* of kernels */
    int64_t copy_min_ns;   /* of copies and memsets */
    int64_t copy_max_ns;   /* of copies and memsets */
    int64_t quantile;      /* a maximum of the GPU may be exceeded by one in this many calls; 0: by none measured */
    /* gcast_workload_answer: something begins that takes this long at most, such as the method "bound"; its progress
     * counts from 0 again. May be NULL. */
    void (*begins)(void *progress_data, const char *activity, int64_t max_ms);
    const gcast_search_options *search; /* gcast_workload_answer: also looks for late executions; NULL: does not */
} gcast_analyze_options;

static inline gcast_analyze_options gcast_analyze_options_default(void)
{
    gcast_analyze_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.max_states = 10000000;
    options.max_bytes = UINT64_C(1) << 31;
    options.max_ms = 60000;
    options.launch_min_ns = options.launch_max_ns = options.copy_min_ns = options.copy_max_ns = -1;
    return options;
}

/* Where the latencies of an analysis are from: name. */
#define GCAST_LATENCY_TABLE(X)                                                                                         \
    X(ASSUMED, "assumed") /* the GPU's usual latency: how far it varies has not been measured */                       \
    X(MEASURED, "measured")                                                                                            \
    X(GIVEN, "given") /* by the caller */

typedef enum {
#define GCAST_X(id, name) GCAST_LATENCY_##id,
    GCAST_LATENCY_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_LATENCIES
} gcast_latency_source;

/* How long calls of one kind take to reach their stream's queue, as an analysis has it. */
typedef struct gcast_call_latency {
    bool used; /* the workload has such calls */
    gcast_latency_source source;
    int64_t min_ns;
    int64_t max_ns;
    int64_t one_in;  /* MEASURED: one in so many took longer; 0: none did */
    int64_t samples; /* MEASURED: calls that were measured */
} gcast_call_latency;

typedef struct gcast_analysis {
    gcast_method method;
    bool complete;                   /* else `why_not`, and worst times are GCAST_NO_BOUND */
    const char *why_not;             /* it stopped, or does not cover the workload; NULL: complete */
    const gcast_response *responses; /* one per op of the workload that runs on the GPU, in order */
    size_t response_count;
    const char *const *assumptions; /* what it rests on, a sentence each */
    size_t assumption_count;
    uint64_t states;           /* states visited (exact: hyperperiods simulated); 0 where the method has none */
    gcast_call_latency launch; /* of kernels */
    gcast_call_latency copy;   /* of copies and memsets */
    void *memory;
} gcast_analysis;

/* `gpu` NULL: the workload's. GCAST_OK also where the method gave up: see complete. Errors are
 * bad input, no memory, or an internal check. */
GCAST_API gcast_status gcast_workload_analyze(const gcast_workload *w, const gcast_gpu *gpu, gcast_method method,
                                              const gcast_analyze_options *options, gcast_analysis **out,
                                              gcast_error *err);
GCAST_API void gcast_analysis_free(gcast_analysis *a);

/* "exact", as in GCAST_METHOD_TABLE. */

#define GCAST_DEADLINE_TABLE(X)                                                                                        \
    X(NONE, "-") /* it has no deadline, or is never called */                                                          \
    X(MET, "met")                                                                                                      \
    X(MISSED, "missed") /* in some execution */                                                                        \
    X(OPEN, "open")     /* no method shows that it is met, and no execution is known that misses it */                 \
    X(MET_IF, "met if") /* it is met if what is assumed of the GPU and what the notes of the workload say is harmless  \
                         */

typedef enum {
#define GCAST_X(id, name) GCAST_DEADLINE_##id,
    GCAST_DEADLINE_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_DEADLINES
} gcast_deadline_verdict;

/* A number of a GPU that was not measured (gcast_gpu_assumes), and how far it may change without a missed deadline. */
typedef struct gcast_assumed {
    const char *field; /* its name in gridcast.gpu/1 */
    int64_t value;     /* the GPU's value */
    bool downward;     /* smaller values were tried, as for a bandwidth; else larger ones */
    bool is_count; /* such as that of connections: moved on its own only, less and more are two; or chosen by name */
    bool tried;    /* other values were tried; else the limit is its value */
    bool matters;  /* at the farthest value tried, some deadline is not met */
    int64_t limit; /* the farthest value tried at which deadlines that are met are still proven to be met */
    bool between_open; /* values between those that were tried may differ */
} gcast_assumed;

/* The analyses of a workload by one method or several, compared with its deadlines. All bounds hold, so that the
 * tightest of each op holds, too. */
typedef struct gcast_answer {
    const gcast_workload *workload; /* must outlive the answer */
    const gcast_gpu *gpu;           /* must outlive the answer */
    gcast_analysis *const *analyses;
    size_t analysis_count;
    const gcast_response *responses; /* as in an analysis, with the tightest bounds of all */
    size_t response_count;
    bool complete;             /* some analysis is complete */
    bool attained;             /* some complete analysis is of a method that attains its worst times */
    bool searched;             /* late executions were searched for: responses have seen_ns */
    gcast_call_latency launch; /* as in the analyses */
    gcast_call_latency copy;   /* as in the analyses */
    bool conditional;          /* a latency that counts is assumed: a deadline that is met is so on a condition */
    /* Where it is conditional: deadlines that are met are so if no call whose latency is assumed takes
     * longer; -1: no limit is known */
    int64_t launch_limit_ns;
    bool limit_may_be_longer; /* the search for the limit was stopped */
    /* Where deadlines are open, and bound was asked: bound shows all deadlines to be met where no block of a kernel
     * takes more than this share of its kernel's longest one; 0: none is known */
    int duration_percent;
    bool percent_may_be_larger; /* the search for the share was stopped */
    bool growth_searched;       /* responses that grow were looked for: what is known is in the next three */
    gcast_backlog growth;
    uint64_t growth_hyperperiods; /* GROWS: seen over so many */
    const char *growth_why;       /* PILES_UP: why, a sentence */
    const char *search_why_not;   /* late executions were to be searched for, and none could be simulated: why; NULL */
    /* What comes of other values for what nobody has measured */
    const gcast_assumed *assumed; /* numbers of the GPU that count for the workload and that nobody has measured */
    size_t assumed_count;
    bool assumed_hold_at_once; /* deadlines stay met if all of them but counts change at once */
    bool rests_on_assumed;     /* some deadline that is met is not proven to be met if they change */
    bool rests_on_open;        /* ... or if what the workload does not say is not as assumed: */
    bool rests_on_carveouts;   /* if kernels without a carveout have CUDA's default */
    bool rests_on_blocking;    /* if streams without this attribute synchronize with the NULL stream */
    bool rests_on_registers;   /* if kernels without registers have more than open_registers per thread */
    int open_registers;        /* up to this number nothing changes */
    void *memory;
} gcast_answer;

#define GCAST_AUTO_MAX_STATES 100000 /* of explore where the library chooses the methods, which takes seconds */

/* A checked answer. Analyses by these methods, one after another until one attains its worst times (no methods:
 * exact and, where it gives no answer, bound and explore), are compared with executions: with a simulation of the
 * workload as it is, and with executions drawn within what the answer assumes (docs/analysis.md, "Every answer is
 * tried"). GCAST_INTERNAL: one contradicts the answer, which is then not given. Then it finds what the answer rests on:
 * - how late calls may be, where that was not measured, so that deadlines are still met;
 * - whether deadlines are met where numbers of the GPU that nobody has measured are moved, and where what the workload
 *   leaves open is otherwise;
 * - late executions, where `search` of the options asks for them;
 * - where deadlines are open, how much of their time kernels may take so that bound shows them to be met.
 * `gpu` NULL: the workload's; both must outlive the answer. Free it with gcast_answer_free. */
GCAST_API gcast_status gcast_workload_answer(const gcast_workload *w, const gcast_gpu *gpu, const gcast_method *methods,
                                             size_t count, const gcast_analyze_options *options, gcast_answer **answer,
                                             gcast_error *err);
GCAST_API void gcast_answer_free(gcast_answer *answer);

/* Of a response of the answer, or of one of its analyses. */
GCAST_API gcast_deadline_verdict gcast_answer_verdict(const gcast_answer *answer, const gcast_response *response);
/* A table, gridcast.analysis/1 as GCAST_FORMAT_JSON, or a picture as SVG, PNG or PDF: response times and deadlines as
 * bars. `options` may be NULL; of these only color counts. */
GCAST_API gcast_status gcast_answer_report(const gcast_answer *answer, gcast_format format,
                                           const gcast_report_options *options, gcast_write_fn write, void *data,
                                           gcast_error *err);

/* The longest response of an op that the search for late executions saw. */
typedef struct gcast_late {
    size_t op; /* of the workload */
    int64_t response_ns;
    int64_t late_ns; /* how long after its deadline it ended, or before it, below 0; 0 without a deadline */
} gcast_late;

/* What the search saw of an op; GCAST_NO_OP: of the one that misses its deadline by most or comes nearest to that or,
 * without deadlines, takes longest. False: it saw nothing of it, or there was no search. */
GCAST_API bool gcast_answer_find_late(const gcast_answer *answer, size_t op, gcast_late *late);

/* The execution in which that response was seen: a workload without tasks, ranges and jitter, with its GPU, up to the
 * end of that operation. An op LABEL of a task becomes LABEL#JOB. *late (may be NULL) is the op of *execution that is
 * late. Its simulation has been compared. GCAST_USAGE where nothing was seen. The caller frees it. */
GCAST_API gcast_status gcast_answer_late_execution(const gcast_answer *answer, size_t op, gcast_workload **execution,
                                                   size_t *late, gcast_error *err);

/* A picture of that execution around the late operation: the deadlines of its jobs, and what it waited for. SVG, PNG,
 * PDF or HTML. */
GCAST_API gcast_status gcast_answer_report_late(const gcast_answer *answer, size_t op, gcast_format format,
                                                gcast_write_fn write, void *data, gcast_error *err);

GCAST_END_DECLS

#endif
