/* gridcast measure --launch: kernels of launch files, as they are and SM-centric. */
#ifndef CLI_MEASURE_MEASURE_LAUNCHES_H
#define CLI_MEASURE_MEASURE_LAUNCHES_H

#include "cli/args.h"

/* `library` NULL: the driver's usual name. Errors are printed. */
gcast_status measure_launches(const args *a, const char *library);

#endif
