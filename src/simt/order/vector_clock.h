/* Vector clocks: for every thread of a launch the last of its ticks that
 * somebody knows of. They are trees with 32 children per node; a leaf has the
 * ticks of a warp's lanes. Clocks share equal subtrees, so that a barrier of a
 * block costs no more than its warps, and blocks that nobody waits for cost
 * nothing. NULL is the clock that knows nothing. */
#ifndef SIMT_ORDER_VECTOR_CLOCK_H
#define SIMT_ORDER_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "simt/program/lanes.h"

typedef struct race_clock race_clock;

typedef struct race_clocks {
    arena memory;                         /* owns all nodes */
    race_clock *free_leaves, *free_nodes; /* lists of nodes that are not in use */
    uint32_t levels;                      /* levels of nodes above the leaves */
    bool failed;                          /* memory ran out: clocks are no longer valid */
} race_clocks;

/* For a launch of so many warps. */
void clocks_open(race_clocks *s, uint64_t warps);
void clocks_close(race_clocks *s);

race_clock *clock_keep(race_clock *a);
void clock_drop(race_clocks *s, race_clock *a);

/* These take over the reference to `a`, and return the new clock. clock_join knows what both know. */
race_clock *clock_join(race_clocks *s, race_clock *a, race_clock *b);
/* Ticks of the lanes of `mask` are at least tick[lane]. */
race_clock *clock_raise(race_clocks *s, race_clock *a, uint32_t warp, uint32_t mask, const uint32_t tick[LANES]);

/* The ticks of a warp's lanes; NULL: nothing is known of them. */
const uint32_t *clock_lanes(const race_clocks *s, const race_clock *a, uint32_t warp);

#endif
