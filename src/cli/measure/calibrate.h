/* gridcast measure --calibrate: measures the GPU, prints a table and writes a GPU file. */
#ifndef CLI_MEASURE_CALIBRATE_H
#define CLI_MEASURE_CALIBRATE_H

#include "cli/args.h"
#include "gridcast/gpu.h"

/* Finds the preset whose title is the driver's name of a GPU; *gpu is NULL if there is none. Errors are printed, here
 * and below. */
gcast_status preset_of_title(const char *title, gcast_gpu **gpu);

/* Measures, prints and writes; `repeat` is as in gcast_calibration_measure. */
gcast_status calibrate_command(const args *a, const gcast_measure_options *options, size_t repeat);

#endif
