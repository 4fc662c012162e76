/* Creates and copies plans. */
#ifndef MODEL_PLAN_PLAN_H
#define MODEL_PLAN_PLAN_H

#include "gridcast/plan.h"

/* The product of a grid; 0 where a dimension is 0, or the product is above GCAST_PLAN_MAX_JOBS. */
uint32_t plan_job_count(const uint32_t grid[3]);
/* A plan of a valid grid, without workers and with queues that are not filled yet; NULL without memory. */
gcast_plan *plan_new(gcast_mapping mapping, const uint32_t grid[3], uint32_t sms);
/* NULL without memory. */
gcast_plan *plan_copy(const gcast_plan *plan);

#endif
