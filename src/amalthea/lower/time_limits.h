/* Makes deadlines of tasks of requirements on response times; and limits of other requirements: on responses from
 * below, on runnables and on delays. */
#ifndef AMALTHEA_LOWER_TIME_LIMITS_H
#define AMALTHEA_LOWER_TIME_LIMITS_H

#include "amalthea/lower/lowering.h"

/* Sets deadlines, and adds findings on requirements that are not checked. */
gcast_status task_deadlines_find(lowering *l);
/* Is it an upper limit on the response time of a task that is not left out? */
bool deadline_of_task(const lowering *l, const am_limit *limit);
/* Fills limits[] of the system; event_tasks_start must have been called. */
gcast_status time_limits_make(lowering *l);

#endif
