/* A launch beside its transformed forms, each alone on the GPU. */
#ifndef CLI_MEASURE_LAUNCHES_ALONE_H
#define CLI_MEASURE_LAUNCHES_ALONE_H

#include "cli/measure/launches/launches.h"

/* Measures the only launch, and prints the result. Errors are printed. */
gcast_status launch_alone(const launches *l);

#endif
