/* Predictions of recorded runs: simulations whose calls are made when those of the run were. */
#ifndef VERIFY_PREDICTION_H
#define VERIFY_PREDICTION_H

#include "gridcast/run.h"
#include "gridcast/simulate.h"

/* Options with the calls of a recorded run as releases: *calls, which the caller frees. */
gcast_status prediction_options(const gcast_run *run, gcast_simulate_options *options, int64_t **calls,
                                gcast_error *err);

#endif
