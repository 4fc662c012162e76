#ifndef CLI_MEASURE_COST_H
#define CLI_MEASURE_COST_H

#include "cli/command.h"

gcast_status measure_cost(const args *a, const char *library);

#endif
