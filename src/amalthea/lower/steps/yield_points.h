/* Finds where tasks that are not preemptive yield: a cooperative one before and behind each call, any at a
 * SchedulePoint. Other tasks are blocked for whole steps, so points inside of steps need findings. */
#ifndef AMALTHEA_LOWER_STEPS_YIELD_POINTS_H
#define AMALTHEA_LOWER_STEPS_YIELD_POINTS_H

#include "amalthea/lower/lowering.h"

/* Marks the steps in which, or right behind which, a task may yield although they count as one section (`yields`), and
 * finds the steps that need findings. */
gcast_status yield_points_find(lowering *l, const am_task *task, raw_step *steps, size_t count, yield_doubts *doubts);
/* Adds the findings for all tasks that share a core. */
gcast_status yield_points_tell(lowering *l);

#endif
