/* The operations of a run and the ops of its workload. */
#ifndef MODEL_RUN_OP_H
#define MODEL_RUN_OP_H

#include "gridcast/run.h"

/* The op of the workload that operation i of a run executes. */
static inline const gcast_op *run_op(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* Did operation i run on the GPU, with a start and an end? */
static inline bool run_op_ran(const gcast_run *run, size_t i)
{
    const gcast_run_op *o = &run->ops[i];
    return gcast_kind_on_gpu(run_op(run, i)->kind) && !o->skipped && o->start_ns >= 0 && o->end_ns >= o->start_ns;
}

#endif
