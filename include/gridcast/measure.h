/* The same workload on this machine's GPU: every block recorded. Needs NVIDIA's
 * driver (opened when asked for, never linked) and compute capability 7.0. */
#ifndef GRIDCAST_MEASURE_H
#define GRIDCAST_MEASURE_H

#include "gridcast/error.h"
#include "gridcast/run.h"
#include "gridcast/workload.h"

typedef struct gcast_measure_options {
    const char *library; /* the driver: a path, or a name the loader finds */
    int64_t horizon_ns;  /* tasks are released before this; 0: largest offset + hyperperiod */
    int64_t limit_ns;    /* what a run may take; 0: ten times all blocks one after another, and ten seconds */
    int connections;     /* what CUDA_DEVICE_MAX_CONNECTIONS was before the driver was opened, for the record */
    bool (*progress)(void *data,
                     double fraction); /* of all runs, told where nothing is timed; may be NULL; false stops */
    void *progress_data;
} gcast_measure_options;

gcast_measure_options gcast_measure_options_default(void);

/* Run it `count` times; runs[0] to runs[count-1] are the caller's and refer to
 * `workload`; where it fails there are none. Durations that are ranges are taken at their maximum. GCAST_GPU
 * where there is no usable GPU, or the driver reports an error. */
gcast_status gcast_workload_measure(const gcast_workload *workload, const gcast_measure_options *options,
                                    gcast_run **runs, size_t count, gcast_error *err);

#endif
