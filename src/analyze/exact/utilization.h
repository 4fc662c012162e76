/* Work per hyperperiod against the capacity there is in one. */
#ifndef ANALYZE_EXACT_UTILIZATION_H
#define ANALYZE_EXACT_UTILIZATION_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Do the tasks ask in the long run for more of something than there is? Then responses grow without bound, and `why`
 * says of what. Where this answers no, it may still be too much. `longest`: every block and copy takes as long as its
 * range says, and not as short. */
bool exact_overload(const gcast_workload *w, const gcast_gpu *gpu, bool longest, char *why, size_t size);

#endif
