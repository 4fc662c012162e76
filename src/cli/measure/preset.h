/* The preset of a GPU by the name that the driver has for it. */
#ifndef CLI_MEASURE_PRESET_H
#define CLI_MEASURE_PRESET_H

#include "gridcast/gpu.h"

/* Finds the preset with this title; *gpu is NULL where there is none. Errors are printed. */
gcast_status preset_of_title(const char *title, gcast_gpu **gpu);

#endif
