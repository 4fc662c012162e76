/* Who may start blocks rather than a kernel: one of a higher level (A2), or one that entered
 * its queue before it (X1). */
#ifndef SIMULATE_EXPLAIN_SWEEP_FRONT_H
#define SIMULATE_EXPLAIN_SWEEP_FRONT_H

#include "base/vec.h"
#include "gridcast/run.h"

typedef struct front_kernel {
    int level;
    uint64_t entry;
    size_t run_op;
} front_kernel;

typedef struct explain_front {
    VEC(front_kernel) all; /* by level, then by entry: the order in which they go */
    size_t *next, *end;    /* by level: the first of all[] that has blocks to start, and where the level ends */
    int levels;
} explain_front;

/* False without memory. */
bool explain_front_init(explain_front *f, const gcast_run *run, size_t me);
/* Who it is at t, which never goes back, and its level; SIZE_MAX: nobody. */
size_t explain_ahead(explain_front *f, const gcast_run *run, int64_t t, int *level);
void explain_front_free(explain_front *f);

#endif
