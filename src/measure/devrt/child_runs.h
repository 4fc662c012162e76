/* Kernels that launch kernels, measured on the whole GPU: the last part of a calibration. It needs a GPU of compute
 * capability 9.0, whose device runtime is CDP2, and libcudadevrt.a. */
#ifndef MEASURE_DEVRT_CHILD_RUNS_H
#define MEASURE_DEVRT_CHILD_RUNS_H

#include "gridcast/measure.h"
#include "measure/calibrate/observations.h"

#define CHILD_REASON_BYTES 512

/* Adds to the readings CHILD_*. Where that cannot be, they stay empty, and `reason`, of CHILD_REASON_BYTES, says why;
 * it is "" otherwise. An error only without memory, or where the caller stops it. */
gcast_status child_runs_measure(observations *o, const gcast_measure_options *options, char *reason, gcast_error *err);

#endif
