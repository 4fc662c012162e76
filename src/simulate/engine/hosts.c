/* Host threads: when calls are made and when they return. Calls that are due at one time are made by index, the lowest
 * first. No call is made before a cudaFree that is under way returns (Yang et al., ECRTS 2018). Each call and return is
 * O(1), except for the heap of calls that are due now. Mallocs and frees are counted here too. */
#include "simulate/engine/hosts.h"

#include <stdlib.h>

#include "model/workload/workload.h"
#include "simulate/engine/graph_nodes.h"
#include "simulate/engine/state.h"
#include "simulate/engine/stream_queue.h"
#include "simulate/launchable.h"

bool memory_init(sim *s)
{
    bool any = false;
    for (size_t i = 0; i < s->w->op_count; i++)
        any = any || memory_takes(&s->w->ops[i]);
    if (!any || !s->gpu->memory_bytes)
        return true;
    s->memory.previous_malloc = calloc((size_t)s->op_count + 1, sizeof *s->memory.previous_malloc);
    s->memory.last_malloc = malloc((s->w->host_count + 1) * sizeof *s->memory.last_malloc);
    for (size_t h = 0; s->memory.last_malloc && h <= s->w->host_count; h++)
        s->memory.last_malloc[h] = NONE;
    return s->memory.previous_malloc && s->memory.last_malloc;
}

/* The last malloc of the host of this op that has not been freed. */
static uint32_t *last_malloc_of(sim *s, const gcast_op *op)
{
    return &s->memory.last_malloc[op->host == GCAST_NO_HOST ? s->w->host_count : (size_t)op->host];
}

/* A malloc is called; where it does not fit, the simulation fails. */
static void memory_take(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (!s->memory.last_malloc || op->host_memory)
        return;
    if (op->bytes > s->gpu->memory_bytes - s->memory.taken_bytes) {
        if (s->status == GCAST_OK)
            s->status = memory_fail(s->w, s->gpu, s->ops[o].op, s->memory.taken_bytes, s->err);
        return;
    }
    uint32_t *last = last_malloc_of(s, op);
    s->memory.taken_bytes += op->bytes;
    s->memory.previous_malloc[o] = *last;
    *last = o;
}

/* A free has returned. */
static void memory_release(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (!s->memory.last_malloc || op->host_memory || *last_malloc_of(s, op) == NONE)
        return;
    uint32_t *last = last_malloc_of(s, op);
    s->memory.taken_bytes -= sim_spec(s, *last)->bytes;
    *last = s->memory.previous_malloc[*last];
}

static void return_from(sim *s, uint32_t o);

/* o is due now. If it is too late for that, o and all later calls of its host are skipped. A graph's nodes are skipped
 * only with the first one of their launch. */
static void set_due(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (s->now < op->skip_ns && !s->ops[graph_first(s, o)].skipped) {
        sim_push(s, &s->due, o, 0, o);
        return;
    }
    s->has_skipped = true;
    for (; o != NONE; o = s->host_ops[o].host_next) {
        const gcast_op *skipped = sim_spec(s, o);
        s->ops[o].skipped = true;
        if (skipped->kind == GCAST_KIND_BARRIER)
            sim_barrier_of(s, o)->missing--;
    }
}

/* The calls of a barrier return when none is missing. */
static void check_barrier(sim *s, sim_barrier *b)
{
    if (b->missing)
        return;
    for (uint32_t o = b->waiter, next; o != NONE; o = next) {
        next = s->host_ops[o].waiter_next;
        return_from(s, o);
    }
    b->waiter = NONE;
}

/* Schedules a call of a host, whose previous call returned at this time. */
static void schedule(sim *s, uint32_t o, int64_t returned)
{
    const gcast_op *op = sim_spec(s, o);
    int64_t time = sim_add_ns(s, o, returned, op->delay_ns);
    if (time < op->release_ns)
        time = op->release_ns;
    s->ops[o].release_ns = time;
    if (time <= s->now)
        set_due(s, o);
    else
        sim_push(s, &s->events, time, EVENT_HOST, o);
}

static void return_from(sim *s, uint32_t o)
{
    gcast_run_op *r = &s->ops[o];
    r->return_ns = s->now;
    if (!gcast_kind_on_gpu(sim_spec(s, o)->kind)) {
        r->start_ns = r->dispatched_ns = r->call_ns;
        r->end_ns = s->now;
    }
    if (s->active_free == o) {
        s->active_free = NONE;
        memory_release(s, o);
    }
    if (s->host_ops[o].host_next != NONE)
        schedule(s, s->host_ops[o].host_next, s->now);
}

void outside_call(sim *s, uint32_t o)
{
    s->ops[o].release_ns = s->now;
    set_due(s, o);
}

void host_event(sim *s, uint32_t o)
{
    set_due(s, o);
    s->host_side_ns = s->now;
}

/* The call o returns when `target` is complete; NONE: now. */
static void wait_for(sim *s, uint32_t o, uint32_t target)
{
    if (target == NONE || s->host_ops[target].complete) {
        return_from(s, o);
        return;
    }
    s->host_ops[o].waiter_next = s->host_ops[target].waiter;
    s->host_ops[target].waiter = o;
}

/* The call o returns when all operations called before it are complete. */
static void wait_for_device(sim *s, uint32_t o)
{
    if (s->incomplete.first == NONE)
        return_from(s, o);
    else
        fifo_add(s, &s->device_waits, o);
}

static void call(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    s->host_ops[o].after_pause =
        s->gpu->copy_idle_ns && (s->last_call_ns < 0 || s->now - s->last_call_ns >= s->gpu->copy_idle_ns);
    s->last_call_ns = s->ops[o].call_ns = s->now;
    s->ops[o].launch = s->launches++;
    switch (op->kind) {
    case GCAST_KIND_KERNEL:
    case GCAST_KIND_COPY:
    case GCAST_KIND_MEMSET:
        stream_call(s, o);
        list_add(s, &s->incomplete, o, incomplete_prev, incomplete_next);
        wait_for(s, o, op->host_waits ? o : NONE);
        break;
    case GCAST_KIND_SYNC:
        if (op->stream >= 0)
            wait_for(s, o, s->streams[op->stream].last_called);
        else
            wait_for_device(s, o);
        break;
    case GCAST_KIND_FREE:
        s->active_free = o;
        wait_for_device(s, o);
        break;
    case GCAST_KIND_BARRIER: {
        sim_barrier *b = sim_barrier_of(s, o);
        b->missing--;
        s->host_ops[o].waiter_next = b->waiter;
        b->waiter = o;
        check_barrier(s, b);
        break;
    }
    case GCAST_KIND_MALLOC:
        memory_take(s, o);
        return_from(s, o);
        break;
    default:
        return_from(s, o);
    }
}

/* After calls were skipped, barriers may no longer miss a call. */
static void check_barriers(sim *s)
{
    for (size_t i = 0; i < s->barrier_count; i++)
        if (s->barriers[i].waiter != NONE)
            check_barrier(s, &s->barriers[i]);
}

void host_calls(sim *s)
{
    while (s->call_next < s->call_count && s->calls[s->call_next].release_ns <= s->now)
        set_due(s, s->calls[s->call_next++].op);
    for (;;) {
        while (s->has_skipped) { /* calls that follow a barrier may be skipped in turn */
            s->has_skipped = false;
            check_barriers(s);
        }
        if (s->status != GCAST_OK || s->active_free != NONE || !heap_top(&s->due))
            break;
        call(s, heap_pop(&s->due).id);
    }
}

void host_complete(sim *s, uint32_t o)
{
    uint32_t launch = graph_first(s, o);
    s->host_ops[launch].complete = !graph_has(s, o) || !s->graph->nodes[launch].incomplete;
    if (s->from)
        s->from->completed(s->from->context, &s->ops[o], o, s->now);
    list_drop(s, &s->incomplete, o, incomplete_prev, incomplete_next);
    for (uint32_t x = s->host_ops[launch].waiter, next; x != NONE && s->host_ops[launch].complete; x = next) {
        next = s->host_ops[x].waiter_next;
        return_from(s, x);
    }
    while (s->device_waits.first != NONE &&
           (s->incomplete.first == NONE || s->ops[s->incomplete.first].launch > s->ops[s->device_waits.first].launch)) {
        uint32_t x = s->device_waits.first;
        fifo_drop(s, &s->device_waits);
        return_from(s, x);
    }
}

int64_t host_next_time(const sim *s)
{
    return s->call_next < s->call_count ? s->calls[s->call_next].release_ns : INT64_MAX;
}

void host_start(sim *s)
{
    for (size_t h = 0; h < s->w->host_count; h++)
        if (s->host_first[h] != NONE)
            schedule(s, s->host_first[h], 0);
}
