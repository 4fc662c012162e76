#include "analyze/bound/prepare/best_case.h"

#include "base/minmax.h"
#include "model/gpu/event_gap.h"
#include "model/workload/dependencies/dependencies.h"

static int64_t shortest_block(const gcast_op *op)
{
    int64_t shortest = op->block_ns ? INT64_MAX : op->min_ns;
    for (uint64_t i = 0; op->block_ns && i < op->blocks; i++)
        shortest = min_i64(op->block_ns[i], shortest);
    return shortest;
}

static int64_t at_most_max(wide t)
{
    return (int64_t)wide_min(t, BOUND_MAX_NS);
}

/* As many blocks at a time as can be resident, each for its shortest, with hand-overs between them. */
static void fill_best_case(bound *b, bound_op *k)
{
    wide shortest = shortest_block(k->op), waves = ((wide)k->op->blocks - 1) / k->max_resident;
    k->best_ns = at_most_max(k->latency_ns + shortest + wide_mul(waves, shortest + b->gpu->handover_ns));
}

/* Is i called before k in every execution, and always as long before it? */
static bool always_before(const bound *b, const bound_op *i, const bound_op *k)
{
    if (i == k || i->op->task != k->op->task || i->op->host != GCAST_NO_HOST || k->op->host != GCAST_NO_HOST)
        return false;
    if (i->op->skip_ns != GCAST_NEVER)
        return false;
    if (i->op->release_ns != k->op->release_ns)
        return i->op->release_ns < k->op->release_ns;
    return i->index < k->index && (i->period_ns || !b->options->any_order);
}

/* k enters when the operations that it waits for have left, or later. */
static void fill_min_entry(bound *b, bound_op *k)
{
    wide entry_ns = k->min_entry_ns;
    b->steps += b->op_count;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        if (always_before(b, i, k) && bound_waits_for(k, i))
            entry_ns =
                wide_max(entry_ns, (wide)i->best_ns + b->gpu->stream_gap_ns + i->op->release_ns - k->op->release_ns);
        else if (dependencies_name(k->op, i->index) && always_before(b, i, k))
            entry_ns =
                wide_max(entry_ns, (wide)i->best_ns + event_gap_of(b->gpu) + i->op->release_ns - k->op->release_ns);
    }
    k->best_ns = at_most_max(k->best_ns + entry_ns - k->min_entry_ns);
    k->min_entry_ns = at_most_max(entry_ns);
}

void bound_find_best_cases(bound *b)
{
    for (size_t n = 0; n < b->op_count; n++) {
        b->ops[n].min_entry_ns = b->ops[n].latency_ns;
        if (b->ops[n].is_kernel)
            fill_best_case(b, &b->ops[n]);
    }
    if (b->options->any_phase)
        return;
    for (size_t n = 0; n < b->op_count && bound_may_continue(b) && b->steps < b->max_steps / 4; n++)
        fill_min_entry(b, &b->ops[n]);
}
