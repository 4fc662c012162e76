/* Late acceptance hill climbing (Burke and Bykov 2017) from one mapping: a small change is accepted if the score is no
 * worse than the current one, or than that of a few tries ago. It only compares scores, so it does the same on every
 * machine. When it gets stuck it continues from the best mapping with several changes at once. */
#ifndef ANALYZE_MAPPING_MAPPING_CLIMB_H
#define ANALYZE_MAPPING_MAPPING_CLIMB_H

#include "analyze/mapping/mapping_evaluate.h"
#include "analyze/mapping/mapping_space.h"
#include "base/splitmix.h"

/* A number from 0 to count - 1; count > 0. */
static inline uint64_t map_draw(uint64_t *random, uint64_t count)
{
    return (uint64_t)((unsigned __int128)splitmix_next(random) * count >> 64);
}

/* Can map_move change anything? */
bool map_can_move(const map_space *m, const sys_place *places);
/* Makes a random small change: the core of one or two tasks, an order of priorities, or how a task waits. */
void map_move(const map_space *m, sys_place *places, uint64_t *random);

typedef struct map_climb {
    map_trier *trier;
    uint64_t random;    /* state of the random numbers */
    uint64_t tries;     /* how many mappings to try; repeated ones do not count */
    uint64_t idle;      /* in and out: changes since the last improvement */
    sys_place *current; /* in and out: the current mapping */
    sys_place *best;    /* in and out: the best mapping so far */
    map_score best_score;
} map_climb;

gcast_status map_climb_run(map_climb *c, gcast_error *err);

/* Mappings to start from; priorities are by deadline if they may change. */

/* All tasks at random. */
void map_shuffle(const map_space *m, sys_place *places, uint64_t *random);
/* Tasks that can run on the GPU there; the others, the most demanding first, each on the core with the least load. */
gcast_status map_spread(const map_space *m, sys_place *places, gcast_error *err);

#endif
