/* gridcast measure --calibrate: measures the GPU, prints a table and writes a GPU file. */
#ifndef CLI_MEASURE_CALIBRATE_H
#define CLI_MEASURE_CALIBRATE_H

#include "cli/args.h"

gcast_status calibrate_command(const args *a, const gcast_measure_options *options, size_t repeat);

#endif
