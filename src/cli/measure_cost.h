#ifndef CLI_MEASURE_COST_H
#define CLI_MEASURE_COST_H

#include "gridcast/error.h"

gcast_status measure_cost(const char *library);

#endif
