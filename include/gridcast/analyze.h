/* Response times and bounds: how late each operation can end after its release,
 * by one of several methods, and what that rests on. */
#ifndef GRIDCAST_ANALYZE_H
#define GRIDCAST_ANALYZE_H

#include <stddef.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/report.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

#define GCAST_METHOD_TABLE(X)                                                                                          \
    X(EXACT, "exact", "fixed durations, releases and order: one simulation over a window that is long enough")         \
    X(BOUND, "bound", "an upper bound for any durations in their ranges, any order, any jitter")                       \
    X(EXPLORE, "explore", "all executions with durations and releases in their ranges, by intervals")                  \
    X(THESIS, "thesis", "algorithm 2 of Calderon's thesis: equal blocks on a pool")

typedef enum {
#define X(id, name, text) GCAST_METHOD_##id,
    GCAST_METHOD_TABLE(X)
#undef X
        GCAST_METHODS
} gcast_method;

#define GCAST_NO_BOUND INT64_MAX /* no time is known to be enough */

/* Response times of an op of the workload, over all its jobs: from its release to its end. */
typedef struct gcast_response {
    size_t op;
    int64_t best_ns;     /* no execution is faster; 0 where nothing better is known */
    int64_t worst_ns;    /* no execution is slower; GCAST_NO_BOUND: not known */
    int64_t deadline_ns; /* relative to its task's release; 0: none */
    bool never_called;   /* in any execution, up to the horizon; best and worst are 0 */
} gcast_response;

typedef struct gcast_analyze_options {
    size_t size; /* of the struct, as the caller was compiled */
    /* bound: whatever the offsets of tasks to each other, and for durations below their ranges too; then no
     * worst time shrinks where a duration grows or a period shrinks. */
    bool any_phase;
    bool any_order;      /* operations without a host that are released together may be called in any order */
    int64_t horizon_ns;  /* of tasks; 0: found by the method */
    uint64_t max_states; /* explore: give up after this many states; 0: 10 million */
    uint64_t max_bytes;  /* explore: give up beyond this much memory; 0: 2 GiB */
    int64_t max_ms;      /* give up after this much time; 0: a minute */
    bool coarse;         /* explore: do not begin with a search in which states stay apart, for small systems */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
} gcast_analyze_options;

static inline gcast_analyze_options gcast_analyze_options_default(void)
{
    gcast_analyze_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.max_states = 10000000;
    options.max_bytes = UINT64_C(1) << 31;
    options.max_ms = 60000;
    return options;
}

typedef struct gcast_analysis {
    gcast_method method;
    bool complete;                   /* else `why_not`, and worst times are GCAST_NO_BOUND */
    const char *why_not;             /* it gave up, or does not apply; NULL */
    const gcast_response *responses; /* one per op of the workload that runs on the GPU, in order */
    size_t response_count;
    const char *const *assumptions; /* what it rests on, a sentence each */
    size_t assumption_count;
    uint64_t states; /* states visited (exact: hyperperiods simulated); 0 where the method has none */
    void *memory;
} gcast_analysis;

/* `gpu` NULL: the workload's. GCAST_OK also where the method gave up: see complete. Errors are
 * bad input, no memory, or an internal check. */
GCAST_API gcast_status gcast_workload_analyze(const gcast_workload *w, const gcast_gpu *gpu, gcast_method method,
                                              const gcast_analyze_options *options, gcast_analysis **out,
                                              gcast_error *err);
GCAST_API void gcast_analysis_free(gcast_analysis *a);

/* "exact", as in GCAST_METHOD_TABLE. */
GCAST_API const char *gcast_method_name(gcast_method method);
/* Does some execution take as long as its worst times say? Those of the other methods are upper bounds only. */
GCAST_API bool gcast_method_attains(gcast_method method);

#define GCAST_DEADLINE_TABLE(X)                                                                                        \
    X(NONE, "-") /* it has no deadline, or is never called */                                                          \
    X(MET, "met")                                                                                                      \
    X(MISSED, "missed")  /* in some execution */                                                                       \
    X(OPEN, "not shown") /* no method shows that it is met */

typedef enum {
#define X(id, name) GCAST_DEADLINE_##id,
    GCAST_DEADLINE_TABLE(X)
#undef X
        GCAST_DEADLINES
} gcast_deadline_verdict;

GCAST_API const char *gcast_deadline_verdict_name(gcast_deadline_verdict verdict);

/* The analyses of a workload by one method or several, compared with its deadlines. All bounds hold, so that the
 * tightest of each op holds, too. */
typedef struct gcast_answer {
    const gcast_workload *workload; /* must outlive the answer */
    const gcast_gpu *gpu;           /* must outlive the answer */
    gcast_analysis *const *analyses;
    size_t analysis_count;
    const gcast_response *responses; /* as in an analysis, with the tightest bounds of all */
    size_t response_count;
    bool complete; /* some analysis is complete */
    bool attained; /* some complete analysis is of a method that attains its worst times */
    void *memory;
} gcast_answer;

/* Takes over the analyses, at least one, also on failure. */
GCAST_API gcast_status gcast_answer_create(const gcast_workload *w, const gcast_gpu *gpu,
                                           gcast_analysis *const *analyses, size_t count, gcast_answer **answer,
                                           gcast_error *err);
GCAST_API void gcast_answer_free(gcast_answer *answer);

/* Of a response of the answer, or of one of its analyses. */
GCAST_API gcast_deadline_verdict gcast_answer_verdict(const gcast_answer *answer, const gcast_response *response);
/* The deadline minus the end in the worst case, both from the release of the job; below 0: it is missed. Only where
 * worst_ns is known. */
GCAST_API int64_t gcast_answer_slack_ns(const gcast_answer *answer, const gcast_response *response);

/* A table, or gridcast.analysis/1 as GCAST_FORMAT_JSON. `options` may be NULL; of these only color counts. */
GCAST_API gcast_status gcast_answer_report(const gcast_answer *answer, gcast_format format,
                                           const gcast_report_options *options, gcast_write_fn write, void *data,
                                           gcast_error *err);

GCAST_END_DECLS

#endif
