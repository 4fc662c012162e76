/* Checks whether a workload can be run on a real GPU. */
#ifndef MEASURE_SESSION_MEASURABLE_H
#define MEASURE_SESSION_MEASURABLE_H

#include "gridcast/workload.h"

/* Can it be measured at all? Checked before the driver is opened. */
gcast_status measurable_check(const gcast_workload *w, gcast_error *err);
/* Does this GPU support the attributes of the kernels? */
gcast_status measurable_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* Can the kernel be launched on this GPU? The message is the simulator's: the driver would only say "invalid value". */
gcast_status measurable_check_fits(const gcast_op *op, const gcast_gpu *gpu, gcast_error *err);

#endif
