/* Plans (gridcast.plan/1) that other files contain or name. */
#ifndef FILES_PLAN_FILE_H
#define FILES_PLAN_FILE_H

#include "base/text.h"
#include "files/document.h"
#include "gridcast/plan.h"

/* Reads a plan from an object. It must be for this grid; NULL: any grid. NULL after an error, which the document keeps.
 * The caller frees it. */
gcast_plan *plan_from_node(const node *n, const uint32_t grid[3]);
/* gcast_plan_load for a plan that must be for this grid; NULL: any grid. */
gcast_status plan_load_for(const char *path, const uint32_t grid[3], gcast_plan **out, gcast_error *err);
/* Writes a plan on one line. */
void plan_write_inline(text *t, const gcast_plan *plan);

#endif
