/* What the model says about schedulers and is not used, or does not say and is taken as something. */
#ifndef AMALTHEA_LOWER_MAPPING_SCHEDULING_DOUBTS_H
#define AMALTHEA_LOWER_MAPPING_SCHEDULING_DOUBTS_H

#include "amalthea/lower/state.h"

/* After places, priorities and time slices are known. */
gcast_status scheduling_doubts_find(lowering *l);

#endif
