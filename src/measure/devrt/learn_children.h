/* From the records of launches by kernels to observations. Records may be measured or made up. What cannot be right,
 * such as a round in which a child did not run, adds no sample. */
#ifndef MEASURE_DEVRT_LEARN_CHILDREN_H
#define MEASURE_DEVRT_LEARN_CHILDREN_H

#include "measure/calibrate/observations.h"
#include "measure/devrt/child_kernels.h"

/* A round: warps of 1, 2, 4, ... 32 lanes that launch, one after another. Over the number of lanes two lines are
 * fitted: until the warp's first child starts, and until its calls have returned. */
gcast_status learn_child_latency(observations *o, const launch_record *round, gcast_error *err);
/* A burst: many warps launch at one time. The mean time between the starts of two children. */
gcast_status learn_child_service(observations *o, const launch_record *burst, size_t count, gcast_error *err);
/* Calls of one thread whose children do not end, the last of them refused. */
gcast_status learn_child_pool(observations *o, const launch_record *calls, size_t count, gcast_error *err);
/* Children with streams of their own, of which the first one did not end before the release: which ones waited for
 * it? */
gcast_status learn_child_queues(observations *o, const launch_record *calls, size_t count, int64_t release_ns,
                                gcast_error *err);

#endif
