/* Which blocks a simulation writes down: all, into the arrays of the run, or those
 * that run in a window of time, which are put in order when the simulation is over. */
#ifndef SIMULATE_RECORD_H
#define SIMULATE_RECORD_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"

typedef struct window_block {
    gcast_block block;
    uint64_t index;
    uint32_t op; /* of the run */
} window_block;

typedef struct window {
    int64_t from, to;         /* to 0: there is none */
    VEC(window_block) blocks; /* in the order in which they started */
} window;

/* Does a block that runs from start to end (not included) show in it? */
static inline bool window_holds(const window *w, int64_t start, int64_t end)
{
    return start < w->to && end > w->from;
}

/* Memory for all blocks of the run. */
gcast_status record_all(gcast_run *run, gcast_run_op *ops, gcast_error *err);
/* The blocks of the window to their operations. */
gcast_status record_window(gcast_run *run, gcast_run_op *ops, const window *w, gcast_error *err);

#endif
