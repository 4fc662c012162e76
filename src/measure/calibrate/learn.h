/* From the runs of the workloads of a calibration (probes.h) to observations. A run may be measured, recorded or
 * simulated. */
#ifndef MEASURE_CALIBRATE_LEARN_H
#define MEASURE_CALIBRATE_LEARN_H

#include "gridcast/run.h"
#include "measure/calibrate/observations.h"

gcast_status learn_latency(observations *o, const gcast_run *run, gcast_error *err);
gcast_status learn_gap(observations *o, const gcast_run *run, gcast_error *err);
gcast_status learn_handover(observations *o, const gcast_run *run, gcast_error *err);
gcast_status learn_waves(observations *o, const gcast_run *run, gcast_error *err);
gcast_status learn_reach(observations *o, const gcast_run *run, gcast_error *err);
gcast_status learn_order(observations *o, const gcast_run *run, gcast_error *err);

#endif
