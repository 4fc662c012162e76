/* Sums over the children of the oracle's run, from their times alone. */
#include "property/oracle_sums.h"

/* Resident warps of an operation, summed over time: until their resources are released. */
static double warp_ns(const gcast_workload *w, const oracle_result *r, const gcast_run_op *x)
{
    double sum = 0;
    for (uint64_t b = 0; x->blocks && !x->skipped && b < x->block_count; b++)
        sum += (double)(x->blocks[b].end_ns + r->gpu->handover_ns - x->blocks[b].start_ns) *
               ((w->ops[x->op].shape.threads + 31) / 32);
    return sum;
}

/* Children that are called and not complete when this one is called. */
static uint64_t live_at(const oracle_result *r, size_t child)
{
    uint64_t live = 0;
    for (size_t i = 0; i <= child; i++)
        live += !r->children[i].is_rest &&
                r->ops[r->op_count + i].end_ns + r->gpu->child_end_ns > r->ops[r->op_count + child].call_ns;
    return live;
}

void oracle_sums(const gcast_workload *w, oracle_result *r)
{
    gcast_launch_stats *s = &r->stats;
    for (size_t i = 0; i < r->op_count + r->child_count; i++)
        s->warp_ns += warp_ns(w, r, &r->ops[i]);
    for (size_t i = 0; i < r->child_count; i++) {
        const gcast_run_op *x = &r->ops[r->op_count + i];
        const gcast_child *c = &r->children[i];
        if (!c->is_rest || c->parent >= r->op_count) /* the rest of a child's block is of the child */
            s->child_warp_ns += warp_ns(w, r, x);
        if (c->is_rest)
            continue;
        s->pool_wait_ns += (double)(c->pool_ns - x->head_ns);
        uint64_t live = live_at(r, i);
        s->max_live = live > s->max_live ? live : s->max_live;
    }
}
