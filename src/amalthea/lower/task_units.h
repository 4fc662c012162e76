/* Finds the processing units where the model, or the user, puts tasks; and what the user says about tasks and kernels.
 */
#ifndef AMALTHEA_LOWER_TASK_UNITS_H
#define AMALTHEA_LOWER_TASK_UNITS_H

#include "amalthea/lower/lowering.h"

/* Fills in units and allocation of every task that is not left out, with findings on contradictions. */
gcast_status task_units_find(lowering *l);
/* The scheduler of a task, or NULL. */
const am_scheduler *task_scheduler(const lowering *l, const lowered_task *t);

/* What is given about a task of the model, and about a kernel; NULL: nothing. */
const sys_given_task *given_task(const lowering *l, size_t task);
const sys_given_kernel *given_kernel(const lowering *l, const char *name);
/* Checks that all names that are given are in the model. */
gcast_status given_check(lowering *l);

#endif
