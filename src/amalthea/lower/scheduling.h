/* Sets the priorities of tasks, and adds findings on what the model says about scheduling that is not used, or does not
 * say and is assumed. */
#ifndef AMALTHEA_LOWER_SCHEDULING_H
#define AMALTHEA_LOWER_SCHEDULING_H

#include "amalthea/lower/lowering.h"

/* Priorities are those of the model, or follow from periods or deadlines; places and deadlines must be known. */
gcast_status priorities_make(lowering *l);
/* Places, priorities and time slices must be known. */
gcast_status scheduling_doubts_find(lowering *l);

#endif
