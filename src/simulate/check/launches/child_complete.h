/* When children are complete: some time after they have ended. */
#ifndef SIMULATE_CHECK_LAUNCHES_CHILD_COMPLETE_H
#define SIMULATE_CHECK_LAUNCHES_CHILD_COMPLETE_H

#include "gridcast/run.h"

/* Of the child c, or the rest of a block, which is complete when it has ended. */
static inline int64_t child_complete_ns(const gcast_run *run, size_t c)
{
    return run->ops[run->op_count + c].end_ns + (run->children[c].is_rest ? 0 : run->gpu->child_end_ns);
}

#endif
