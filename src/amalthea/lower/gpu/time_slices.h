/* How several contexts share the GPU: slices of time, as the scheduler of the GPU has them. */
#ifndef AMALTHEA_LOWER_GPU_TIME_SLICES_H
#define AMALTHEA_LOWER_GPU_TIME_SLICES_H

#include "amalthea/lower/state.h"

gcast_status time_slices_find(lowering *l);

#endif
