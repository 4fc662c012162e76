/* The workloads of a calibration: each shows one thing, and goes through a session
 * like any other. What their runs say is read by learn.h. */
#ifndef MEASURE_CALIBRATE_PROBES_H
#define MEASURE_CALIBRATE_PROBES_H

#include "gridcast/workload.h"
#include "measure/calibrate/learn.h"

typedef struct probe {
    const char *name;
    /* `gpu` is NULL for the first probe, which must do without. */
    gcast_status (*build)(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
    gcast_status (*learn)(lessons *l, const gcast_run *run, gcast_error *err);
} probe;

extern const probe probes[];
extern const size_t probe_count;

gcast_status probe_workload(const probe *p, int sms, const gcast_gpu *gpu, gcast_workload **w, gcast_error *err);

#endif
