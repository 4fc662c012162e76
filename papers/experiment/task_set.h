/* Random task sets: random numbers of a set, and the split of its utilisation among its tasks.
 *
 * UUniFast (Bini and Buttazzo, 2005) draws uniformly from all splits. So do the distances between sorted uniform draws,
 * which need no root and therefore no floating point. For parts with bounds there is the Dirichlet-rescale algorithm
 * (Griffin, Bate and Davis, RTSS 2020); here such parts are drawn by rejection, which is exact. */
#ifndef PAPERS_EXPERIMENT_TASK_SET_H
#define PAPERS_EXPERIMENT_TASK_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/splitmix.h"

/* The random numbers of one set: splitmix64 with a start that depends only on the seed, the utilisation and the number
 * of the set. They are integers, so that a set is the same on every machine. */
typedef struct set_random {
    uint64_t state; /* of splitmix64 */
} set_random;

static inline uint64_t random_next(set_random *r)
{
    return splitmix_next(&r->state);
}

static inline set_random random_start(uint64_t seed, uint64_t percent, uint64_t number)
{
    set_random r = {seed};
    r.state = random_next(&r) ^ percent;
    r.state = random_next(&r) ^ number;
    r.state = random_next(&r);
    return r;
}

/* Uniformly distributed from lo to hi, both included. */
static inline int64_t random_between(set_random *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)((unsigned __int128)random_next(r) * ((uint64_t)(hi - lo) + 1) >> 64);
}

/* Utilisations are integers; this is 100 % of the GPU. */
#define SPLIT_FULL (INT64_C(1000) << 30)

/* Draws n parts, each 0 or more, with the given sum. */
void split_uniform(set_random *r, int64_t sum, int n, int64_t *parts);
/* Draws n parts, each from lo to hi, with the given sum. False: none were found, which is practically impossible if the
 * bounds allow the sum. */
bool split_bounded(set_random *r, int64_t sum, int64_t lo, int64_t hi, int n, int64_t *parts);

#endif
