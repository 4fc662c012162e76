/* The event loop: at each time first ends, then calls of hosts, then queues, then starts (docs/model.md). The result
 * does not depend on the order in which events of one time come out of the heaps. The tables of a simulation are made
 * and freed here too. */
#include "simulate/engine/engine.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/integers.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/barriers.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "simulate/engine/block_waits.h"
#include "simulate/engine/child_blocks.h"
#include "simulate/engine/clusters.h"
#include "simulate/engine/copy_engines.h"
#include "simulate/engine/execution_queue.h"
#include "simulate/engine/graph_nodes.h"
#include "simulate/engine/hosts.h"
#include "simulate/engine/launch_decision.h"
#include "simulate/engine/launch_path.h"
#include "simulate/engine/launch_state.h"
#include "simulate/engine/refill.h"
#include "simulate/engine/state.h"
#include "simulate/engine/stream_queue.h"
#include "simulate/engine/workers.h"

/* The next time at which anything may happen, apart from releases of resources and ends of jobs. */
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

/* The time, or the next end of a job of a plan if that is earlier. */
static inline int64_t or_job_end(sim *s, int64_t time)
{
    return s->working_count ? min_i64(time, tournament_first(&s->job_ends)) : time;
}

/* o is complete: blocks of the programmatic kernel behind it that waited for that go on. Returns that kernel if its
 * blocks have ended, so that it is complete too; else NONE. */
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

/* Handles all ends of this time. Operations that are complete at one time are handled in the order in which they
 * entered their engines' queues. */
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

/* Lets the caller's system act now. Returns the time of its next event. */
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

/* Repairs enter the EE queue after all others that enter now. */
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

/* Where kernels launch kernels: the next time at which anything may happen, apart from releases of resources and the
 * end of a kernel switch. */
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

/* Does what needs no step, and returns the time of the next step. */
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

static int by_release(const void *a, const void *b)
{
    const sim_call *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* False without memory. */
static bool alloc_tables(sim *s, int connections)
{
    const gcast_workload *w = s->w;
    size_t n = s->op_count ? s->op_count : 1;
    s->connection_count = connections;
    s->last_connection = CONNECTION_NONE_JOINED;
    s->barrier_of = calloc(w->op_count + 1, sizeof *s->barrier_of);
    if (!s->barrier_of || !barriers_number(w, s->barrier_of, &s->barrier_count))
        return false;
    s->state = calloc(n, sizeof *s->state);
    s->host_ops = calloc(n, sizeof *s->host_ops);
    s->calls = calloc(n, sizeof *s->calls);
    s->host_first = calloc(w->host_count + 1, sizeof *s->host_first);
    s->barriers = calloc(s->barrier_count + 1, sizeof *s->barriers);
    s->streams = calloc(w->stream_count + 1, sizeof *s->streams);
    s->connections = calloc((size_t)connections + 1, sizeof *s->connections);
    s->copy_engines = calloc((size_t)s->gpu->copy_engines, sizeof *s->copy_engines);
    s->quarter_scratch = calloc((size_t)s->gpu->sms, sizeof *s->quarter_scratch);
    return s->state && s->host_ops && s->calls && s->host_first && s->barriers && s->streams && s->connections &&
           s->copy_engines && copy_channels_init(s) && s->quarter_scratch && sm_set_init(&s->sms, s->gpu, w) &&
           placement_init(&s->place, s->gpu->sms) && tournament_grow(&s->releases, 1) &&
           tournament_grow(&s->job_ends, 1);
}

static void fill_tables(sim *s)
{
    const gcast_workload *w = s->w;
    for (uint32_t o = 0; o < s->op_count; o++) {
        s->state[o].op = s->ops[o].op;
        s->state[o].job = s->ops[o].job;
    }
    s->place.is_random = s->options->random_placement;
    s->null_stream = workload_find_stream(w, 0);
    for (size_t i = 0; i < w->stream_count; i++)
        s->streams[i] = (sim_stream){FIFO_EMPTY, NONE, -1, {-1, -1, -1}};
    for (int i = 0; i < s->connection_count; i++)
        s->connections[i] = (sim_connection){.queue = FIFO_EMPTY, .stream = -1};
    for (int i = 0; i < s->gpu->copy_engines; i++)
        s->copy_engines[i].op = NONE;
    for (int i = 0; i < MAX_LEVELS; i++)
        s->levels[i] = FIFO_EMPTY;
    for (int i = 0; i < CONNECTION_HALVES; i++)
        s->turn_queue[i] = FIFO_EMPTY;
    for (size_t i = 0; i < s->barrier_count; i++)
        s->barriers[i].waiter = NONE;
    for (size_t i = 0; i < w->host_count; i++)
        s->host_first[i] = NONE;
    for (size_t i = 0; i < w->op_count; i++)
        s->has_extra_latency = s->has_extra_latency || w->ops[i].extra_latency_ns;
    s->kernels_arriving = s->copies_arriving = s->departing = s->device_waits = s->incomplete = s->blocking_ops =
        FIFO_EMPTY;
    s->last_call_ns = -1;
    s->active_free = s->blocked = s->free_group = NONE;
}

/* Puts the demands of all kernels in s->demands, equal ones once. Sets place[]: by op of the workload, then by child
 * kernel, the index there. */
static bool find_demands(sim *s, uint32_t *place)
{
    hash_index seen = {0};
    VEC(sm_demand) demands = {0};
    bool ok = true;
    for (size_t i = 0; i < s->w->op_count + s->w->child_count && ok; i++) {
        if (s->w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        sm_demand d = sm_demand_of(s->gpu, &s->w->ops[i]);
        uint64_t hash = index_hash(&d, offsetof(sm_demand, need_at));
        place[i] = NONE;
        if (!(ok = vec_reserve(&demands, demands.count + 1)))
            break;
        for (index_probe p = index_start(&seen, hash); place[i] == NONE && index_next(&seen, &p);)
            if (memcmp(&demands.at[p.value], &d, offsetof(sm_demand, need_at)) == 0)
                place[i] = p.value;
        if (place[i] == NONE) {
            place[i] = (uint32_t)demands.count;
            ok = vec_push(&demands, d) && index_add(&seen, hash, place[i]);
        }
    }
    index_free(&seen);
    s->demands = demands.at;
    return ok;
}

/* Gives each operation its demand; false without memory. */
static bool set_demands(sim *s)
{
    uint32_t *place = calloc(s->w->op_count + s->w->child_count + 1, sizeof *place);
    bool ok = place && find_demands(s, place) && launch_tables_init(s, place);
    for (uint32_t o = 0; o < s->op_count && ok; o++)
        if (sim_spec(s, o)->kind == GCAST_KIND_KERNEL)
            s->state[o].demand = &s->demands[place[s->ops[o].op]];
    free(place);
    return ok;
}

/* Links the operations of each host, and lists those without one; false without memory. */
static bool link_hosts(sim *s)
{
    uint32_t *last = malloc((s->w->host_count + 1) * sizeof *last);
    if (!last)
        return false;
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        sim_host_op *x = &s->host_ops[o];
        x->host_next = x->waiter = x->waiter_next = NONE;
        x->connection = -1;
        s->state[o].launch_blocks = plan_launch_blocks(s, o);
        s->blocks_total +=
            s->ops[o].block_count + (op->policy != GCAST_POLICY_HARDWARE ? s->state[o].launch_blocks : 0);
        s->has_copies = s->has_copies || op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET;
        if (op->kind == GCAST_KIND_BARRIER)
            sim_barrier_of(s, o)->missing++;
        if (op->host == GCAST_NO_HOST) {
            if (!s->from)
                s->calls[s->call_count++] = (sim_call){s->ops[o].release_ns, o};
            continue;
        }
        if (s->host_first[op->host] == NONE)
            s->host_first[op->host] = o;
        else
            s->host_ops[last[op->host]].host_next = o;
        last[op->host] = o;
    }
    free(last);
    return true;
}

/* Tables of dependencies, where there are any; false without memory. */
static bool init_dependencies(sim *s)
{
    size_t waits = 0;
    s->event_queue = FIFO_EMPTY;
    if (!dependencies_exist(s->w))
        return true;
    s->event_gap_ns = event_gap_of(s->gpu);
    for (uint32_t o = 0; o < s->op_count; o++)
        waits += sim_spec(s, o)->after_count;
    s->after = calloc((size_t)s->op_count + 1, sizeof *s->after);
    s->event_waits = waits < NONE ? calloc(waits + 1, sizeof *s->event_waits) : NULL;
    if (!s->after || !s->event_waits)
        return false;
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        s->after[o].first_wait = s->after[o].last_wait = NONE;
        for (size_t k = 0; k < op->after_count; k++) {
            uint32_t named = graph_first(s, (uint32_t)dependencies_operation(o, s->ops[o].op, op->after[k]));
            s->after[named].is_named = s->after[named].is_named || named != graph_first(s, o);
        }
    }
    return true;
}

bool setup_init(sim *s, int connections)
{
    if (!alloc_tables(s, connections))
        return false;
    fill_tables(s);
    if (!set_demands(s) || !link_hosts(s) || !starve_init(&s->starve, s->gpu, s->w, s->options->scatter) ||
        !tick_init(&s->tick, s->options->as_measured ? s->gpu->wake_ns : 0, s->sms.count) || !memory_init(s) ||
        !graph_init(s) || !init_dependencies(s) || !clusters_init(s) || !wait_tables_init(s))
        return false;
    s->durations_differ = s->tick.period_ns || s->starve.sms || s->launch;
    qsort(s->calls, s->call_count, sizeof *s->calls, by_release);
    return true;
}

void setup_free(sim *s)
{
    heap *heaps[] = {&s->events, &s->ended, &s->due, &s->null_waits, &s->null_released, &s->repairs};
    for (uint32_t o = 0; o < s->op_count && s->host_ops; o++)
        plan_launch_free(s, o);
    launch_tables_free(s);
    clusters_free(s);
    wait_tables_free(s);
    graph_free(s);
    void *tables[] = {s->state,
                      s->host_ops,
                      s->calls,
                      s->demands,
                      s->host_first,
                      s->barriers,
                      s->streams,
                      s->connections,
                      s->copy_engines,
                      s->copy_channels,
                      s->quarter_scratch,
                      s->groups,
                      s->barrier_of,
                      s->workers,
                      s->memory.last_malloc,
                      s->memory.previous_malloc,
                      s->after,
                      s->event_waits};
    for (size_t i = 0; i < sizeof heaps / sizeof heaps[0]; i++)
        vec_free(&heaps[i]->items);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        free(tables[i]);
    vec_free(&s->ready);
    vec_free(&s->released);
    vec_free(&s->released_blocks);
    vec_free(&s->slots);
    vec_free(&s->scratch_workers);
    vec_free(&s->window.blocks);
    tournament_free(&s->releases);
    tournament_free(&s->job_ends);
    sm_set_free(&s->sms);
    placement_free(&s->place);
    starve_free(&s->starve);
    tick_free(&s->tick);
}
