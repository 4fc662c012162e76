/* Labels whose use contradicts what they are. */
#ifndef AMALTHEA_LOWER_DOUBTS_LABEL_DOUBTS_H
#define AMALTHEA_LOWER_DOUBTS_LABEL_DOUBTS_H

#include "amalthea/lower/state.h"

gcast_status label_doubts_find(lowering *l);

#endif
