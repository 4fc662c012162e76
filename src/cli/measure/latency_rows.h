/* Latencies of calls, condition by condition, as a table. */
#ifndef CLI_MEASURE_LATENCY_ROWS_H
#define CLI_MEASURE_LATENCY_ROWS_H

#include "base/text/text.h"
#include "gridcast/calibrate.h"

/* Nothing where no latencies were measured. */
void latency_rows_write(text *t, const gcast_calibration *c);

#endif
