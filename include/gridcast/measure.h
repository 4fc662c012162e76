/* Running a workload on this machine's GPU: every block is recorded. Needs NVIDIA's
 * driver (opened when asked for, never linked) and compute capability 7.0. */
#ifndef GRIDCAST_MEASURE_H
#define GRIDCAST_MEASURE_H

#include <stddef.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/run.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

typedef struct gcast_measure_options {
    size_t size;         /* of the struct, as the caller was compiled */
    const char *library; /* the driver: a path, or a name the loader finds */
    int64_t horizon_ns;  /* tasks are released before this; 0: largest offset + hyperperiod */
    int64_t limit_ns;    /* maximum time of a run; 0: ten times all blocks one after another, plus ten seconds */
    int connections;     /* CUDA_DEVICE_MAX_CONNECTIONS as it was before the driver was opened; goes into the runs */
    bool (*progress)(
        void *data,
        double fraction); /* called between timed parts, with the fraction of all runs; may be NULL; false stops */
    void *progress_data;
    const char *cudadevrt; /* path of libcudadevrt.a, for a calibration; NULL: the usual places */
    int64_t latency_ns;    /* time for latencies of calls, for a calibration, which may take half of it more; 0: none */
} gcast_measure_options;

static inline gcast_measure_options gcast_measure_options_default(void)
{
    gcast_measure_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.library = "libcuda.so.1";
    options.latency_ns = INT64_C(60000000000);
    return options;
}

/* Run it `count` times; runs[0] to runs[count-1] are the caller's and refer to
 * `workload`; where it fails there are none. Durations that are ranges are taken at their maximum. GCAST_GPU
 * where there is no usable GPU, or the driver reports an error. */
GCAST_API gcast_status gcast_workload_measure(const gcast_workload *workload, const gcast_measure_options *options,
                                              gcast_run **runs, size_t count, gcast_error *err);

GCAST_END_DECLS

#endif
