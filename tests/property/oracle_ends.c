/* Phase 1 of docs/model.md: blocks and copies that end, operations that are complete then, and in which order.
 * Independent of the simulator on purpose. */
#include "model/workload/workload.h"
#include "property/oracle_state.h"

int64_t oracle_last_end(const oracle_state *o, const oracle_op *x)
{
    if (!oracle_is_kernel(x)) {
        int64_t left = 100 * (oracle_duration(o, x, 0) + x->extra_ns) - x->work_done;
        return oracle_complete(x) ? x->run.end_ns
               : left <= 0        ? o->now
                                  : o->now + (left + x->speed_percent - 1) / x->speed_percent;
    }
    int64_t last = 0;
    for (uint64_t b = 0; b < x->started; b++)
        if (x->blocks[b].end_ns > last)
            last = x->blocks[b].end_ns;
    return last;
}

bool oracle_is_dispatched(const oracle_op *x)
{
    return oracle_is_kernel(x) ? x->started > x->launch_first && x->started == x->launch_first + x->launch_size
                               : x->run.dispatched_ns >= 0;
}

bool oracle_blocks_ended(const oracle_state *o, const oracle_op *x)
{
    return oracle_is_dispatched(x) && oracle_last_end(o, x) <= o->now;
}

bool oracle_grid_is_over(const oracle_state *o, const oracle_op *x)
{
    int64_t after = oracle_is_child(x) ? o->gpu->child_end_ns : 0;
    return oracle_is_dispatched(x) && oracle_last_end(o, x) + after <= o->now;
}

static void try_end(oracle_state *o, oracle_op *x);

/* x is complete; and what follows for its parent comes right after it, and for a programmatic kernel behind it whose
 * last block ended before. */
static void complete(oracle_state *o, oracle_op *x)
{
    x->complete_ns = o->now;
    x->completion = o->completions++;
    if (x->child)
        try_end(o, x->child->parent);
    for (oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_primary(o, y) == x && !oracle_ended(y) && !y->ends_now)
            try_end(o, y);
}

/* x has ended, if its blocks have and all its children and rests are complete. A child is complete some time later. */
static void try_end(oracle_state *o, oracle_op *x)
{
    if ((oracle_is_kernel(x) && !oracle_blocks_ended(o, x)) || !oracle_children_complete(o, x, -1) ||
        !oracle_rests_complete(o, x) || (oracle_primary(o, x) && !oracle_complete(oracle_primary(o, x))))
        return;
    x->run.end_ns = o->now;
    if (!oracle_is_child(x) || o->gpu->child_end_ns == 0)
        complete(o, x);
}

void oracle_ends(oracle_state *o)
{
    oracle_workers(o);
    for (size_t i = 0; i < o->count; i++)
        if (oracle_is_copying(&o->ops[i]))
            o->ops[i].work_done += (o->now - o->previous_ns) * o->ops[i].speed_percent;
    for (size_t i = 0; i < o->all; i++) {
        oracle_op *x = &o->ops[i];
        if (gcast_kind_on_gpu(x->op->kind) && !oracle_ended(x) && oracle_is_dispatched(x) &&
            oracle_last_end(o, x) == o->now)
            x->ends_now = !oracle_delay_end(o, x) && !(oracle_has_plan(x) && oracle_needs_repair(o, x));
    }
    for (uint64_t entry = 0; entry < o->entries; entry++) {
        oracle_op *x = o->by_entry[entry];
        if (x->ends_now && x->child)
            x->child->of.blocks_end_ns = o->now;
        if (x->ends_now)
            try_end(o, x);
        else if (oracle_is_child(x) && oracle_ended(x) && !oracle_complete(x) &&
                 x->run.end_ns + o->gpu->child_end_ns == o->now)
            complete(o, x);
        x->ends_now = false;
    }
}
