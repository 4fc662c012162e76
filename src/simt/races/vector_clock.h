/* Vector clocks: for every thread of a launch the last of its clock ticks that
 * somebody knows of. They are trees of 32 children a node; a leaf has the clocks
 * of a warp's lanes. What two clocks have in common they share, so that a
 * barrier of a block costs no more than its warps, and blocks that nobody waits
 * for cost nothing. NULL is the clock of who knows of nobody. */
#ifndef SIMT_RACES_VECTOR_CLOCK_H
#define SIMT_RACES_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "simt/isa/lanes.h"

typedef struct race_clock race_clock;

typedef struct race_clocks {
    arena memory;
    race_clock *free_leaves, *free_nodes;
    uint32_t levels; /* of nodes above the leaves */
    bool failed;     /* no memory: clocks are not to be trusted any more */
} race_clocks;

/* For a launch of so many warps. */
void clocks_open(race_clocks *s, uint64_t warps);
void clocks_close(race_clocks *s);

race_clock *clock_keep(race_clock *a);
void clock_drop(race_clocks *s, race_clock *a);

/* These take `a` over and return what takes its place. */
race_clock *clock_join(race_clocks *s, race_clock *a, race_clock *b);
/* Lanes of `mask` are known up to tick[lane]. */
race_clock *clock_raise(race_clocks *s, race_clock *a, uint32_t warp, uint32_t mask, const uint32_t tick[LANES]);

/* The ticks of a warp's lanes; NULL: nothing is known of it. */
const uint32_t *clock_lanes(const race_clocks *s, const race_clock *a, uint32_t warp);

#endif
