#ifndef ANALYZE_WITNESS_EXECUTION_H
#define ANALYZE_WITNESS_EXECUTION_H

#include "analyze/witness/drawn.h"
#include "analyze/witness/state.h"

/* Releases and order as the workload says, without jitter, and all blocks as long as they can take, or as short. NULL
 * without memory, here and in the next. */
execution *execution_plain(const frame *f, bool is_longest);
execution *execution_copy(const frame *f, const execution *original);
/* Draws everything that is open, in one of several styles. */
void execution_draw(const frame *f, execution *e, draw *d);

static inline execution *execution_hold(execution *e)
{
    e->references++;
    return e;
}

/* The memory goes with the last holder. NULL is fine. */
void execution_release(execution *e);
/* An execution of a window with all that is released before it, punctual and as short as it can be. The frame `whole`
 * has the jobs of the window as its last. NULL without memory. */
execution *execution_whole(const frame *whole, const frame *window, const execution *e);
/* Takes over what an execution of another frame has for the jobs that both frames have, but for the order. */
void execution_take(const frame *from, const execution *e, const frame *to, execution *taken);
/* When jobs are released without jitter, by unit; 0 for ops that run once. */
void execution_nominal_ns(const frame *f, const execution *e, int64_t *nominal_ns);
/* Ends up to this time hold whatever is released after the frame. */
int64_t execution_cutoff_ns(const frame *f, const execution *e);

#endif
