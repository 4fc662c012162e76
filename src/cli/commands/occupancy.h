/* The fields that gridcast occupancy prints as JSON. */
#ifndef CLI_COMMANDS_OCCUPANCY_H
#define CLI_COMMANDS_OCCUPANCY_H

#include "base/fields.h"

extern const record occupancy_schema[];

#endif
