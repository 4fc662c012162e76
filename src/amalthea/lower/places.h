/* Puts tasks on cores and the GPU, lists what a search may choose, and makes constraints on which tasks share a core.
 */
#ifndef AMALTHEA_LOWER_PLACES_H
#define AMALTHEA_LOWER_PLACES_H

#include "amalthea/lower/lowering.h"

/* Fills places[], without priorities, and choices[] of the system; the steps of tasks must be known. */
gcast_status places_make(lowering *l);
/* Fills affinities[] of the system. */
gcast_status affinities_make(lowering *l);

#endif
