/* The task that an event of an event chain happens in. */
#ifndef AMALTHEA_LOWER_LIMITS_EVENT_TASKS_H
#define AMALTHEA_LOWER_LIMITS_EVENT_TASKS_H

#include "amalthea/lower/state.h"

#define EVENT_NO_TASK (-1)   /* nothing of the sort */
#define EVENT_AMBIGUOUS (-2) /* several tasks */
#define EVENT_UNKNOWN (-3)   /* it is not understood */

/* Who calls, reads and writes what. */
gcast_status event_tasks_start(lowering *l);
/* A task of the model, or one of the above. */
int event_task(const lowering *l, int event);
/* Why it is none, about the event's name. */
const char *event_task_why(int task);

#endif
