/* Plans that other files contain or name, as gridcast.plan/1. */
#ifndef FILES_PLAN_JSON_H
#define FILES_PLAN_JSON_H

#include "files/json/object.h"
#include "gridcast/plan.h"

/* The plan that an object is; `grid` is what it must be for, NULL: any grid. NULL after an error, which the document
 * keeps. The caller frees it. */
gcast_plan *plan_from_node(const node *n, const uint32_t grid[3]);
/* gcast_plan_load of a plan for a grid. */
gcast_status plan_load_for(const char *path, const uint32_t grid[3], gcast_plan **out, gcast_error *err);

#endif
