/* What a thread knows of the other threads, as vector clocks: which of their
 * accesses happen before its next one. */
#ifndef SIMT_ORDER_RACE_VIEW_H
#define SIMT_ORDER_RACE_VIEW_H

#include "simt/order/vector_clock.h"

/* There are two notions of happens-before. */
enum {
    VIEW_PTX, /* what PTX promises */
    VIEW_GPU, /* also what programs rely on and GPUs do: an atomic that reads sees all that was released there, with or
               * without a fence; a thread that takes a lock by an atomic and returns it by another releases all it did
               * between; shuffles and votes synchronize as __syncwarp does; threads that have exited count as arrived
               * at all barriers. What not even this orders is a race. */
    VIEWS
};

typedef enum { SCOPE_BLOCK, SCOPE_GPU, SCOPES } race_scope;

typedef struct race_view {
    race_clock *known;            /* what happens before */
    race_clock *fenced[SCOPES];   /* by scope: the part of it before the last fence, which a relaxed write releases */
    race_clock *unfenced[SCOPES]; /* what relaxed reads saw of its own block, of other blocks: known after a fence */
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
