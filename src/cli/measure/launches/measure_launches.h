/* gridcast measure --launch: kernels of launch files, as they are and SM-centric. */
#ifndef CLI_MEASURE_LAUNCHES_MEASURE_LAUNCHES_H
#define CLI_MEASURE_LAUNCHES_MEASURE_LAUNCHES_H

#include "cli/args.h"

gcast_status measure_launches(const args *a, const char *library);

#endif
