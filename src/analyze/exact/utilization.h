/* Compares the work of a hyperperiod with the capacity of the GPU. */
#ifndef ANALYZE_EXACT_UTILIZATION_H
#define ANALYZE_EXACT_UTILIZATION_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Do the tasks need more of some resource than there is, in the long run? Then responses grow without bound, and `why`
 * names the resource. The test is necessary only: the tasks may still be too much. `longest`: durations are the longest
 * of their ranges, not the shortest. */
bool exact_overload(const gcast_workload *w, const gcast_gpu *gpu, bool longest, char *why, size_t size);

#endif
