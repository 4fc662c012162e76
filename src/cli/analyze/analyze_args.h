/* Options of `analyze` for the analysis itself: methods, limits, latencies of calls, and --period, which gives kernels
 * that run once the period T that method thesis needs. */
#ifndef CLI_ANALYZE_ANALYZE_ARGS_H
#define CLI_ANALYZE_ANALYZE_ARGS_H

#include "cli/args.h"
#include "gridcast/analyze.h"
#include "gridcast/workload.h"

#define PERIOD_OPTION                                                                                                  \
    {                                                                                                                  \
        "period", 0, "[LABEL=]TIME", "method thesis: period T of kernels; may repeat"                                  \
    }

#define LATENCY_OPTIONS                                                                                                \
    {"launch-latency", 0, "TIME", "a call reaches the GPU within TIME, or MIN..MAX"},                                  \
    {                                                                                                                  \
        "quantile", 0, "N", "take the latency that one call in N exceeds"                                              \
    }

/* Sets *periods to an array with a period for each op, as gcast_analyze_options has it: the known ones and those of
 * --period; NULL if there are none. `known` may be NULL. Free it with free(). Errors are printed, here and below. */
gcast_status periods_from_args(const args *a, const gcast_workload *w, const int64_t *known, int64_t **periods);
/* --method: the methods, in the order in which they are tried. */
gcast_status methods_from_args(const args *a, const gcast_method **methods, size_t *count);
/* --any-order, --horizon, --limit, --launch-latency and --quantile. */
gcast_status analyze_options_from_args(const args *a, gcast_analyze_options *o);

#endif
