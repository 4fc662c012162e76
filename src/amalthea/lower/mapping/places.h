/* The places of tasks, and what a search may choose. */
#ifndef AMALTHEA_LOWER_MAPPING_PLACES_H
#define AMALTHEA_LOWER_MAPPING_PLACES_H

#include "amalthea/lower/state.h"

/* After the steps are known; priorities come later. */
gcast_status places_make(lowering *l);

#endif
