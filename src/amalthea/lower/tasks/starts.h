/* What starts tasks: stimuli, and tasks that trigger others. */
#ifndef AMALTHEA_LOWER_TASKS_STARTS_H
#define AMALTHEA_LOWER_TASKS_STARTS_H

#include "amalthea/lower/state.h"

/* Chooses the stimulus of each task, finds who triggers it, and gives a number in the system to those that are ever
 * started. */
gcast_status starts_find(lowering *l);

#endif
