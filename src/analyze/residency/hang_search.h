/* A schedule that hangs, found by simulation. */
#ifndef ANALYZE_RESIDENCY_HANG_SEARCH_H
#define ANALYZE_RESIDENCY_HANG_SEARCH_H

#include "analyze/residency/residency.h"

/* Simulates the workload as it is, and with one of the kernels of each risk called later. *witness: the first of these
 * that hangs, for the caller to free; NULL: none does, or durations are not known. */
gcast_status hang_search(const gcast_workload *w, const gcast_gpu *gpu, const residency *r, gcast_workload **witness,
                         gcast_error *err);

#endif
