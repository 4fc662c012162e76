/* Constraints on which tasks run on one core, and which do not. */
#ifndef AMALTHEA_LOWER_MAPPING_TASK_AFFINITIES_H
#define AMALTHEA_LOWER_MAPPING_TASK_AFFINITIES_H

#include "amalthea/lower/state.h"

/* Which tasks must be on one core, and which must not: fills affinities[] of the system. */
gcast_status affinities_make(lowering *l);

#endif
