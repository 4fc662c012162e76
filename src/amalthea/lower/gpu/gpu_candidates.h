/* Which tasks may run on the GPU, and which labels are in its memory. */
#ifndef AMALTHEA_LOWER_GPU_GPU_CANDIDATES_H
#define AMALTHEA_LOWER_GPU_GPU_CANDIDATES_H

#include "amalthea/lower/state.h"

/* A task that the model puts there, or whose ticks all have an entry for the GPU. */
gcast_status gpu_candidates_find(lowering *l);

#endif
