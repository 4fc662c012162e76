/* When tasks are released: stimuli as periods, offsets and jitter. */
#ifndef AMALTHEA_LOWER_TASKS_ARRIVALS_H
#define AMALTHEA_LOWER_TASKS_ARRIVALS_H

#include "amalthea/lower/state.h"

/* Fills in arrival, period, offset and jitter of a task that is not triggered. */
gcast_status arrival_of(lowering *l, size_t task, sys_task *t);

#endif
