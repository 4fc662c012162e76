/* An experiment as a handle, for its reader. */
#ifndef MODEL_EXPERIMENT_EXPERIMENT_H
#define MODEL_EXPERIMENT_EXPERIMENT_H

#include "base/arena.h"
#include "gridcast/experiment.h"

typedef struct owned_experiment {
    gcast_experiment e; /* first, so that a gcast_experiment is its handle */
    arena memory;
    gcast_gpu *gpu;
} owned_experiment;

/* Can every set that it asks for be made and judged? Paths are those of gridcast.experiment/1. */
gcast_status experiment_check(const gcast_experiment *e, gcast_error *err);

#endif
