/* What the user says about tasks, beside the model. */
#ifndef AMALTHEA_LOWER_MAPPING_GIVEN_TASKS_H
#define AMALTHEA_LOWER_MAPPING_GIVEN_TASKS_H

#include "amalthea/lower/state.h"

/* Of this task of the model; NULL: nothing. */
const sys_given_task *given_task(const lowering *l, size_t task);
/* The processing unit of this name, or the only GPU where it is "gpu"; -1: there is none. */
int given_unit(const am_model *m, const char *name);
/* Names in what was given that are not in the model are errors: they are mistyped. */
gcast_status given_check(lowering *l);

#endif
