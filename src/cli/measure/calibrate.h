/* gridcast measure --calibrate: a table of what was measured, and a GPU file. */
#ifndef CLI_MEASURE_CALIBRATE_H
#define CLI_MEASURE_CALIBRATE_H

#include "cli/command.h"

gcast_status calibrate_command(const args *a, const gcast_measure_options *options, size_t repeat);

#endif
