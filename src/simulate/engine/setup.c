/* The tables of a simulation: their memory, and what they hold before it starts. */
#include "simulate/engine/setup.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "model/gpu/event_gap.h"
#include "model/workload/barriers.h"
#include "model/workload/dependencies/dependencies.h"
#include "model/workload/edit.h"
#include "simulate/dispatch/cluster_queue.h"
#include "simulate/dispatch/plan_launch.h"
#include "simulate/engine/copy_channels.h"
#include "simulate/engine/device_memory.h"
#include "simulate/graph/graph_nodes.h"
#include "simulate/launch/launch_tables.h"
#include "simulate/waits/wait_tables.h"

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

/* Puts the demand of each kernel in s->demands, equal ones once. place[]: by op of the workload and child kernel, the
 * index there. */
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
