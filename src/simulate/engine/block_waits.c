/* Programmatic launches, blocks that wait after their start, and what is recorded of a run that hangs. */
#include "simulate/engine/block_waits.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/integers.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "simulate/engine/graph_nodes.h"
#include "simulate/engine/groups.h"
#include "simulate/engine/state.h"

/* Does the workload have programmatic kernels, or blocks that wait? */
static bool workload_waits(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].programmatic || attributes_waits(&w->ops[i]))
            return true;
    return false;
}

/* Does some edge wait for the trigger of the node o, whose blocks trigger at different times after their starts? */
static bool node_triggers(const sim *s, uint32_t o)
{
    return sim_spec(s, o)->kind == GCAST_KIND_KERNEL && sim_spec(s, o)->trigger_ns != GCAST_NEVER &&
           graph_needs_trigger(s, o) && !group_durations_equal(s, o);
}

static bool any_node_triggers(const sim *s)
{
    bool any = false;
    for (uint32_t o = 0; s->graph && o < s->op_count && !any; o++)
        any = node_triggers(s, o);
    return any;
}

/* Links each kernel to those whose blocks wait for it, and counts what each operation's blocks wait for: kernels, or
 * nodes of a graph. */
static void link_edges(sim *s, sim_waits *all)
{
    uint32_t count = 0;
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        if (s->graph && attributes_waits(op))
            all->ops[o].pending = s->graph->nodes[o].undone;
        for (size_t k = 0; k < op->waits_for_count; k++) {
            sim_wait_op *named = &all->ops[dependencies_operation(o, s->ops[o].op, op->waits_for[k])];
            all->edges[count] = (sim_wait_edge){o, named->first_edge};
            named->first_edge = count++;
            all->ops[o].pending++;
        }
    }
}

/* Blocks that wait, and those whose triggers count, start one by one. */
static void set_starts(sim *s)
{
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        bool triggers = s->waits && s->waits->has_programmatic && op->trigger_ns != GCAST_NEVER && !graph_has(s, o);
        s->state[o].starts_each = attributes_waits(op) || triggers || node_triggers(s, o);
        s->state[o].starts_whole = op->cooperative;
    }
}

bool wait_tables_init(sim *s)
{
    size_t edges = 0, ops = (size_t)s->op_count + 1;
    bool may_hang = workload_waits(s->w);
    if (may_hang || any_node_triggers(s)) {
        sim_waits *all = s->waits = calloc(1, sizeof *all);
        for (uint32_t o = 0; o < s->op_count; o++)
            edges += sim_spec(s, o)->waits_for_count;
        if (!all || edges >= NONE)
            return false;
        all->ops = calloc(ops, sizeof *all->ops);
        all->edges = calloc(edges + 1, sizeof *all->edges);
        all->called = calloc(s->w->stream_count + 1, sizeof *all->called);
        all->departed = calloc(s->w->stream_count + 1, sizeof *all->departed);
        if (!all->ops || !all->edges || !all->called || !all->departed)
            return false;
        for (uint32_t o = 0; o < s->op_count; o++)
            all->ops[o].before = all->ops[o].behind = all->ops[o].first_edge = NONE;
        all->may_hang = may_hang;
        all->gap_ns = programmatic_gap_of(s->gpu);
        all->wait_gap_ns = programmatic_wait_of(s->gpu);
        all->node_gap_ns = programmatic_node_wait_of(s->gpu);
        all->depth = (uint64_t)programmatic_depth_of(s->gpu);
        for (size_t i = 0; i < s->w->op_count; i++)
            all->has_programmatic = all->has_programmatic || s->w->ops[i].programmatic;
        link_edges(s, all);
    }
    set_starts(s);
    return true;
}

void wait_tables_free(sim *s)
{
    sim_waits *all = s->waits;
    if (!all)
        return;
    for (uint32_t o = 0; all->ops && o < s->op_count; o++)
        vec_free(&all->ops[o].blocks);
    vec_free(&all->triggers.items);
    vec_free(&all->candidates.items);
    free(all->ops);
    free(all->edges);
    free(all->called);
    free(all->departed);
    free(all);
    s->waits = NULL;
}

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

/* A block of o triggers at this time, or ends. */
static void programmatic_trigger(sim *s, uint32_t o, int64_t time)
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

/* The end of a block is known: records the block, and sets its release and trigger. */
static void set_end(sim *s, uint32_t o, const waiting_block *w, int64_t end, int64_t trigger)
{
    sim_wait_op *x = &s->waits->ops[o];
    block_store(s, o, w->block, group_block(s, &s->groups[w->group], w->start_ns, end));
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

/* Sets the end of o, if the ends of all its blocks are known. */
static void try_end(sim *s, uint32_t o)
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
        try_end(s, o);
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
        try_end(s, o);
}

bool hang_found(const sim *s)
{
    bool left = false;
    for (uint32_t o = 0; s->waits && s->waits->may_hang && o < s->op_count; o++)
        left = left || (s->ops[o].call_ns >= 0 && s->ops[o].end_ns < 0 && gcast_kind_on_gpu(sim_spec(s, o)->kind));
    return left;
}

/* The last time at which anything happened to o. */
static int64_t last_time(const sim *s, uint32_t o)
{
    const gcast_run_op *r = &s->ops[o];
    const waiting_blocks *blocks = &s->waits->ops[o].blocks;
    int64_t last = max_i64(max_i64(r->call_ns, r->return_ns), max_i64(r->arrive_ns, r->head_ns));
    last = max_i64(last, max_i64(r->enter_ns, max_i64(r->dispatched_ns, r->end_ns)));
    if (s->state[o].dispatched)
        last = max_i64(last, s->state[o].last_end_ns);
    for (size_t i = 0; i < blocks->count; i++)
        last = max_i64(last, blocks->at[i].start_ns + sim_spec(s, o)->wait_ns);
    return last;
}

/* Blocks of o that wait end with the run, and the blocks left never start. */
static bool record_blocks(sim *s, uint32_t o, int64_t time)
{
    const gcast_run_op *r = &s->ops[o];
    const waiting_blocks *waiting = &s->waits->ops[o].blocks;
    gcast_block *blocks = s->blocks && r->blocks ? s->blocks + (r->blocks - s->blocks) : NULL;
    bool ok = true;
    for (size_t i = 0; i < waiting->count && ok; i++) {
        const waiting_block *w = &waiting->at[i];
        gcast_block b = group_block(s, &s->groups[w->group], w->start_ns, time);
        if (blocks)
            blocks[w->block] = b;
        else
            ok = window_add(&s->window, o, w->block, b);
    }
    for (uint64_t b = s->state[o].dispatched; blocks && b < r->block_count; b++)
        blocks[attributes_block_at(sim_spec(s, o), b)] = (gcast_block){.start_ns = -1, .end_ns = -1};
    return ok;
}

/* A call that was made and never returns, or was never made. */
static void settle_call(gcast_run_op *r, const gcast_op *op)
{
    if (r->call_ns < 0)
        r->skipped = true;
    else if (!gcast_kind_on_gpu(op->kind) && r->start_ns < 0)
        r->start_ns = r->dispatched_ns = r->call_ns;
}

bool hang_record(sim *s, gcast_run *run)
{
    gcast_hang *hang = arena_alloc(s->run_memory, sizeof *hang);
    gcast_hung_op *ops = arena_alloc_array(s->run_memory, (size_t)s->op_count + 1, sizeof *ops);
    if (!hang || !ops)
        return false;
    *hang = (gcast_hang){.ops = ops};
    for (uint32_t o = 0; o < s->op_count; o++)
        hang->time_ns = max_i64(hang->time_ns, last_time(s, o));
    for (uint32_t o = 0; o < s->op_count; o++) {
        gcast_run_op *r = &s->ops[o];
        const gcast_op *op = sim_spec(s, o);
        settle_call(r, op);
        if (r->skipped || r->end_ns >= 0 || !gcast_kind_on_gpu(op->kind))
            continue;
        uint64_t left = op->kind == GCAST_KIND_KERNEL ? r->block_count - s->state[o].dispatched : 0;
        ops[hang->op_count++] = (gcast_hung_op){o, s->waits->ops[o].blocks.count, left};
        if (!record_blocks(s, o, hang->time_ns))
            return false;
    }
    run->hang = hang;
    run->end_ns = hang->time_ns;
    return true;
}
