/* The workloads of a calibration. Each shows one thing, is measured as any other workload, and learns from its runs. */
#ifndef MEASURE_CALIBRATE_PROBES_H
#define MEASURE_CALIBRATE_PROBES_H

#include "gridcast/workload.h"
#include "measure/calibrate/observations.h"

typedef struct probe {
    const char *name; /* of the workload */
    /* Adds the ops. `gpu` is NULL for the first probe, which must not need it. */
    gcast_status (*build)(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
    /* Adds what a run shows to the observations. */
    gcast_status (*learn)(observations *l, const gcast_run *run, gcast_error *err);
} probe;

extern const probe probes[];
extern const size_t probe_count;

/* `sms` 0: all SMs. */
gcast_status probe_workload(const probe *p, int sms, const gcast_gpu *gpu, gcast_workload **w, gcast_error *err);

#endif
