/* The tasks of the system: their steps, and what they take on each kind of core. */
#ifndef AMALTHEA_LOWER_TASKS_TASK_STEPS_H
#define AMALTHEA_LOWER_TASKS_TASK_STEPS_H

#include "amalthea/lower/state.h"

/* Makes all tasks of the system, but for deadlines. */
gcast_status task_steps_make(lowering *l);
/* Does it wait for others, and holds its core meanwhile? */
bool task_waits(const lowered_task *t, bool *active, bool *passive);

#endif
