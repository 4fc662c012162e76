/* Finds probable mistakes in the model: deadlines of the wrong task, tasks that cannot meet theirs, overloaded cores,
 * labels that contradict their use. */
#ifndef AMALTHEA_LOWER_DOUBTS_H
#define AMALTHEA_LOWER_DOUBTS_H

#include "amalthea/lower/lowering.h"

/* Called for the finished system. */
gcast_status doubts_find(lowering *l);

#endif
