/* When kernels that launch, children and rests are complete, and blocks that wait for their children: their rests. */
#include "simulate/launch/completion.h"

#include "simulate/dispatch/execution_queue.h"
#include "simulate/engine/hosts.h"
#include "simulate/engine/stream_queue.h"
#include "simulate/launch/child_blocks.h"
#include "simulate/launch/child_slots.h"
#include "simulate/launch/launch_path.h"
#include "simulate/launch/launch_stats.h"
#include "simulate/state/failure.h"
#include "simulate/state/fifo.h"

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

/* All of the execution's children are complete. */
static void free_parent(sim *s, uint32_t o)
{
    const sim_parent *p = s->state[o].launching;
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i] != NONE)
            path_leave_stream(s, p->streams[i]);
    parent_free(s, o);
}

/* Of the kernel o, blocks have ended and children and rests are complete: an operation of the workload is complete, a
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

/* The blocks of o have ended: it is no resident grid any more, a child some time later. */
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
