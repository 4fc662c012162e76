/* The method EXACT: simulates the only execution of a workload until it repeats. */
#ifndef ANALYZE_EXACT_EXACT_H
#define ANALYZE_EXACT_EXACT_H

#include "analyze/analysis.h"

/* `gpu` has been checked and reduced to the workload's partition. */
gcast_status analyze_exact(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err);

#endif
