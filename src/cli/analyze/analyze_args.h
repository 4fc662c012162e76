/* Options of `analyze` for the analysis itself: methods, limits, and latencies of calls. */
#ifndef CLI_ANALYZE_ANALYZE_ARGS_H
#define CLI_ANALYZE_ANALYZE_ARGS_H

#include "cli/args.h"
#include "gridcast/analyze.h"
#include "gridcast/workload.h"

#define LATENCY_OPTIONS                                                                                                \
    {"launch-latency", 0, "TIME", "a call reaches the GPU within TIME, or MIN..MAX"},                                  \
    {                                                                                                                  \
        "quantile", 0, "N", "take the latency that one call in N exceeds"                                              \
    }

/* --method: the methods, in the order in which they are tried. Errors are printed, here and below. */
gcast_status methods_from_args(const args *a, const gcast_method **methods, size_t *count);
/* --any-order, --horizon, --limit, --launch-latency and --quantile. */
gcast_status analyze_options_from_args(const args *a, gcast_analyze_options *o);

#endif
