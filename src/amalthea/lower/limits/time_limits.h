/* Limits on times that are neither deadlines of tasks nor limits of chains: responses from below, runnables, delays. */
#ifndef AMALTHEA_LOWER_LIMITS_TIME_LIMITS_H
#define AMALTHEA_LOWER_LIMITS_TIME_LIMITS_H

#include "amalthea/lower/state.h"

/* After event_chains_make: it says who does what. */
gcast_status time_limits_make(lowering *l);
/* Is it made into one, if it can be? */
bool is_time_limit(const lowering *l, const am_limit *limit);

#endif
