/* Groups whose resources are released at one time: in which order that is seen, and what the head dispatches in
 * between. A head that takes all free resources anyway dispatches the same blocks in any order, so that the order is
 * left out then. */
#include "simulate/dispatch/released.h"

#include "model/workload/attributes/attributes.h"
#include "simulate/dispatch/execution_queue.h"
#include "simulate/dispatch/groups.h"

/* Notes the groups of a chain, where the order of releases counts. */
static void note_chain(sim *s, uint32_t chain)
{
    if (!s->gpu->look_step_ns)
        return;
    for (uint32_t g = chain; g != NONE; g = s->groups[g].next) {
        const sim_group *group = &s->groups[g];
        released_group released = {group->op,  group->rank,    group->count,
                                   group->age, group->quarter, s->sms.order[group->rank]};
        if (!vec_push(&s->released, released))
            sim_fail_memory(s);
    }
}

void released_collect(sim *s)
{
    while (tournament_first(&s->releases) <= s->now) {
        uint32_t chain = tournament_winner(&s->releases);
        tournament_set(&s->releases, chain, TOURNAMENT_OUT);
        note_chain(s, chain);
        for (uint32_t g = chain, next; g != NONE; g = next) {
            next = s->groups[g].next;
            group_release(s, g);
        }
    }
}

/* The groups block by block; false without memory. */
static bool list_blocks(sim *s)
{
    s->released_blocks.count = 0;
    for (size_t i = 0; i < s->released.count; i++) {
        const released_group *group = &s->released.at[i];
        const gcast_op *op = sim_spec(s, group->op);
        released_block block = {.entry = s->state[group->op].entry,
                                .demand = s->state[group->op].demand,
                                .rank = group->rank,
                                .sm = group->sm,
                                .quarter = group->quarter,
                                .age = group->age,
                                .sleeps = s->tick.period_ns && op->body == GCAST_BODY_SPIN &&
                                          op->policy == GCAST_POLICY_HARDWARE && !op->launches &&
                                          !attributes_waits(op) && !is_child(s, group->op)};
        for (uint32_t n = 0; n < group->count; n++) {
            if (!vec_push(&s->released_blocks, block))
                return false;
            block.quarter = sm_quarter_after(block.quarter, block.demand, 1);
        }
    }
    return true;
}

static release_answer dispatch_head(void *context)
{
    return execution_head_starts(context) ? RELEASE_WAITING : RELEASE_DONE;
}

void released_dispatch(sim *s)
{
    release_spread spread = {0};
    s->tick.after_release = s->released.count > 0;
    for (size_t i = 1; i < s->released.count; i++)
        release_spread_add(&spread, s->gpu, s->released.at[0].sm, s->released.at[i].sm);
    release_order order = release_order_of(spread, s->tick.period_ns);
    if (order != RELEASE_AT_ONCE && !s->clusters_queued && !execution_takes_all(s)) {
        s->in_release_order = true;
        if (list_blocks(s))
            release_in_order(&s->sms, s->gpu, order, s->released_blocks.at, s->released_blocks.count, dispatch_head, s);
        else
            sim_fail_memory(s);
        s->in_release_order = false;
    }
    s->released.count = 0;
    execution_dispatch(s);
}
