/* The preset of a GPU that the driver names. */
#ifndef CLI_MEASURE_PRESET_H
#define CLI_MEASURE_PRESET_H

#include "cli/command.h"

/* The preset with this title; *gpu is NULL where there is none. Errors are said. */
gcast_status preset_of_title(const char *title, gcast_gpu **gpu);

#endif
