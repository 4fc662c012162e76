/* The op of an operation of a run, and its time as a resident grid. */
#ifndef SIMULATE_RUN_OPS_H
#define SIMULATE_RUN_OPS_H

#include "gridcast/run.h"
#include "model/run_op.h"

static inline const gcast_op *run_spec(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* When the operation stops being a resident grid. */
static inline int64_t run_grid_end_ns(const gcast_run *run, size_t i)
{
    return run_blocks_end_ns(run, i) + (i >= run->op_count ? run->gpu->child_end_ns : 0);
}

#endif
