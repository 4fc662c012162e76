#include "cli/run/operations.h"

#include <stdio.h>

#include "gridcast/workload.h"

void operation_name(const gcast_run *run, size_t run_op, char name[OPERATION_NAME_SIZE])
{
    const gcast_run_op *r = &run->ops[run_op];
    const gcast_op *op = &run->workload->ops[r->op];
    char job[24] = "";
    if (op->task != GCAST_ONCE)
        snprintf(job, sizeof job, "#%u", r->job);
    snprintf(name, OPERATION_NAME_SIZE, "%.200s%s", op->label, job);
}

bool blocks_at_most(const gcast_run *run, uint64_t max)
{
    uint64_t left = max;
    for (size_t i = 0; i < run->op_count; i++) {
        if (run->ops[i].block_count > left)
            return false;
        left -= run->ops[i].block_count;
    }
    return true;
}
