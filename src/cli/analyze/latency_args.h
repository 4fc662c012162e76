/* How long calls take to reach the GPU, as `analyze` is told. */
#ifndef CLI_ANALYZE_LATENCY_ARGS_H
#define CLI_ANALYZE_LATENCY_ARGS_H

#include "cli/args.h"
#include "gridcast/analyze.h"

#define LATENCY_OPTIONS                                                                                                \
    {"launch-latency", 0, "TIME", "a call reaches the GPU within TIME, or MIN..MAX"},                                  \
    {                                                                                                                  \
        "quantile", 0, "N", "one call in N may be slower than measured"                                                \
    }

/* Reads --launch-latency and --quantile. */
gcast_status latency_from_args(const args *a, gcast_analyze_options *o);

#endif
