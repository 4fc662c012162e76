/* Sums and series of a run with launches. */
#ifndef SIMULATE_LAUNCH_LAUNCH_STATS_H
#define SIMULATE_LAUNCH_LAUNCH_STATS_H

#include "simulate/launch/state.h"

/* So many blocks of o become resident on the SM of this rank; fewer than 0: they have released their resources. */
void launch_blocks_resident(sim *s, uint32_t o, uint32_t rank, int64_t blocks);
/* The child o is complete. */
void launch_stats_child(sim *s, uint32_t o);
/* Gives the series to a run that ends at `end`. */
void launch_stats_series(sim *s, gcast_launch_series *out, int64_t end);

#endif
