/* The members of gridcast.occupancy/1, which the command and the curve write. */
#ifndef REPORT_PLOTS_OCCUPANCY_REPORT_H
#define REPORT_PLOTS_OCCUPANCY_REPORT_H

#include "base/fields.h"
#include "gridcast/occupancy.h"
#include "gridcast/report.h"

/* The names of the resources in a set, with a separator between them. */
void occupancy_names(text *t, unsigned set, const char *separator);
/* Resident warps, in thousandths of the warps that the SM can hold. */
int64_t occupancy_thousandths(const gcast_occupancy *o);
/* Idle lanes, in thousandths of the lanes that a block takes. */
int64_t occupancy_idle_thousandths(const gcast_block_shape *shape, const gcast_occupancy *o);
/* Writes the fields that a launch and a point of a curve have. */
extern const field occupancy_fields[];
void occupancy_json(json_out *j, const gcast_block_shape *shape, const gcast_occupancy *o);

/* Blocks per SM over block size for one kernel shape on a GPU. Formats: TABLE, CSV, JSON, SVG, PNG, PDF. */
gcast_status gcast_occupancy_report_curve(const gcast_limits *limits, const char *gpu_title,
                                          const gcast_block_shape *shape, int carveout, gcast_format format,
                                          gcast_write_fn write, void *data, gcast_error *err);

#endif
