/* What the checker knows of the duration, the SM and the shared memory of one block. */
#include "simulate/check/block_rules.h"

#include "base/minmax.h"
#include "simulate/blocks/tick.h"
#include "simulate/check/waits/wait_times.h"

/* By how much a block that sleeps may exceed its duration, if it does not starve: it may start as much later as
 * releases on its SM are seen later, and it wakes on a tick. */
static int64_t max_oversleep_ns(const gcast_run *run, uint32_t sm)
{
    int64_t reach = run->gpu->reach_ns ? run->gpu->reach_ns[sm] : 0;
    return run->wake_ns - 1 + reach + (run->gpu->limits.blocks_per_sm - 1) * run->gpu->look_step_ns;
}

/* A block that waits, neither sleeps nor starves, and has at least 1 ns to run after its wait. */
static bool wait_is_right(const block_walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = walk_spec(k, i);
    int64_t min = op->block_ns ? op->block_ns[n] : op->min_ns, max = op->block_ns ? op->block_ns[n] : op->max_ns;
    int64_t resume = check_resume_ns(k->run, k->orders, i, b->start_ns), rest = b->end_ns - resume;
    if (resume >= CHECK_NEVER)
        return k->run->hang && b->end_ns == k->run->hang->time_ns;
    return rest >= max_i64(min - op->wait_ns, 1) && rest <= max_i64(max + k->run->noise_ns - op->wait_ns, 1);
}

/* The blocks that started before it on its SM are known, so that its end follows from its duration. */
static bool duration_is_right(const block_walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = walk_spec(k, i);
    if (walk_launches(k, i)) /* C-launches */
        return true;
    if (op->wait_ns != GCAST_NEVER)
        return wait_is_right(k, i, b, n);
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
    else if (b->start_ns < k->run->ops[i].enter_ns || b->end_ns > check_end_ns(k->run, &k->run->ops[i]))
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

/* Does a block with this demand fit, where its first warp goes? In a run with plans that is not known, so that it must
 * fit anyway. */
static bool fits_on(const block_walk *k, const sm_state *sm, const sm_demand *d)
{
    bool fits = sm_fits(sm, d);
    for (int32_t q = 0; q < GCAST_QUARTERS && k->jobs.count; q++) {
        sm_state other = *sm;
        other.next_quarter = q;
        fits = fits && sm_fits(&other, d);
    }
    return fits;
}

bool walk_fits_on(block_walk *k, uint32_t i, int rank)
{
    sm_state *sm = &k->sms.at[rank];
    if (!walk_may_use(k, walk_spec(k, i), k->sms.order[rank]))
        return false;
    if (k->sizes)
        sm->size = k->sizes[rank].min;
    return fits_on(k, sm, walk_demand(k, i)) && sm_fit_count_by_carveout(&k->sms, sm, walk_demand(k, i)) > 0;
}

uint32_t block_count_fitting(block_walk *k, uint32_t i, int rank)
{
    sm_state *sm = &k->sms.at[rank];
    if (k->sizes)
        sm->size = k->sizes[rank].min;
    if (!walk_may_use(k, walk_spec(k, i), k->sms.order[rank]) || !sm_fits(sm, walk_demand(k, i)))
        return 0;
    return min_u32(sm_fit_count(sm, walk_demand(k, i)), sm_fit_count_by_carveout(&k->sms, sm, walk_demand(k, i)));
}

/* How many blocks of i fit on all SMs that it may use. */
static uint64_t count_fitting(block_walk *k, uint32_t i)
{
    uint64_t count = 0;
    for (int rank = 0; rank < k->sms.count; rank++)
        count += block_count_fitting(k, i, rank);
    return count;
}

bool block_fits_somewhere(block_walk *k, uint32_t i)
{
    const gcast_op *op = walk_spec(k, i);
    bool found = false;
    if (op->cooperative)
        return count_fitting(k, i) >= k->run->ops[i].block_count;
    for (int word = 0; word * 64 < k->sms.count; word++) {
        uint64_t bits = k->blocked == i ? k->sms.dirty[word] : UINT64_MAX;
        k->sms.dirty[word] = 0;
        for (; bits; bits &= bits - 1) {
            int rank = word * 64 + __builtin_ctzll(bits);
            if (rank >= k->sms.count)
                break;
            found = walk_fits_on(k, i, rank) || found;
        }
    }
    return found;
}
