/* The method BOUND: an upper bound on response times for all durations, orders and jitter. docs/bound.md proves it; the
 * lemmas named in this folder are there. */
#ifndef ANALYZE_BOUND_BOUND_H
#define ANALYZE_BOUND_BOUND_H

#include "analyze/analysis.h"

/* `gpu` has been checked and reduced to the workload's partition. */
gcast_status analyze_bound(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err);

#endif
