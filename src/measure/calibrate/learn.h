/* From the runs of a calibration's workloads (probes.h) to samples. Pure: a run may
 * be measured, recorded earlier or simulated. */
#ifndef MEASURE_CALIBRATE_LEARN_H
#define MEASURE_CALIBRATE_LEARN_H

#include "gridcast/calibrate.h"
#include "gridcast/run.h"
#include "measure/calibrate/reach.h"
#include "measure/calibrate/samples.h"

typedef struct lessons {
    samples seen[GCAST_READINGS];
    VEC(int) orders; /* SMs by block index, one launch after the other */
    reach_sums reach;
} lessons;

void lessons_free(lessons *l);

gcast_status learn_latency(lessons *l, const gcast_run *run, gcast_error *err);
gcast_status learn_gap(lessons *l, const gcast_run *run, gcast_error *err);
gcast_status learn_handover(lessons *l, const gcast_run *run, gcast_error *err);
gcast_status learn_waves(lessons *l, const gcast_run *run, gcast_error *err);
gcast_status learn_reach(lessons *l, const gcast_run *run, gcast_error *err);
gcast_status learn_order(lessons *l, const gcast_run *run, gcast_error *err);
/* Copies: those whose label starts with "alone", "row", "opposite" and "same". */
gcast_status learn_copies(lessons *l, const gcast_run *run, gcast_error *err);

#endif
