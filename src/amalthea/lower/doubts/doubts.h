/* What is probably a mistake in the model: deadlines of the wrong task, tasks that cannot meet theirs, overloaded
 * cores, labels that contradict their use. */
#ifndef AMALTHEA_LOWER_DOUBTS_DOUBTS_H
#define AMALTHEA_LOWER_DOUBTS_DOUBTS_H

#include "amalthea/lower/state.h"

/* Of the finished system. */
gcast_status doubts_find(lowering *l);

#endif
