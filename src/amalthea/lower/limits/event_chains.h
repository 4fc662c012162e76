/* Chains of tasks: event chains, chains of processes, and those that the user gives. */
#ifndef AMALTHEA_LOWER_LIMITS_EVENT_CHAINS_H
#define AMALTHEA_LOWER_LIMITS_EVENT_CHAINS_H

#include "amalthea/lower/state.h"

gcast_status event_chains_make(lowering *l);

#endif
