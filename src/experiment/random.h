/* Random numbers of one set: splitmix64 from a start that depends only on the seed, the utilisation and the number of
 * the set. They are integers, so that a set is the same on every machine. */
#ifndef EXPERIMENT_RANDOM_H
#define EXPERIMENT_RANDOM_H

#include <stdint.h>

#include "base/splitmix.h"

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

#endif
