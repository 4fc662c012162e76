/* gridcast measure --launch FILE --curve: how few workers per SM still hide latency, measured and predicted. */
#ifndef CLI_MEASURE_WORKERS_CURVE_H
#define CLI_MEASURE_WORKERS_CURVE_H

#include "cli/measure/launches.h"

/* Do the options go together, and can all files be written? Asked before the GPU is opened. Errors are printed, here
 * and below. */
gcast_status workers_curve_check(const args *a);
/* Measures the only launch with every number of workers per SM, writes the files, and prints the result. */
gcast_status workers_curve(const launches *l);

#endif
