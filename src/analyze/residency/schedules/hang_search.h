/* A schedule that hangs, found by simulation. */
#ifndef ANALYZE_RESIDENCY_SCHEDULES_HANG_SEARCH_H
#define ANALYZE_RESIDENCY_SCHEDULES_HANG_SEARCH_H

#include "analyze/residency/residency.h"

/* Simulates the workload as it is, with one of the kernels of each risk called later, and, where it is small, with
 * calls at times that are drawn. *witness: the first of these that hangs, for the caller to free; NULL: none does. */
gcast_status hang_search(const gcast_workload *w, const gcast_gpu *gpu, const residency *r, gcast_workload **witness,
                         gcast_error *err);

#endif
