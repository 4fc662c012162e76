/* An experiment and the memory it owns. */
#ifndef MODEL_EXPERIMENT_H
#define MODEL_EXPERIMENT_H

#include "base/arena.h"
#include "gridcast/experiment.h"

typedef struct owned_experiment {
    gcast_experiment e; /* first, so that a gcast_experiment is its handle */
    arena memory;       /* holds its name and its lists */
    gcast_gpu *gpu;     /* that it runs on */
} owned_experiment;

/* Does the test show, where it accepts a set, that no execution misses a deadline? Method thesis does so for the model
 * of the thesis only. */
static inline bool experiment_is_proof(int test)
{
    return test == GCAST_METHOD_EXACT || test == GCAST_METHOD_BOUND || test == GCAST_METHOD_EXPLORE;
}

/* Can every set that it asks for be made and tested? Checks what goes beyond the ranges of single values; paths are
 * those of gridcast.experiment/1. */
gcast_status experiment_check(const gcast_experiment *e, gcast_error *err);

#endif
