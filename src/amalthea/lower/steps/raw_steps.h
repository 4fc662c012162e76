/* Lists what tasks do in order: code that runs, tasks that they trigger, events that they wait for and set. */
#ifndef AMALTHEA_LOWER_STEPS_RAW_STEPS_H
#define AMALTHEA_LOWER_STEPS_RAW_STEPS_H

#include "amalthea/lower/lowering.h"

/* Makes the raw steps of all tasks that have a stimulus. */
gcast_status raw_steps_make(lowering *l);

#endif
