/* Deadlines of tasks, from requirements on response times. */
#ifndef AMALTHEA_LOWER_LIMITS_TASK_DEADLINES_H
#define AMALTHEA_LOWER_LIMITS_TASK_DEADLINES_H

#include "amalthea/lower/state.h"

gcast_status task_deadlines_find(lowering *l);
/* Is it an upper limit on the response time of a task that takes part? */
bool deadline_of_task(const lowering *l, const am_limit *limit);

#endif
