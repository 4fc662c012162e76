/* gridcast measure --cost: measures the figures of the cost model. */
#ifndef CLI_MEASURE_COST_H
#define CLI_MEASURE_COST_H

#include "cli/args.h"

/* Prints one figure per line. `library` is the driver; NULL: the default. */
gcast_status measure_cost(const args *a, const char *library);

#endif
