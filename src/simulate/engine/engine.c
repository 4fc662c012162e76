/* The event loop: at each time first ends, then calls of hosts, then queues, then starts (docs/model.md). The result
 * does not depend on the order in which events of one time come out of the heaps. */
#include "simulate/engine/engine.h"

#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "simulate/dispatch/execution_queue.h"
#include "simulate/dispatch/plan_launch.h"
#include "simulate/dispatch/refill.h"
#include "simulate/dispatch/released.h"
#include "simulate/dispatch/waves.h"
#include "simulate/dispatch/workers.h"
#include "simulate/engine/copy_engines.h"
#include "simulate/engine/hosts.h"
#include "simulate/engine/stream_queue.h"
#include "simulate/launch/child_slots.h"
#include "simulate/launch/completion.h"
#include "simulate/launch/decide.h"
#include "simulate/launch/launch_path.h"
#include "simulate/state/failure.h"
#include "simulate/state/poll.h"
#include "simulate/waits/block_waits.h"
#include "simulate/waits/programmatic_order.h"

/* When anything may happen next but releases of resources and ends of jobs. */
static int64_t next_event_time(sim *s)
{
    const heap_item *top = heap_top(&s->events);
    int64_t t = s->host_side_ns;
    if (s->has_copies)
        t = min_i64(t, copy_next_time(s));
    if (s->queued_count && s->switch_end_ns > s->now)
        t = min_i64(t, s->switch_end_ns);
    if (s->launch)
        t = min_i64(min_i64(t, decide_next_time(s)), min_i64(path_next_time(s), completion_next_time(s)));
    return top ? min_i64(t, top->time) : t;
}

/* This time, or the next end of a job of a plan if that is earlier. */
static inline int64_t or_job_end(sim *s, int64_t time)
{
    return s->working_count ? min_i64(time, tournament_first(&s->job_ends)) : time;
}

/* o is complete. Blocks of the programmatic kernel behind it go on that waited for that; and if they have ended, it is
 * complete too: it is returned. */
static uint32_t completes_behind(sim *s, uint32_t o)
{
    uint32_t behind = s->waits->ops[o].behind;
    if (behind == NONE)
        return NONE;
    if (attributes_waits(sim_spec(s, behind)))
        block_waits_happened(s, behind, sim_add_ns(s, behind, s->now, s->waits->wait_gap_ns));
    if (!s->waits->ops[behind].blocks_ended)
        return NONE;
    s->ops[behind].end_ns = s->now;
    return behind;
}

static void complete(sim *s, uint32_t o)
{
    for (; o != NONE; o = s->waits ? completes_behind(s, o) : NONE) {
        stream_complete(s, o);
        if (s->graph)
            block_waits_nodes_done(s);
        host_complete(s, o);
    }
}

/* What ends now. Operations that are complete at one time are handled in the order in which they entered their engines'
 * queues. */
static void handle_ends(sim *s)
{
    if (s->working_count)
        workers_now(s);
    if (tournament_first(&s->releases) <= s->now)
        released_collect(s);
    for (const heap_item *top; (top = heap_top(&s->events)) && top->time <= s->now;) {
        heap_item e = heap_pop(&s->events);
        if (e.kind == EVENT_HOST)
            host_event(s, e.id);
        else if (e.kind == EVENT_INCOMPLETE || e.kind == EVENT_REPAIR)
            plan_launch_event(s, e.id, e.kind);
        else if (e.kind == EVENT_WAITING)
            completion_block_waits(s, e.id);
        else if (e.kind == EVENT_GRID)
            s->resident_grids--;
        else if (e.kind != EVENT_COPY || copy_ends(s, e.id))
            sim_push(s, &s->ended, (int64_t)s->state[e.id].entry, e.kind, e.id);
    }
    if (s->launch && completion_next_time(s) <= s->now)
        completion_collect(s);
    while (heap_top(&s->ended) && s->status == GCAST_OK) {
        heap_item e = heap_pop(&s->ended);
        if (s->launch && (is_child(s, e.id) || s->state[e.id].launching)) {
            if (e.kind == EVENT_COMPLETE)
                completion_complete(s, e.id);
            else
                completion_blocks_ended(s, e.id);
            continue;
        }
        if (e.kind == EVENT_COPY)
            copy_done(s, e.id);
        else
            s->resident_grids--;
        if (sim_plan_launch(s, e.id))
            plan_launch_free(s, e.id);
        if (!s->waits || e.kind == EVENT_COPY || programmatic_completes(s, e.id))
            complete(s, e.id);
    }
    if (s->host_side_ns <= s->now) {
        stream_departures(s);
        if (s->event_queue.first != NONE)
            stream_events(s);
        if (s->waits)
            stream_triggers(s);
        if (s->graph)
            stream_nodes(s);
    }
}

/* What happens outside now. Returns the time of the next event there. */
static int64_t from_outside(sim *s)
{
    int64_t next = INT64_MAX;
    gcast_status status = s->from->step(s->from->context, s->now, &next);
    if (status != GCAST_OK && s->status == GCAST_OK)
        s->status = status;
    return next;
}

/* Hosts make their calls, and operations move on in stream queues. */
static void host_side(sim *s)
{
    int64_t next = s->from ? from_outside(s) : INT64_MAX;
    host_calls(s);
    stream_arrivals(s);
    stream_entries(s);
    s->host_side_ns = min_i64(next, min_i64(host_next_time(s), stream_next_time(s)));
}

/* Second launches enter the EE queue after all others that enter now. */
static void enter_repairs(sim *s)
{
    while (heap_top(&s->repairs) && s->status == GCAST_OK)
        execution_enter(s, heap_pop(&s->repairs).id);
}

/* Children enter the EE queue after all others, and rests after them. */
static void enter_children(sim *s)
{
    if (path_may_advance(s))
        path_advance(s);
    if (s->launch->rests.count)
        completion_enter_rests(s);
}

static void step(sim *s)
{
    handle_ends(s);
    if (s->launch && decide_next_time(s) <= s->now)
        decide_now(s);
    if (s->host_side_ns <= s->now)
        host_side(s);
    enter_repairs(s);
    if (s->launch)
        enter_children(s);
    if (s->has_copies)
        copy_dispatch(s);
    released_dispatch(s);
    if (s->launch)
        child_slots_reclaim(s);
}

/* When anything may happen next but releases of resources and the end of a kernel switch. Kernels launch kernels. */
static int64_t next_time_besides_switch(sim *s)
{
    const heap_item *top = heap_top(&s->events);
    int64_t t = min_i64(s->host_side_ns, min_i64(path_next_time(s), completion_next_time(s)));
    return min_i64(min_i64(t, decide_next_time(s)), top ? top->time : INT64_MAX);
}

/* Where kernels launch kernels, blocks mostly start when a kernel switch ends, and resources are mostly released
 * meanwhile. As long as nothing else happens at these times, no other part of a step has anything to do. Returns when
 * the next step is, unless a head is blocked or workers of a plan have started. */
static int64_t switch_and_release(sim *s)
{
    int64_t until = next_time_besides_switch(s);
    for (;;) {
        bool switches = s->queued_count && s->switch_end_ns > s->now;
        int64_t released = tournament_first(&s->releases), started = switches ? s->switch_end_ns : INT64_MAX;
        int64_t next = min_i64(released, started);
        if (next >= until || released == started || (s->queued_count && !switches) || s->working_count ||
            s->status != GCAST_OK)
            return min_i64(next, until);
        s->now = next;
        if (released < started) {
            released_collect(s);
            s->released.count = 0;
            child_slots_reclaim(s);
        } else {
            s->tick.after_release = false;
            execution_dispatch(s);
            until = next_time_besides_switch(s);
        }
        sim_poll(s);
    }
}

/* When the next step is. Until then, nothing happens but what needs no step. */
static int64_t next_step_time(sim *s)
{
    if (s->launch && !s->has_copies && s->blocked == NONE && !s->working_count) {
        int64_t t = switch_and_release(s);
        if (s->blocked == NONE && !s->working_count)
            return t;
    }
    if (s->working_count)
        workers_until(s, next_event_time(s));
    int64_t other = or_job_end(s, next_event_time(s));
    if (s->blocked != NONE) {
        waves_skip(s, other);
        refill_until(s, other);
        other = or_job_end(s, next_event_time(s));
    }
    return min_i64(other, tournament_first(&s->releases));
}

void engine_loop(sim *s)
{
    host_start(s);
    step(s);
    while (s->status == GCAST_OK) {
        int64_t t = next_step_time(s);
        if (t == INT64_MAX || s->status != GCAST_OK)
            return;
        s->now = t;
        step(s);
        sim_poll(s);
    }
}
