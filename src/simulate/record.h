/* Which blocks a simulation records: all, in the arrays of the run; or those that run in a window of time, which go to
 * the run after the simulation. */
#ifndef SIMULATE_RECORD_H
#define SIMULATE_RECORD_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"

/* A block that is recorded in a window. */
typedef struct window_block {
    gcast_block block; /* its times and SM */
    uint64_t index;    /* of the block in its grid */
    uint32_t op;       /* operation of the run */
} window_block;

typedef struct window {
    int64_t start_ns;         /* where the window begins */
    int64_t end_ns;           /* where it ends; 0: there is no window */
    VEC(window_block) blocks; /* so far, those of an operation without a plan in the order of their index */
    bool has_jobs;            /* jobs of a plan or blocks of clusters are among them, which come in any order */
} window;

/* Does a block run in the window that starts at `start` and ends at `end`? */
static inline bool window_holds(const window *w, int64_t start, int64_t end)
{
    return start < w->end_ns && end > w->start_ns;
}

/* Gives the run memory for all its blocks: *blocks, which the operations share. */
gcast_status record_all(gcast_run *run, gcast_run_op *ops, gcast_block **blocks, gcast_error *err);
/* Gives the blocks of the window to the operations of the run. */
gcast_status record_window(gcast_run *run, gcast_run_op *ops, const window *w, gcast_error *err);

#endif
