/* What an operation of a run is in its workload. */
#ifndef SIMULATE_RUN_OPS_H
#define SIMULATE_RUN_OPS_H

#include "gridcast/run.h"
#include "model/gpu/level.h"

static inline const gcast_op *run_spec(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* The priority level of its stream; 0 is the highest. */
static inline int run_level(const gcast_run *run, size_t i)
{
    return level_of_priority(run->gpu, run->workload->streams[run_spec(run, i)->stream].priority);
}

#endif
