/* Times of a run, counted from its first start: what predicted and measured runs are compared by. */
#ifndef VERIFY_RUN_TIMES_H
#define VERIFY_RUN_TIMES_H

#include "base/minmax.h"
#include "gridcast/run.h"

/* Was the operation executed on the GPU, to its end? */
static inline bool run_op_executed(const gcast_run *run, size_t i)
{
    bool hangs = run->hang && run->ops[i].end_ns < 0;
    return !run->ops[i].skipped && !hangs && gcast_kind_on_gpu(run->workload->ops[run->ops[i].op].kind);
}

static inline int64_t run_first_start_ns(const gcast_run *run)
{
    int64_t first_ns = INT64_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (run_op_executed(run, i))
            first_ns = min_i64(first_ns, run->ops[i].start_ns);
    return first_ns;
}

#endif
