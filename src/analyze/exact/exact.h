/* What the files of the method EXACT share. */
#ifndef ANALYZE_EXACT_EXACT_H
#define ANALYZE_EXACT_EXACT_H

#include "gridcast/gpu.h"
#include "gridcast/run.h"
#include "gridcast/workload.h"

/* Do the tasks ask for more of something, in the long run, than there is? Then says of
 * what, and responses grow without bound. What is not found here may still be too much. */
bool exact_overload(const gcast_workload *w, const gcast_gpu *gpu, char *what, size_t size);

/* The first two of the times first, first + hyperperiod, ... up to the run's horizon at
 * which its state is the same; *again is -1 where there are none, or go_on was false. False
 * without memory. */
bool exact_repetition(const gcast_run *run, int64_t first, int64_t hyperperiod, bool (*go_on)(void *, double),
                      void *data, int64_t *before, int64_t *again);

#endif
