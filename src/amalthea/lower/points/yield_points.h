/* Where tasks that are not preemptive give way to others: a cooperative one before and behind each call, both at each
 * SchedulePoint. Steps are blocked for as a whole, so that what is between points must be looked at. */
#ifndef AMALTHEA_LOWER_POINTS_YIELD_POINTS_H
#define AMALTHEA_LOWER_POINTS_YIELD_POINTS_H

#include "amalthea/lower/state.h"

/* Marks the steps in which, or right behind which, a task may give way although they count as one section (yields),
 * and finds what is to be told of the task. */
gcast_status yield_points_find(lowering *l, const am_task *task, raw_step *steps, size_t count, yield_doubts *doubts);
/* Tells it of all tasks that share a core. */
gcast_status yield_points_tell(lowering *l);

#endif
