/* The execution engine. A1: a kernel enters the queue of its priority. X1, A2:
 * only the head of the highest queue that is not empty may start blocks. G3: it
 * leaves when its last block has started.
 *
 * Costs: entering and leaving a queue O(1). Starting blocks: a head that is new
 * looks at every SM once; one that was stopped by lack of room looks only at SMs
 * where room came back. Blocks of one kernel with equal durations that start
 * together are one event, a chain of one group an SM. */
#include <stdlib.h>
#include <string.h>

#include "simulate/machine.h"

void execution_enter(sim *s, uint32_t o)
{
    const gcast_stream *stream = &s->w->streams[sim_spec(s, o)->stream];
    int lowest = s->gpu->priority_levels - 1;
    int level = stream->priority >= 0 ? lowest : stream->priority <= -lowest ? 0 : lowest + stream->priority;
    s->state[o].level = level;
    fifo_add(s, &s->levels[level], o, queue_next);
    s->level_bits |= UINT64_C(1) << level;
    s->queued++;
}

/* X1, A2: the head of the highest queue, passing over those that wait for the
 * limit of resident grids: only a kernel that is resident can end that wait. */
static uint32_t head(const sim *s)
{
    int limit = s->gpu->limits.resident_grids;
    bool full = limit && s->resident_grids >= (uint32_t)limit;
    for (uint64_t bits = s->level_bits; bits; bits &= bits - 1) {
        uint32_t o = s->levels[__builtin_ctzll(bits)].first;
        if (!full || s->state[o].started)
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

static uint32_t group_new(sim *s)
{
    if (s->group_free != NONE) {
        uint32_t g = s->group_free;
        s->group_free = s->groups[g].next;
        return g;
    }
    if (!vec_grow((void **)&s->groups, &s->group_cap, s->group_count + 1, sizeof *s->groups)) {
        sim_fail_memory(s);
        return NONE;
    }
    return (uint32_t)s->group_count++;
}

/* Room for n blocks of o on the SM of this rank, as a group in front of `chain`. */
static uint32_t take(sim *s, uint32_t o, uint32_t rank, uint32_t n, uint32_t chain)
{
    uint32_t g = group_new(s);
    if (g == NONE)
        return chain;
    sim_group *group = &s->groups[g];
    *group = (sim_group){.next = chain, .op = o, .sm = rank, .count = n, .total = n};
    if (chain != NONE)
        group->total += s->groups[chain].total;
    sm_take(&s->sms.at[rank], s->place.demand, n, group->warps);
    if (!s->place.demand->even) /* the next block starts at another quarter, where it may fit */
        s->sms.dirty[rank / 64] |= UINT64_C(1) << (rank % 64);
    s->state[o].groups++;
    s->state[o].resident += n;
    s->groups_live++;
    return g;
}

void execution_room(sim *s, uint32_t chain)
{
    for (uint32_t g = chain, next; g != NONE; g = next) {
        sim_group *group = &s->groups[g];
        sim_op *x = &s->state[group->op];
        next = group->next;
        sm_give(&s->sms.at[group->sm], &s->demands[s->ops[group->op].op], group->count, group->warps);
        s->sms.dirty[group->sm / 64] |= UINT64_C(1) << (group->sm % 64);
        x->groups--;
        x->resident -= group->count;
        s->groups_live--;
        group->next = s->group_free;
        s->group_free = g;
    }
}

static void end_at(sim *s, uint32_t o, uint32_t chain, int64_t duration)
{
    int64_t end = sim_after(s, o, s->now, duration);
    if (end > s->state[o].last_end)
        s->state[o].last_end = end;
    sim_push(s, &s->rooms, sim_after(s, o, end, s->gpu->handover_ns), 0, chain);
}

/* One event for all blocks that start now. */
static void start_together(sim *s, uint32_t o, int64_t duration)
{
    uint32_t chain = NONE;
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        if (s->place.counts[i])
            chain = take(s, o, s->place.picks[i], s->place.counts[i], chain);
    end_at(s, o, chain, duration);
    s->state[o].started += s->place.fit;
    s->blocks_started += s->place.fit;
}

static void record(sim *s, uint32_t o, uint64_t block, uint32_t rank, uint32_t quarter, int64_t duration)
{
    gcast_block *b = (gcast_block *)&s->ops[o].blocks[block];
    *b = (gcast_block){
        .start_ns = s->now, .end_ns = s->now + duration, .sm = (uint32_t)s->sms.order[rank], .quarter = quarter};
}

/* The next block of o, as an event of its own. */
static void start_one(sim *s, uint32_t o, uint32_t rank)
{
    const gcast_run_op *r = &s->ops[o];
    uint64_t block = s->state[o].started++;
    uint32_t quarter = (uint32_t)s->sms.at[rank].next_quarter;
    int64_t duration = gcast_block_duration(sim_spec(s, o), r->op, r->job, block, s->options);
    end_at(s, o, take(s, o, rank, 1, NONE), duration);
    if (r->blocks)
        record(s, o, block, rank, quarter, duration);
    s->blocks_started++;
    s->sms.last = rank;
}

static void start_each(sim *s, uint32_t o)
{
    for (uint64_t i = 0; i < s->place.fit && s->status == GCAST_OK; i++)
        start_one(s, o, s->place.order[i]);
}

/* Blocks of equal duration are recorded one by one, but still end as one event. */
static void record_together(sim *s, uint32_t o, int64_t duration)
{
    uint64_t first = s->state[o].started;
    uint32_t *quarter = s->quarter_scratch;
    uint32_t warps = (uint32_t)s->place.demand->warps;
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        quarter[s->place.picks[i]] = (uint32_t)s->sms.at[s->place.picks[i]].next_quarter;
    for (uint64_t i = 0; i < s->place.fit; i++) {
        uint32_t rank = s->place.order[i];
        record(s, o, first + i, rank, quarter[rank], duration);
        if (s->gpu->register_quarters)
            quarter[rank] = (quarter[rank] + warps) % GCAST_QUARTERS;
    }
}

bool execution_equal(const sim *s, const gcast_op *op)
{
    return !op->block_ns && (op->min_ns == op->max_ns || s->options->durations != GCAST_DURATIONS_RANDOM);
}

/* Start what was placed. */
static void start_placed(sim *s, uint32_t o)
{
    gcast_run_op *r = &s->ops[o];
    if (!s->place.fit)
        return;
    if (!s->state[o].started) {
        r->start_ns = s->now;
        s->resident_grids++;
    }
    if (!execution_equal(s, sim_spec(s, o))) {
        start_each(s, o);
        return;
    }
    int64_t duration = gcast_block_duration(sim_spec(s, o), r->op, r->job, 0, s->options);
    if (r->blocks)
        record_together(s, o, duration);
    start_together(s, o, duration);
}

/* o fits on no SM now: until room comes back nobody needs to look again who needs
 * as much. With a mask that is known of its own SMs only. */
static void stopped(sim *s, uint32_t o)
{
    s->blocked = o;
    s->full = sim_spec(s, o)->mask == GCAST_ALL_SMS ? &s->demands[s->ops[o].op] : NULL;
    memset(s->sms.dirty, 0, ((size_t)s->sms.count + 63) / 64 * sizeof *s->sms.dirty);
}

/* Start what fits of the head o; false when some of it does not. */
static bool start(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    const gcast_run_op *r = &s->ops[o];
    placement *p = &s->place;
    p->demand = &s->demands[r->op];
    p->mask = op->mask;
    p->every_sm = s->blocked != o && !(s->full && sm_demand_covers(p->demand, s->full));
    p->ordered = !execution_equal(s, op) || r->blocks;
    p->wanted = r->block_count - s->state[o].started;
    if (!placement_choose(p, &s->sms, s->gpu->placement, s->w))
        sim_fail_memory(s);
    else
        start_placed(s, o);
    if (s->state[o].started == r->block_count)
        return true;
    stopped(s, o);
    return false;
}

/* G3: all of its blocks have started. */
static void dispatched(sim *s, uint32_t o)
{
    gcast_run_op *r = &s->ops[o];
    r->dispatched_ns = s->now;
    r->end_ns = s->state[o].last_end;
    sim_push(s, &s->events, r->end_ns, EVENT_DONE, o);
    s->blocked = NONE;
    leave(s, o);
}

void execution_dispatch(sim *s)
{
    for (uint32_t o; s->status == GCAST_OK && (o = head(s)) != NONE && start(s, o);)
        dispatched(s, o);
}

/* Room came back on one SM only, so that is where blocks of o go, if any fit. */
static void refill(sim *s, uint32_t o, uint32_t chain)
{
    uint32_t rank = s->groups[chain].sm;
    placement *p = &s->place;
    execution_room(s, chain);
    p->demand = &s->demands[s->ops[o].op];
    p->mask = sim_spec(s, o)->mask;
    p->every_sm = false;
    p->ordered = true;
    p->wanted = s->ops[o].block_count - s->state[o].started;
    if (!placement_choose_one(p, &s->sms, rank, s->w))
        sim_fail_memory(s);
    else
        start_placed(s, o);
}

/* The room of a group goes from its kernel to o, which needs as much. */
static void hand_over(sim *s, uint32_t o, sim_group *group)
{
    sim_op *from = &s->state[group->op], *to = &s->state[o];
    from->groups--;
    from->resident -= group->count;
    to->groups++;
    to->resident += group->count;
    group->op = o;
    if (!to->started) {
        s->ops[o].start_ns = s->now;
        s->resident_grids++;
    }
}

/* As many blocks of o as ended start where those were, without a look at any SM. */
static void restart(sim *s, uint32_t o, sim_group *group)
{
    gcast_run_op *r = &s->ops[o];
    sim_op *x = &s->state[o];
    if (group->op != o)
        hand_over(s, o, group);
    heap_item top = s->rooms.items.at[0];
    int64_t duration = gcast_block_duration(sim_spec(s, o), r->op, r->job, x->started, s->options);
    int64_t end = sim_after(s, o, s->now, duration);
    if (r->blocks)
        record(s, o, x->started, group->sm, (uint32_t)s->sms.at[group->sm].next_quarter, duration);
    x->started += group->total;
    s->blocks_started += group->total;
    if (end > x->last_end)
        x->last_end = end;
    if (group->next == NONE)
        s->sms.last = group->sm;
    top.time = sim_after(s, o, end, s->gpu->handover_ns);
    heap_fill_root(s->rooms.items.at, s->rooms.items.count, top);
}

/* Would exactly as many blocks of o fit where this group ends? They would if nothing
 * had room before, the group's blocks need what those of o need, and their warps fill
 * the quarters alike. */
static bool replaces(const sim *s, uint32_t o, const sim_group *group)
{
    const gcast_run_op *r = &s->ops[o];
    bool own = group->op == o;
    if (s->shapes[s->ops[group->op].op] != s->shapes[r->op] || !s->demands[r->op].even ||
        group->total > r->block_count - s->state[o].started)
        return false;
    if (group->total == 1)
        return own || sim_spec(s, o)->mask == GCAST_ALL_SMS;
    return own && !r->blocks && s->gpu->placement != GCAST_PLACE_ROUND_ROBIN;
}

/* The head o waits for room, and the next that comes back does so alone at its time:
 * blocks of o take the place of the group that ends, whatever the policy, or else
 * its SM is the only one to look at. */
static bool again(sim *s, uint32_t o, int64_t until)
{
    const heap_item *top = heap_top(&s->rooms);
    if (!top || top->time >= until || heap_tied(&s->rooms))
        return false;
    sim_group *group = &s->groups[top->id];
    bool same = replaces(s, o, group);
    if (!same && group->next != NONE)
        return false;
    s->now = top->time;
    if (same)
        restart(s, o, group);
    else
        refill(s, o, heap_pop(&s->rooms).id);
    return true;
}

void execution_repeat(sim *s, int64_t until)
{
    uint32_t o = s->blocked;
    while (o != NONE && s->status == GCAST_OK && again(s, o, until)) {
        if (s->state[o].started == s->ops[o].block_count) {
            dispatched(s, o);
            execution_dispatch(s);
            return;
        }
    }
}
