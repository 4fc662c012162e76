/* Vector clocks: for every thread of a launch the last tick that another thread knows of; and views, which say with
 * such clocks what a thread knows. Clocks are trees with 32 children per node; a leaf has the ticks of a warp's lanes.
 * Clocks share equal subtrees, so that the cost of a barrier depends only on the warps of its block, and blocks that
 * nobody waits for cost nothing. NULL is the clock that knows nothing. */
#ifndef SIMT_RACES_VECTOR_CLOCK_H
#define SIMT_RACES_VECTOR_CLOCK_H

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

/* Opens clocks for a launch of this many warps. */
void clocks_open(race_clocks *s, uint64_t warps);
void clocks_close(race_clocks *s);

race_clock *clock_keep(race_clock *a);
void clock_drop(race_clocks *s, race_clock *a);

/* These take over the reference to `a`, and return the new clock. That of clock_join knows what a and b know. */
race_clock *clock_join(race_clocks *s, race_clock *a, race_clock *b);
/* Ticks of the lanes of `mask` are at least tick[lane]. */
race_clock *clock_raise(race_clocks *s, race_clock *a, uint32_t warp, uint32_t mask, const uint32_t tick[LANES]);

/* The ticks of a warp's lanes; NULL: the clock knows nothing of them. */
const uint32_t *clock_lanes(const race_clocks *s, const race_clock *a, uint32_t warp);

/* There are two notions of happens-before. VIEW_GPU has what PTX promises, and what GPUs do and programs rely on: an
 * atomic that reads acquires all that was released there, with or without a fence; a thread that takes a lock by an
 * atomic and returns it by another releases its accesses between; shuffles and votes synchronize as __syncwarp does;
 * threads that have exited count as arrived at all barriers. Conflicting accesses that VIEW_GPU does not order are a
 * race; accesses that only VIEW_PTX does not order are reported as not promised. */
enum { VIEW_PTX, VIEW_GPU, VIEWS };

typedef enum { SCOPE_BLOCK, SCOPE_GPU, SCOPES } race_scope;

/* What a thread knows of the other threads: which of their accesses happen before its next access. */
typedef struct race_view {
    race_clock *known;            /* these accesses happen before */
    race_clock *fenced[SCOPES];   /* by scope: the part of `known` before the last fence; a relaxed write releases it */
    race_clock *unfenced[SCOPES]; /* what relaxed reads saw of the own block, of other blocks: known after a fence */
} race_view;

/* a becomes what both a and b know. */
void view_join(race_clocks *s, race_view *a, const race_view *b);
/* a becomes a copy of b. */
void view_set(race_clocks *s, race_view *a, const race_view *b);
/* a becomes empty. */
void view_clear(race_clocks *s, race_view *a);
/* Do both hold the very same clocks? Equal clocks that are not shared count as different. */
bool view_is_same(const race_view *a, const race_view *b);

#endif
