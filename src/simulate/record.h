/* Which blocks a simulation records: all, in the arrays of the run; those that run in a window of time, which go to
 * the run after the simulation; or none, where the caller takes them. */
#ifndef SIMULATE_RECORD_H
#define SIMULATE_RECORD_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"

#define WINDOW_CHUNK 8192 /* blocks that the caller gets at a time */

typedef struct window {
    int64_t start_ns;                /* where the window begins */
    int64_t end_ns;                  /* where it ends; 0: there is no window */
    VEC(gcast_started_block) blocks; /* so far, those of an operation without a plan in the order of their index */
    bool has_jobs;                   /* jobs of a plan or blocks of clusters are among them, which come in any order */
    bool (*take)(void *data, const gcast_started_block *blocks, size_t count); /* of the caller; NULL: none */
    void *take_data;                                                           /* its first argument */
    bool stopped;                                                              /* by the caller */
} window;

/* Does a block run in the window that starts at `start` and ends at `end`? */
static inline bool window_holds(const window *w, int64_t start, int64_t end)
{
    return start < w->end_ns && end > w->start_ns;
}

/* Gives the caller what there is. */
static inline void window_flush(window *w)
{
    if (w->take && w->blocks.count && !w->stopped)
        w->stopped = !w->take(w->take_data, w->blocks.at, w->blocks.count);
    if (w->take)
        w->blocks.count = 0;
}

/* Adds a block, if it runs in the window. False without memory, or where the caller stops. */
static inline bool window_add(window *w, uint32_t run_op, uint64_t index, gcast_block b)
{
    if (!window_holds(w, b.start_ns, b.end_ns))
        return true;
    if (w->take && w->blocks.count == WINDOW_CHUNK)
        window_flush(w);
    return !w->stopped && vec_push(&w->blocks, ((gcast_started_block){b, index, run_op}));
}

/* Gives the run memory for all its blocks: *blocks, which the operations share. */
gcast_status record_all(gcast_run *run, gcast_run_op *ops, gcast_block **blocks, gcast_error *err);
/* Gives the blocks of the window to the operations of the run. */
gcast_status record_window(gcast_run *run, gcast_run_op *ops, const window *w, gcast_error *err);

#endif
