/* Blocks of kernels that launch, of children and of rests: their durations, and when these operations are complete. */
#include "simulate/engine/child_blocks.h"

#include <stdlib.h>

#include "base/integers.h"
#include "simulate/duration.h"
#include "simulate/engine/execution_queue.h"
#include "simulate/engine/hosts.h"
#include "simulate/engine/launch_path.h"
#include "simulate/engine/launch_state.h"
#include "simulate/engine/state.h"
#include "simulate/engine/stream_queue.h"

/* How many streams the children of a kernel may need: they share one, or launchers take streams in turn. */
static uint32_t stream_count(const gcast_launches *l, uint64_t launchers)
{
    if (l->wait == GCAST_CHILD_WAIT_TAIL || l->stream == GCAST_CHILD_STREAM_NAMED)
        return 1;
    return l->stream == GCAST_CHILD_STREAM_IN_TURN ? (uint32_t)min_u64(l->streams, launchers) : 0;
}

void parent_start(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    const gcast_launches *l = op->launches;
    sim_parent *p = calloc(1, sizeof *p);
    if (!p) {
        sim_fail_memory(s);
        return;
    }
    s->state[o].launching = p;
    p->launches = l;
    p->policy = s->options->override_spawn ? s->options->spawn_policy : l->policy;
    p->threshold = s->options->override_spawn ? s->options->spawn_threshold : l->threshold;
    if (is_child(s, o)) {
        p->block_launchers = launches_items_per_block(child_of(s, o)->by);
        p->first_launcher = launches_first_item(child_of(s, o)->by, child_of(s, o)->launcher);
        p->launcher_count = child_of(s, o)->items;
    } else {
        p->block_launchers = launches_per_block(l, op->shape.threads);
        p->launcher_count = l->launchers;
    }
    p->stream_count = stream_count(l, p->launcher_count);
    if (p->stream_count && !(p->streams = malloc(p->stream_count * sizeof *p->streams)))
        sim_fail_memory(s);
    for (uint32_t i = 0; p->streams && i < p->stream_count; i++)
        p->streams[i] = NONE;
}

void parent_free(sim *s, uint32_t o)
{
    sim_parent *p = s->state[o].launching;
    if (!p)
        return;
    free(p->streams);
    free(p);
    s->state[o].launching = NULL;
}

int64_t child_block_ns(const sim *s, uint32_t o, uint64_t block)
{
    const sim_op *x = &s->state[o];
    const sim_child *c = is_child(s, o) ? child_of(s, o) : NULL;
    if (c && c->is_rest)
        return c->by->after_ns;
    int64_t ns = duration_of(sim_spec(s, o), x->op, x->job, block, s->options);
    if (c)
        ns += launches_block_items_ns(c->by, launches_block_items(c->by, c->items, (uint32_t)block));
    return ns;
}

void child_block_ends_at(sim *s, uint32_t o, uint64_t block, int64_t start, int64_t end)
{
    sim_launches *l = s->launch;
    const sim_child *c = child_of(s, o);
    if (!l->has_controller || c->is_rest)
        return;
    uint32_t threads = (uint32_t)sim_spec(s, o)->shape.threads;
    uint32_t items = min_u32(launches_block_items(c->by, c->items, (uint32_t)block), threads);
    if (!controller_block_ends_at(&l->controller, start, end, (items + LAUNCHES_WARP - 1) / LAUNCHES_WARP))
        sim_fail_memory(s);
}

int64_t child_block_starts(sim *s, uint32_t o, uint64_t block)
{
    int64_t ns = child_block_ns(s, o, block);
    if (s->launch->has_controller && !child_of(s, o)->is_rest) {
        controller_block_starts(&s->launch->controller, s->now);
        child_block_ends_at(s, o, block, s->now, s->now + ns);
    }
    return ns;
}

bool child_durations_equal(const sim *s, uint32_t o)
{
    return child_of(s, o)->durations_equal && !s->state[o].launching && !s->launch->has_controller;
}

void parent_block_starts(sim *s, uint32_t o, uint32_t group)
{
    sim_launches *l = s->launch;
    int64_t time = sim_add_ns(s, o, s->now, s->state[o].launching->launches->at_ns);
    if (l->has_controller && is_child(s, o))
        controller_block_starts(&l->controller, s->now);
    sim_push(s, &l->decisions, time, o, group);
}

void child_block_record(sim *s, uint32_t o, uint64_t block, gcast_block b)
{
    gcast_block *blocks = child_record_of(s, o)->blocks;
    if (blocks) /* else there was no memory */
        blocks[block] = b;
}

/* Kernels that launch are complete after their children and rests. A block that waits for its children has a rest,
 * which enters the EE queue then. */

/* The rest of a block enters now, if the block has come to its end and its children are complete. */
static void try_rest(sim *s, uint32_t waiting)
{
    sim_launches *l = s->launch;
    sim_waiting *w = &l->waiting.at[waiting];
    if (w->pending || !w->has_ended)
        return;
    if (!vec_push(&l->rests, ((due_rest){s->state[w->op].entry, w->op, w->block})))
        sim_fail_memory(s);
    w->op = l->free_waiting;
    l->free_waiting = waiting;
}

void completion_block_waits(sim *s, uint32_t waiting)
{
    s->launch->waiting.at[waiting].has_ended = true;
    try_rest(s, waiting);
}

/* All children of o are complete. */
static void free_parent(sim *s, uint32_t o)
{
    const sim_parent *p = s->state[o].launching;
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i] != NONE)
            path_leave_stream(s, p->streams[i]);
    parent_free(s, o);
}

/* The blocks of o have ended, and its children and rests are complete. An operation of the workload is complete now, a
 * child some time later. */
static void end_operation(sim *s, uint32_t o)
{
    if (s->state[o].launching)
        free_parent(s, o);
    if (!is_child(s, o)) {
        s->ops[o].end_ns = s->now;
        stream_complete(s, o);
        host_complete(s, o);
        return;
    }
    child_of(s, o)->end_ns = s->now;
    if (!child_of(s, o)->is_rest)
        path_ended(s, o);
    if (child_of(s, o)->is_rest || !s->gpu->child_end_ns)
        completion_complete(s, o);
    else
        fifo_add(s, &s->launch->completing, o);
}

void completion_complete(sim *s, uint32_t o)
{
    const sim_child *c = child_of(s, o);
    uint32_t parent = c->parent;
    sim_parent *p = s->state[parent].launching;
    if (!c->is_rest) {
        s->launch->live--;
        if (!s->gpu->child_pool_grows)
            s->launch->in_pool--;
        if (!c->grid_has_left)
            s->resident_grids--;
        launch_stats_child(s, o);
        if (c->waiting != NONE) {
            s->launch->waiting.at[c->waiting].pending--;
            try_rest(s, c->waiting);
        }
    }
    child_slot_drop(s, o);
    if (--p->pending == 0 && p->blocks_ended)
        end_operation(s, parent);
}

void completion_collect(sim *s)
{
    sim_fifo *completing = &s->launch->completing;
    while (completion_next_time(s) <= s->now) {
        uint32_t o = completing->first;
        fifo_drop(s, completing);
        sim_push(s, &s->ended, (int64_t)s->state[o].entry, EVENT_COMPLETE, o);
    }
}

/* The blocks of o have ended: it stops being a resident grid, a child some time later. */
static void leave_grids(sim *s, uint32_t o, bool has_ended)
{
    if (!is_child(s, o)) {
        s->resident_grids--;
    } else if (!child_of(s, o)->is_rest && !has_ended) {
        child_of(s, o)->grid_has_left = true;
        if (!s->gpu->child_end_ns)
            s->resident_grids--;
        else
            sim_push(s, &s->events, sim_add_ns(s, o, s->now, s->gpu->child_end_ns), EVENT_GRID, o);
    }
}

void completion_blocks_ended(sim *s, uint32_t o)
{
    sim_parent *p = s->state[o].launching;
    bool has_ended = !p || !p->pending;
    leave_grids(s, o, has_ended);
    if (is_child(s, o)) {
        if (s->launch->records)
            child_record_of(s, o)->blocks_end_ns = s->now;
        path_blocks_ended(s, o);
    }
    if (p) {
        p->blocks_ended = true;
        path_open_tail(s, p);
    }
    if (has_ended)
        end_operation(s, o);
}

static int by_entry_and_block(const void *a, const void *b)
{
    const due_rest *x = a, *y = b;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

static void enter_rest(sim *s, const due_rest *due)
{
    const gcast_launches *launches = s->state[due->parent].launching->launches;
    uint32_t o = child_slot_new(s, s->state[due->parent].op, s->state[due->parent].job, 1);
    if (o == NONE)
        return;
    sim_child *c = child_of(s, o);
    c->head_ns = c->enter_ns = s->now;
    if (s->launch->records)
        child_record_of(s, o)->arrive_ns = s->now;
    s->state[o].entry = s->entries++;
    c->by = launches;
    c->parent = due->parent;
    c->parent_block = due->block;
    c->is_rest = true;
    c->durations_equal = true;
    c->pool_ns = s->now;
    s->state[o].demand = s->state[due->parent].demand;
    s->state[o].resident_kind = s->state[due->parent].resident_kind;
    s->blocks_total++;
    execution_enter_level(s, o, s->state[due->parent].level);
}

void completion_enter_rests(sim *s)
{
    sim_launches *l = s->launch;
    if (l->rests.count > 1)
        qsort(l->rests.at, l->rests.count, sizeof *l->rests.at, by_entry_and_block);
    for (size_t i = 0; i < l->rests.count && s->status == GCAST_OK; i++)
        enter_rest(s, &l->rests.at[i]);
    l->rests.count = 0;
}
