/* One execution of a frame: made without lateness, copied, drawn at random, moved to another frame, and unrolled into a
 * workload in which nothing is open. Also the random numbers of the search. */
#ifndef ANALYZE_WITNESS_EXECUTION_H
#define ANALYZE_WITNESS_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/witness/frame.h"
#include "base/splitmix.h"

/* The source of random numbers. */
typedef struct draw {
    uint64_t state; /* of splitmix64 */
} draw;

static inline uint64_t draw_next(draw *d)
{
    return splitmix_next(&d->state);
}

/* Uniform from 0 to max. */
static inline int64_t draw_to(draw *d, int64_t max)
{
    return (int64_t)((unsigned __int128)draw_next(d) * ((uint64_t)max + 1) >> 64);
}

/* An index below count, which is at least 1. */
static inline size_t draw_index(draw *d, size_t count)
{
    return (size_t)draw_to(d, (int64_t)count - 1);
}

static inline bool draw_percent(draw *d, int percent)
{
    return draw_to(d, 99) < percent;
}

/* From 0 to max, mostly 0 or max. */
static inline int64_t draw_extreme(draw *d, int64_t max)
{
    return draw_percent(d, 35) ? 0 : draw_percent(d, 55) ? max : draw_to(d, max);
}

/* An execution with releases and order as in the workload, without jitter, and with all durations longest or shortest.
 * NULL without memory, here and in the next. */
execution *execution_plain(const frame *f, bool is_longest);
execution *execution_copy(const frame *f, const execution *original);
/* Draws all open values at random, in one of several styles. */
void execution_draw(const frame *f, execution *e, draw *d);

static inline execution *execution_hold(execution *e)
{
    e->references++;
    return e;
}

/* Frees the execution with its last holder. NULL is allowed. */
void execution_release(execution *e);
/* Extends an execution of a window by all jobs released before it, punctual and shortest. The last jobs of the frame
 * `whole` are those of the window. NULL without memory. */
execution *execution_whole(const frame *whole, const frame *window, const execution *e);
/* Copies the open values, except the order, of the jobs that both frames have into `taken`. */
void execution_take(const frame *from, const execution *e, const frame *to, execution *taken);

/* Ends up to this time are right whatever is released after the frame. */
int64_t execution_cutoff_ns(const frame *f, const execution *e);

/* Unrolls an execution into a workload in which nothing is open: it has an op that runs once for each operation, in the
 * order of calls, and no GPU. Operations without a host that are released after end_ns are left out. places[i] is the
 * operation for which op i stands; `places` has room for all operations of the frame. */
gcast_status unrolled_create(const frame *f, const execution *e, int64_t end_ns, gcast_workload **w, size_t *places,
                             gcast_error *err);

#endif
