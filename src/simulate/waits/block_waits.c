#include "simulate/waits/block_waits.h"

#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "simulate/dispatch/groups.h"
#include "simulate/graph/state.h"
#include "simulate/waits/programmatic_order.h"

static void record(sim *s, uint32_t o, uint64_t block, gcast_block b)
{
    if (s->blocks)
        s->blocks[s->ops[o].blocks - s->blocks + (ptrdiff_t)block] = b;
    else if (!window_add(&s->window, o, block, b))
        sim_fail_record(s);
}

/* The end of a block is known, and with it everything else. */
static void set_end(sim *s, uint32_t o, const waiting_block *w, int64_t end, int64_t trigger)
{
    const sim_group *group = &s->groups[w->group];
    sim_wait_op *x = &s->waits->ops[o];
    record(s, o, w->block,
           (gcast_block){.start_ns = w->start_ns,
                         .end_ns = end,
                         .sm = (uint32_t)s->sms.order[group->rank],
                         .quarter = (uint32_t)group->quarter});
    s->state[o].last_end_ns = max_i64(s->state[o].last_end_ns, end);
    tournament_set(&s->releases, w->group, sim_add_ns(s, o, end, s->gpu->handover_ns));
    x->ends_known++;
    if (trigger != GCAST_NEVER)
        programmatic_trigger(s, o, min_i64(trigger, end));
}

/* What a block waits for has happened: it goes on, and ends. */
static void go_on(sim *s, uint32_t o, const waiting_block *w)
{
    const gcast_op *op = sim_spec(s, o);
    int64_t resume = max_i64(sim_add_ns(s, o, w->start_ns, op->wait_ns), s->waits->ops[o].open_ns);
    int64_t end = sim_add_ns(s, o, resume, max_i64(w->duration_ns - op->wait_ns, 1));
    bool triggers = op->trigger_ns != GCAST_NEVER && op->trigger_ns > op->wait_ns;
    set_end(s, o, w, end, triggers ? sim_add_ns(s, o, resume, op->trigger_ns - op->wait_ns) : GCAST_NEVER);
}

/* The next block of o starts, in a group of its own. */
static void start_block(sim *s, uint32_t o, uint32_t rank, uint32_t g)
{
    const gcast_op *op = sim_spec(s, o);
    sim_wait_op *x = &s->waits->ops[o];
    sim_op *state = &s->state[o];
    waiting_block w = {.block = attributes_block_at(op, state->dispatched++), .start_ns = s->now, .group = g};
    int64_t trigger = op->trigger_ns == GCAST_NEVER ? GCAST_NEVER : sim_add_ns(s, o, s->now, op->trigger_ns);
    s->blocks_dispatched++;
    s->sms.last = rank;
    if (!attributes_waits(op)) {
        w.duration_ns = block_duration_ns(s, o, rank, w.block);
        set_end(s, o, &w, sim_add_ns(s, o, s->now, w.duration_ns), trigger);
        return;
    }
    w.duration_ns = duration_of(op, state->op, state->job, w.block, s->options);
    if (op->trigger_ns <= op->wait_ns)
        programmatic_trigger(s, o, trigger);
    if (!x->pending)
        go_on(s, o, &w);
    else if (!vec_push(&x->blocks, w))
        sim_fail_memory(s);
}

void block_waits_start_on(sim *s, uint32_t o, uint32_t rank)
{
    uint32_t g = group_start(s, o, rank, 1, NONE);
    if (g == NONE)
        return;
    tournament_set(&s->releases, g, TOURNAMENT_OUT);
    start_block(s, o, rank, g);
}

void block_waits_start(sim *s, uint32_t o)
{
    if (s->place.fit)
        group_begin_placed(s, o);
    for (uint64_t i = 0; i < s->place.fit && s->status == GCAST_OK; i++)
        block_waits_start_on(s, o, s->place.order[i]);
}

/* It is known when the last block of o ends. */
static void try_done(sim *s, uint32_t o)
{
    const sim_op *state = &s->state[o];
    if (state->dispatched < state->launch_blocks || s->waits->ops[o].ends_known < state->launch_blocks)
        return;
    s->ops[o].end_ns = state->last_end_ns;
    sim_push(s, &s->events, state->last_end_ns, EVENT_DONE, o);
}

void block_waits_happened(sim *s, uint32_t o, int64_t time)
{
    sim_wait_op *x = &s->waits->ops[o];
    x->open_ns = max_i64(x->open_ns, time);
    if (--x->pending)
        return;
    for (size_t i = 0; i < x->blocks.count && s->status == GCAST_OK; i++)
        go_on(s, o, &x->blocks.at[i]);
    if (x->blocks.count) /* else they start later, or all have ended */
        try_done(s, o);
    x->blocks.count = 0;
}

void block_waits_nodes_done(sim *s)
{
    for (size_t i = 0; i < s->graph->opened.count && s->status == GCAST_OK; i++) {
        uint32_t o = s->graph->opened.at[i];
        block_waits_happened(s, o, sim_add_ns(s, o, s->now, s->waits->node_gap_ns));
    }
    s->graph->opened.count = 0;
}

void block_waits_dispatched(sim *s, uint32_t o)
{
    const sim_waits *all = s->waits;
    bool waited = all->ops[o].blocks.count > 0;
    for (uint32_t e = all->ops[o].first_edge; e != NONE; e = all->edges[e].next)
        block_waits_happened(s, all->edges[e].waiter, s->now);
    if (s->state[o].starts_each && !waited)
        try_done(s, o);
}
