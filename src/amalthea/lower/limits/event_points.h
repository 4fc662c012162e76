/* Events as points of a task's jobs. */
#ifndef AMALTHEA_LOWER_LIMITS_EVENT_POINTS_H
#define AMALTHEA_LOWER_LIMITS_EVENT_POINTS_H

#include "amalthea/lower/state.h"

/* An event of the model; where it cannot be placed, why has the reason, else it is "". */
gcast_status event_points_make(lowering *l, int event, sys_event *e, char *why, size_t size);

#endif
