/* A set's utilisation split among its tasks.
 *
 * UUniFast (Bini and Buttazzo, 2005) draws evenly from all ways to split it. So do
 * the spaces between sorted even draws, which need no root and therefore no
 * floating point. The Dirichlet-rescale algorithm (Griffin, Bate and Davis, RTSS
 * 2020) is for the same with bounds; here that is exact, by rejection. */
#ifndef EXPERIMENT_SPLIT_H
#define EXPERIMENT_SPLIT_H

#include <stdbool.h>

#include "experiment/random.h"

/* Utilisations are integers; the whole GPU, all the time, is this. */
#define SPLIT_WHOLE (INT64_C(1000) << 30)

/* n parts, 0 or more, whose sum is `all`. */
void split_evenly(set_random *r, int64_t all, int n, int64_t *parts);
/* The same with every part from lo to hi. False where none was found, which bounds
 * that allow `all` make all but impossible. */
bool split_bounded(set_random *r, int64_t all, int64_t lo, int64_t hi, int n, int64_t *parts);

#endif
