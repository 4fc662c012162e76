/* The members of gridcast.occupancy/1, for the command and for the curve. */
#ifndef REPORT_PLOTS_OCCUPANCY_JSON_H
#define REPORT_PLOTS_OCCUPANCY_JSON_H

#include "base/text/text.h"
#include "gridcast/occupancy.h"

/* Names of the resources in a set, with `between` between them. */
void occupancy_names(text *t, unsigned set, const char *between);
/* Resident warps over what the SM could hold, in thousandths. */
int64_t occupancy_thousandths(const gcast_occupancy *o);
/* Idle lanes over those that a block takes. */
int64_t occupancy_idle_thousandths(const gcast_block_shape *shape, const gcast_occupancy *o);
/* "block": 256, "blocks_per_sm": ... up to "reason", without braces. */
void occupancy_json(text *t, const gcast_block_shape *shape, const gcast_occupancy *o);

#endif
