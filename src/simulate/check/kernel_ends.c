/* When kernels are complete. */
#include "simulate/check/kernel_ends.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/check/broken.h"
#include "simulate/check/launches/child_complete.h"
#include "simulate/check/plan_jobs.h"
#include "simulate/check/waits/wait_times.h"
#include "simulate/run_ops.h"

int64_t last_block_end_ns(const gcast_run_op *r)
{
    int64_t last = -1;
    for (uint64_t b = 0; b < r->block_count; b++)
        last = max_i64(last, r->blocks[b].end_ns);
    return last;
}

/* A programmatic kernel is complete no sooner than the operation before it: *last, when its last block ended, becomes
 * that. In a run that hangs it never is, where that is not, or where blocks wait or never started. */
static bool complete_in_order(const gcast_run *run, const check_orders *orders, uint32_t i, int64_t *last)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_op *op = run_spec(run, i);
    uint32_t before = check_before(run, orders, i);
    if (before != UINT32_MAX)
        *last = max_i64(*last, check_end_ns(run, &run->ops[before]));
    if (!run->hang)
        return true;
    bool waits = op->wait_ns != GCAST_NEVER && r->start_ns >= 0 && check_open_ns(run, orders, i) == CHECK_NEVER;
    bool left = waits || r->dispatched_ns < 0 || *last == CHECK_NEVER;
    return left == (r->end_ns < 0);
}

/* `complete`: by operation, when the last of its children and rests is complete. */
static gcast_status check_ends(const gcast_run *run, const check_orders *orders, const int64_t *complete,
                               gcast_error *err)
{
    for (size_t e = 0; e < orders->entry_count; e++) {
        uint32_t i = orders->entry[e];
        const gcast_run_op *r = &run->ops[i];
        if (run_spec(run, i)->kind != GCAST_KIND_KERNEL)
            continue;
        int64_t last = last_block_end_ns(r);
        if (i < run->op_count && !complete_in_order(run, orders, i, &last))
            return check_broken(run, i, "C-blocks", "it was complete before the kernel before it, or its blocks", err);
        if (r->end_ns < 0 && run->hang)
            continue;
        if (i >= run->op_count && last != run_child(run, i)->blocks_end_ns)
            return check_broken(run, i, "C-launches", "its last block did not end when it says", err);
        if (complete[i] > last && complete[i] != r->end_ns)
            return check_broken(run, i, "C-launches", "it was not complete with its last child", err);
        if (complete[i] <= last && last != r->end_ns && !check_has_plan(run, i)) /* the last worker may retreat */
            return check_broken(run, i, "C-blocks", "its last block did not end when it says", err);
    }
    return GCAST_OK;
}

gcast_status check_kernel_ends(const gcast_run *run, const check_orders *orders, gcast_error *err)
{
    int64_t *complete = malloc((run_total(run) + 1) * sizeof *complete);
    if (!complete)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run_total(run); i++)
        complete[i] = -1;
    for (size_t c = 0; c < run->child_count; c++) {
        uint32_t parent = run->children[c].parent;
        complete[parent] = max_i64(complete[parent], child_complete_ns(run, c));
    }
    gcast_status status = check_ends(run, orders, complete, err);
    free(complete);
    return status;
}
