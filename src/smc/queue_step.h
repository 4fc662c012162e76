/* Queues whose jobs are at equal steps, as most are: such a job can be told without a look into the plan. */
#ifndef SMC_QUEUE_STEP_H
#define SMC_QUEUE_STEP_H

#include "gridcast/plan.h"

/* The step from each job of a queue to the next, with segments within each of them; 0: they are not at equal steps, or
 * descend. */
uint32_t smc_queue_step(const gcast_plan *plan, uint32_t queue);

#endif
