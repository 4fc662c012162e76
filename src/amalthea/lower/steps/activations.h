/* Finds what starts each task: a stimulus from outside, or a task that triggers it; and how stimuli become periods,
 * offsets and jitter. Lists by stimulus and by event keep the work small in large models. */
#ifndef AMALTHEA_LOWER_STEPS_ACTIVATIONS_H
#define AMALTHEA_LOWER_STEPS_ACTIVATIONS_H

#include "amalthea/lower/lowering.h"

#define LINK_END (-1)

/* Chooses the stimulus of each task, finds the step that triggers it, and numbers the tasks that are ever started. */
gcast_status starts_find(lowering *l);
/* Fills in arrival, period, offset and jitter of a task that is not triggered. */
gcast_status arrival_of(lowering *l, size_t task, sys_task *t);

#endif
