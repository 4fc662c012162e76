/* Where the model, or the user, puts tasks: processing units. */
#ifndef AMALTHEA_LOWER_MAPPING_TASK_UNITS_H
#define AMALTHEA_LOWER_MAPPING_TASK_UNITS_H

#include "amalthea/lower/state.h"

/* Fills in units and allocation of every task that takes part, and tells what contradicts itself. */
gcast_status task_units_find(lowering *l);
/* The scheduler of a task, or NULL. */
const am_scheduler *task_scheduler(const lowering *l, const lowered_task *t);

#endif
