/* What the copies of a calibration show: bandwidth and overhead from copies alone, then what other copies change. */
#ifndef MEASURE_CALIBRATE_LEARN_COPIES_H
#define MEASURE_CALIBRATE_LEARN_COPIES_H

#include "gridcast/run.h"
#include "measure/calibrate/observations.h"

/* The label of a copy says what it is for: it starts with "alone", "row", "same", "opposite", "beside" or "pause". */
gcast_status learn_copies(observations *o, const gcast_run *run, gcast_error *err);

#endif
