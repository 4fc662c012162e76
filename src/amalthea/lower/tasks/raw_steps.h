/* What tasks do in order: code that runs, tasks that they trigger, events that they wait for and set. */
#ifndef AMALTHEA_LOWER_TASKS_RAW_STEPS_H
#define AMALTHEA_LOWER_TASKS_RAW_STEPS_H

#include "amalthea/lower/state.h"

/* For all tasks that have a stimulus. */
gcast_status raw_steps_make(lowering *l);
/* May an item that others do not see take time? */
bool raw_item_runs(const am_item *item);

#endif
