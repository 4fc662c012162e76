/* Events that tasks wait for: which task they wait for by them. */
#ifndef AMALTHEA_LOWER_TASKS_EVENT_WAITS_H
#define AMALTHEA_LOWER_TASKS_EVENT_WAITS_H

#include "amalthea/lower/state.h"

#define WAIT_NOT (-1) /* the event is there already */

/* The task of the model whose end event `event` of a wait stands for, or WAIT_NOT; `step` is the raw step of the wait.
 */
gcast_status wait_for(lowering *l, size_t task, size_t step, int event, int *other);

#endif
