/* Which methods `analyze` asks, and how far they go. */
#ifndef CLI_ANALYZE_METHOD_ARGS_H
#define CLI_ANALYZE_METHOD_ARGS_H

#include "cli/args.h"
#include "gridcast/analyze.h"

/* --method: a list of methods in the order in which they are asked. Errors are printed, here and below. */
gcast_status methods_from_args(const args *a, const gcast_method **methods, size_t *count);
/* --any-order, --horizon, --limit, --launch-latency and --quantile. */
gcast_status analyze_options_from_args(const args *a, gcast_analyze_options *o);

#endif
