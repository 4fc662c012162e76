/* An experiment with the memory it owns, and its check. */
#ifndef PAPERS_EXPERIMENT_OWNED_EXPERIMENT_H
#define PAPERS_EXPERIMENT_OWNED_EXPERIMENT_H

#include "base/arena.h"
#include "papers/experiment/experiment.h"

typedef struct owned_experiment {
    gcast_experiment e; /* first, so that a gcast_experiment is its handle */
    arena memory;       /* holds its name and its lists */
    gcast_gpu *gpu;     /* which it runs on */
} owned_experiment;

/* Does the test show, where it accepts a set, that no execution misses a deadline? Method thesis does so for the model
 * of the thesis only. */
static inline bool experiment_is_proof(int test)
{
    return test == GCAST_METHOD_EXACT || test == GCAST_METHOD_BOUND || test == GCAST_METHOD_EXPLORE;
}

/* Can every set of the experiment be made and tested? The ranges of single values are not checked again. Paths are
 * those of gridcast.experiment/1. */
gcast_status experiment_check(const gcast_experiment *e, gcast_error *err);

#endif
