/* Makes chains of tasks of event chains, process chains, and chains that the user gives. */
#ifndef AMALTHEA_LOWER_EVENT_CHAINS_H
#define AMALTHEA_LOWER_EVENT_CHAINS_H

#include "amalthea/lower/lowering.h"

gcast_status event_chains_make(lowering *l);

#endif
