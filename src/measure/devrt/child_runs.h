/* Measures kernels that launch kernels, on the whole GPU, and learns from their records. This part of a calibration
 * needs a GPU of compute capability 9.0, whose device runtime is CDP2, and libcudadevrt.a. */
#ifndef MEASURE_DEVRT_CHILD_RUNS_H
#define MEASURE_DEVRT_CHILD_RUNS_H

#include "gridcast/measure.h"
#include "measure/calibrate/observations.h"
#include "measure/devrt/child_kernels.h"

#define CHILD_REASON_BYTES 512

/* Adds to the readings CHILD_*. Where nothing can be measured they stay empty, and `reason`, of CHILD_REASON_BYTES,
 * says why; it is "" otherwise. An error only without memory, or where the caller stops it. */
gcast_status child_runs_measure(observations *o, const gcast_measure_options *options, char *reason, gcast_error *err);

/* Observations are learned from records of launches by kernels. Records that cannot be right, such as a round in which
 * a child did not run, add no sample. */

/* In a round, warps of 1, 2, 4, ... 32 lanes launch, one after another. Fits two lines over the number of lanes: the
 * time until the warp's first child starts, and until its calls have returned. */
gcast_status learn_child_latency(observations *o, const launch_record *round, gcast_error *err);
/* In a burst, many warps launch at one time. Adds the mean time between the starts of two children. */
gcast_status learn_child_service(observations *o, const launch_record *burst, size_t count, gcast_error *err);
/* Calls of one thread have children that do not end; the last calls are refused. */
gcast_status learn_child_pool(observations *o, const launch_record *calls, size_t count, gcast_error *err);
/* Children have streams of their own, and the first does not end before the release: those in its hardware queue wait
 * for it. */
gcast_status learn_child_queues(observations *o, const launch_record *calls, size_t count, int64_t release_ns,
                                gcast_error *err);

#endif
