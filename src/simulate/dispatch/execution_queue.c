/* The execution engine. A1: a kernel enters the queue of its priority. X1, A2:
 * only the head of the highest queue that is not empty may start blocks. G3: it
 * leaves when its last block has started.
 *
 * Costs: entering and leaving a queue O(1). Starting blocks: a head that is new
 * looks at every SM once; one that was stopped by lack of room looks only at SMs
 * where room came back. Blocks of one kernel with equal durations that start
 * together are one event, a chain of one group an SM. */
#include "simulate/dispatch/execution_queue.h"

#include <string.h>

#include "model/gpu/level.h"
#include "simulate/dispatch/groups.h"
#include "simulate/state/failure.h"
#include "simulate/state/fifo.h"

void execution_enter(sim *s, uint32_t o)
{
    const gcast_stream *stream = &s->w->streams[sim_spec(s, o)->stream];
    int level = level_of_priority(s->gpu, stream->priority);
    s->state[o].level = level;
    fifo_add(s, &s->levels[level], o, queue_next);
    s->level_bits |= UINT64_C(1) << level;
    s->queued++;
}

/* X1, A2: the head of the highest queue, passing over those that wait for the
 * limit of resident grids: only a kernel that is resident can end that wait. */
static uint32_t head(const sim *s)
{
    bool limited = grid_limit_reached(s->gpu, s->resident_grids);
    for (uint64_t bits = s->level_bits; bits; bits &= bits - 1) {
        uint32_t o = s->levels[__builtin_ctzll(bits)].first;
        if (!limited || s->state[o].started)
            return o;
    }
    return NONE;
}

static void leave(sim *s, uint32_t o)
{
    sim_fifo *queue = &s->levels[s->state[o].level];
    fifo_drop(s, queue, queue_next);
    if (queue->first == NONE)
        s->level_bits &= ~(UINT64_C(1) << s->state[o].level);
    s->queued--;
}

/* o fits on no SM now: until room comes back nobody needs to look again who needs
 * as much. With a mask that is known of its own SMs only. */
static void stopped(sim *s, uint32_t o)
{
    s->blocked = o;
    s->full = sim_spec(s, o)->mask == GCAST_ALL_SMS ? s->state[o].demand : NULL;
    memset(s->sms.dirty, 0, ((size_t)s->sms.count + 63) / 64 * sizeof *s->sms.dirty);
}

/* Does a block that needs d fit nowhere but perhaps where room came back? */
static bool as_much_was_stopped(const sim *s, const sm_demand *d)
{
    return s->full && sm_demand_covers(d, s->full) && (!s->sms.largest || d->size.least >= s->full->size.least);
}

/* What is to be placed of the head o, and where that could be. */
static void prepare(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    const gcast_run_op *r = &s->ops[o];
    placement *p = &s->place;
    p->demand = s->state[o].demand;
    p->mask = op->mask;
    p->every_sm = s->blocked != o && !as_much_was_stopped(s, p->demand);
    p->ordered = !group_durations_equal(s, op) || records(s, o, s->now);
    p->wanted = r->block_count - s->state[o].started;
}

/* Start what fits of the head o; false when some of it does not, or may not yet. */
static bool start(sim *s, uint32_t o)
{
    placement *p = &s->place;
    prepare(s, o);
    if (!placement_choose(p, &s->sms, s->gpu->placement, s->w))
        sim_fail_memory(s);
    else
        group_start_placed(s, o);
    if (s->state[o].started == s->ops[o].block_count)
        return true;
    if (!s->looking)
        stopped(s, o);
    return false;
}

bool execution_takes_all(sim *s)
{
    uint32_t o = head(s);
    if (o == NONE || s->now < s->switch_at)
        return true; /* nothing starts */
    prepare(s, o);
    if (s->sms.largest) /* an SM on which not all ends are seen keeps its size */
        return false;
    if (s->place.ordered || s->gpu->placement == GCAST_PLACE_ROUND_ROBIN)
        return false;
    uint64_t most = (uint64_t)s->sms.count * s->state[o].demand->most;
    return s->place.wanted >= most || s->place.wanted >= placement_room(&s->place, &s->sms, s->w);
}

void execution_dispatched(sim *s, uint32_t o)
{
    gcast_run_op *r = &s->ops[o];
    r->dispatched_ns = s->now;
    r->end_ns = s->state[o].last_end;
    sim_push(s, &s->events, r->end_ns, EVENT_DONE, o);
    s->blocked = NONE;
    s->switch_at = sim_after(s, o, s->now, s->gpu->switch_ns);
    leave(s, o);
}

bool execution_head_starts(sim *s)
{
    uint32_t o = head(s);
    if (!start(s, o))
        return true;
    execution_dispatched(s, o);
    return false;
}

void execution_dispatch(sim *s)
{
    for (uint32_t o; s->status == GCAST_OK && s->now >= s->switch_at && (o = head(s)) != NONE && start(s, o);)
        execution_dispatched(s, o);
}
