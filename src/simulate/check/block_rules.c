/* What the checker knows of the duration, the SM and the shared memory of one block. */
#include "simulate/check/block_rules.h"

#include "simulate/blocks/tick.h"

/* By how much a block that sleeps may exceed its duration, if it does not starve: it may start as much later as
 * releases on its SM are seen later, and it wakes on a tick. */
static int64_t max_oversleep_ns(const gcast_run *run, uint32_t sm)
{
    int64_t reach = run->gpu->reach_ns ? run->gpu->reach_ns[sm] : 0;
    return run->wake_ns - 1 + reach + (run->gpu->limits.blocks_per_sm - 1) * run->gpu->look_step_ns;
}

/* The blocks that started before it on its SM are known, so that its end follows from its duration. */
static bool duration_is_right(const block_walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = walk_spec(k, i);
    if (walk_launches(k, i)) /* C-launches */
        return true;
    bool sleeps = k->run->wake_ns && op->body == GCAST_BODY_SPIN;
    int64_t duration_ns = b->end_ns - b->start_ns,
            extra = k->run->noise_ns + (sleeps ? max_oversleep_ns(k->run, b->sm) : 0);
    int64_t min = op->block_ns ? op->block_ns[n] : op->min_ns, max = op->block_ns ? op->block_ns[n] : op->max_ns;
    uint32_t rank = (uint32_t)k->sms.rank[b->sm];
    if (min == max && !extra && !k->run->scatter)
        return duration_ns == min + starve_delay_ns(&k->starve, rank, b->start_ns + min, k->starve.max_delay_ns);
    if (sleeps && !k->starve.sms && b->end_ns % k->run->wake_ns)
        return false;
    if (duration_ns - extra <= max)
        return duration_ns >= min - (sleeps ? k->run->wake_ns / TICK_STEPS - 1 : 0);
    return duration_ns - extra - k->starve.max_delay_ns <= max && starve_at(&k->starve, rank, b->end_ns - 1);
}

bool block_is_right(block_walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = walk_spec(k, i);
    if (b->sm >= (uint32_t)k->sms.count)
        walk_broken(k, i, "C-blocks", "a block ran on an SM that is not there");
    else if (!duration_is_right(k, i, b, n))
        walk_broken(k, i, "C-blocks", "a block took longer or shorter than it should");
    else if (!walk_may_use(k, op, (int)b->sm))
        walk_broken(k, i, "C-mask", "a block ran on an SM that it may not use");
    else if (b->start_ns < k->run->ops[i].enter_ns || b->end_ns > k->run->ops[i].end_ns)
        walk_broken(k, i, "C-blocks", "a block ran outside of its kernel's time");
    return k->status == GCAST_OK;
}

bool block_size_is_right(block_walk *k, uint32_t i, uint32_t rank)
{
    size_range *range = &k->sizes[rank];
    sm_state *sm = &k->sms.at[rank];
    carveout size = walk_demand(k, i)->size;
    bool before_or_after = k->run->gpu->look_step_ns && range->released_ns == k->now && range->max >= size.min_bytes;
    if (!sm->resident) {
        range->min = before_or_after && range->min < size.chosen_bytes ? range->min : size.chosen_bytes;
        range->max = before_or_after && range->max > size.chosen_bytes ? range->max : size.chosen_bytes;
    }
    sm->size = range->max;
    return sm_fit_count_by_carveout(&k->sms, sm, walk_demand(k, i)) > 0;
}
