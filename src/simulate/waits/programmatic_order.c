#include "simulate/waits/programmatic_order.h"

#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "simulate/graph/graph_nodes.h"
#include "simulate/state/failure.h"

void programmatic_call(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    sim_waits *all = s->waits;
    sim_wait_op *x = &all->ops[o];
    uint32_t before = s->streams[op->stream].last_called;
    x->place = all->called[op->stream]++;
    if (!op->programmatic || before == NONE || graph_has(s, before))
        return;
    x->before = before;
    all->ops[before].behind = o;
    if (!s->host_ops[before].complete)
        x->pending += attributes_waits(op);
    else
        x->open_ns = max_i64(x->open_ns, sim_add_ns(s, o, s->ops[before].end_ns, all->wait_gap_ns));
}

/* All blocks of o have triggered by this time. */
static void all_trigger(sim *s, uint32_t o, int64_t time)
{
    int64_t seen = sim_add_ns(s, o, time, s->waits->gap_ns);
    sim_push(s, &s->waits->triggers, seen, 0, o);
    s->host_side_ns = min_i64(s->host_side_ns, seen);
}

void programmatic_trigger(sim *s, uint32_t o, int64_t time)
{
    sim_wait_op *x = &s->waits->ops[o];
    x->trigger_ns = max_i64(x->trigger_ns, time);
    if (++x->triggers_known < s->state[o].launch_blocks)
        return;
    all_trigger(s, o, x->trigger_ns);
    if (s->graph)
        graph_triggered(s, o, x->trigger_ns);
}

int64_t programmatic_next_time(const sim *s)
{
    const heap_item *top = heap_top(&s->waits->triggers);
    return top ? top->time : INT64_MAX;
}

bool programmatic_is_head(const sim *s, uint32_t o)
{
    const sim_waits *all = s->waits;
    const sim_wait_op *x = &all->ops[o];
    return x->before != NONE && all->ops[x->before].has_triggered &&
           x->place - all->departed[sim_spec(s, o)->stream] < all->depth;
}

uint32_t programmatic_next(const sim *s, uint32_t first)
{
    while (first != NONE && s->ops[first].head_ns >= 0)
        first = s->host_ops[first].stream_next;
    return first;
}

uint32_t programmatic_candidate(sim *s)
{
    sim_waits *all = s->waits;
    for (const heap_item *top; (top = heap_top(&all->triggers)) && top->time <= s->now;) {
        sim_wait_op *x = &all->ops[heap_pop(&all->triggers).id];
        x->has_triggered = true;
        if (x->behind != NONE)
            sim_push(s, &all->candidates, (int64_t)s->ops[x->behind].launch, 0, x->behind);
    }
    return heap_top(&all->candidates) ? heap_pop(&all->candidates).id : NONE;
}

bool programmatic_completes(sim *s, uint32_t o)
{
    sim_wait_op *x = &s->waits->ops[o];
    bool triggers_now = x->triggers_known < s->state[o].launch_blocks; /* with its last blocks */
    if (triggers_now && s->waits->has_programmatic)
        all_trigger(s, o, s->now);
    if (triggers_now && s->graph && s->state[o].starts_each)
        graph_triggered(s, o, s->now);
    if (x->before == NONE || s->host_ops[x->before].complete)
        return true;
    x->blocks_ended = true;
    s->ops[o].end_ns = -1;
    return false;
}

uint32_t programmatic_waiting(const sim *s, uint32_t first)
{
    while (first != NONE && s->host_ops[first].ready)
        first = s->host_ops[first].stream_next;
    return first;
}
