/* The search from one mapping by small changes (late acceptance hill climbing, Burke and Bykov 2017): a change is taken
 * where the mapping is no worse than the present one, or than the one that was present a few tries ago. It needs only
 * comparisons of scores, so that it is the same on every machine. Where it gets no further it goes on from the best
 * mapping with several changes at once. */
#ifndef ANALYZE_MAPPING_MAPPING_CLIMB_H
#define ANALYZE_MAPPING_MAPPING_CLIMB_H

#include "analyze/mapping/score/mapping_try.h"

typedef struct map_climb {
    map_trier *trier;
    uint64_t random;    /* state of the random numbers */
    uint64_t tries;     /* how many mappings to try; those that were tried before do not count */
    uint64_t idle;      /* changes since the last that was better, at the start and at the end */
    sys_place *current; /* where it is, at the start and at the end */
    sys_place *best;    /* the best that it has been at, at the start and at the end */
    map_score best_score;
} map_climb;

gcast_status map_climb_run(map_climb *c, gcast_error *err);

#endif
