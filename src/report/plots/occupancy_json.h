/* The members of gridcast.occupancy/1, which the command and the curve write. */
#ifndef REPORT_PLOTS_OCCUPANCY_JSON_H
#define REPORT_PLOTS_OCCUPANCY_JSON_H

#include "base/text/text.h"
#include "gridcast/occupancy.h"

/* The names of the resources in a set, with a separator between them. */
void occupancy_names(text *t, unsigned set, const char *separator);
/* Resident warps of those that the SM can hold, in thousandths. */
int64_t occupancy_thousandths(const gcast_occupancy *o);
/* Idle lanes of those that a block takes, in thousandths. */
int64_t occupancy_idle_thousandths(const gcast_block_shape *shape, const gcast_occupancy *o);
/* "block": 256, "blocks_per_sm": ... up to "reason", without braces. */
void occupancy_json(text *t, const gcast_block_shape *shape, const gcast_occupancy *o);

#endif
