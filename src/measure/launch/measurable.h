/* Can a workload be run on a real GPU? */
#ifndef MEASURE_LAUNCH_MEASURABLE_H
#define MEASURE_LAUNCH_MEASURABLE_H

#include "gridcast/workload.h"

/* Asked before the driver is opened. */
gcast_status measurable_check(const gcast_workload *w, gcast_error *err);
/* Has this GPU what the attributes of kernels need? */
gcast_status measurable_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* Can the kernel be launched there: with the message of the simulator, as the driver would only say "invalid value"? */
gcast_status measurable_check_fits(const gcast_op *op, const gcast_gpu *gpu, gcast_error *err);

#endif
