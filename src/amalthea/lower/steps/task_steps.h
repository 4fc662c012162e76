/* Makes the tasks of the system: their steps, and the times of these on each kind of core. */
#ifndef AMALTHEA_LOWER_STEPS_TASK_STEPS_H
#define AMALTHEA_LOWER_STEPS_TASK_STEPS_H

#include "amalthea/lower/lowering.h"

/* Makes all tasks of the system, without deadlines. */
gcast_status task_steps_make(lowering *l);
/* Does the task wait for others? *active, *passive: with some waits it holds its core, with some it does not. */
bool task_waits(const lowered_task *t, bool *active, bool *passive);

#endif
