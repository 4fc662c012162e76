/* A set's utilisation split among its tasks.
 *
 * UUniFast (Bini and Buttazzo, 2005) draws uniformly from all ways to split it. So do the distances between sorted
 * uniform draws, which need no root and therefore no floating point. The Dirichlet-rescale algorithm (Griffin, Bate and
 * Davis, RTSS 2020) is for parts with bounds; here these are drawn by rejection, which is exact. */
#ifndef EXPERIMENT_SPLIT_H
#define EXPERIMENT_SPLIT_H

#include <stdbool.h>

#include "experiment/random.h"

/* Utilisations are integers; this is 100 % of the GPU. */
#define SPLIT_FULL (INT64_C(1000) << 30)

/* n parts, each 0 or more, whose sum is `sum`. */
void split_uniform(set_random *r, int64_t sum, int n, int64_t *parts);
/* n parts, each from lo to hi, whose sum is `sum`. False where none was found, which is all but impossible with bounds
 * that allow the sum. */
bool split_bounded(set_random *r, int64_t sum, int64_t lo, int64_t hi, int n, int64_t *parts);

#endif
