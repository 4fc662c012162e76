/* Priorities of tasks: as the model has them, or by period or deadline. */
#ifndef AMALTHEA_LOWER_MAPPING_PRIORITIES_H
#define AMALTHEA_LOWER_MAPPING_PRIORITIES_H

#include "amalthea/lower/state.h"

/* After places and deadlines are known. */
gcast_status priorities_make(lowering *l);

#endif
