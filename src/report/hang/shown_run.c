#include "report/hang/shown_run.h"

#include <stdlib.h>
#include <string.h>

#include "model/run_children.h"

bool shown_run_make(const gcast_run *run, bool drawn, gcast_run *copy)
{
    size_t count = run_total(run);
    gcast_run_op *ops = malloc((count + 1) * sizeof *ops);
    if (!ops)
        return false;
    memcpy(ops, run->ops, count * sizeof *ops);
    *copy = *run;
    copy->ops = ops;
    for (size_t k = 0; k < run->hang->op_count; k++) {
        const gcast_hung_op *hung = &run->hang->ops[k];
        gcast_run_op *r = &ops[hung->run_op];
        r->block_count -= hung->not_started;
        if (drawn && r->start_ns < 0)
            r->skipped = true;
        else if (drawn)
            r->end_ns = run->hang->time_ns;
        if (drawn && r->dispatched_ns < 0)
            r->dispatched_ns = r->end_ns;
    }
    return true;
}

void shown_run_free(gcast_run *copy)
{
    free((gcast_run_op *)copy->ops);
}
