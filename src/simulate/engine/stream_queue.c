/* Stream queues and connections. G1: an operation enters its stream's queue when it is called. G2, C1: it may enter its
 * engine's queue when it is the head. G4, C4: it departs when it is complete. N1: an operation of the NULL stream waits
 * for older operations of blocking streams. N2: operations of blocking streams wait for older operations of the NULL
 * stream. Events: an operation waits for its dependencies. The first node of a CUDA graph's launch stands for the
 * launch in the queue: the roots of the graph enter as heads do, the other nodes when they have seen their edges.
 *
 * Everything here is O(1) per operation and dependency, except for the heap of heads that wait for the NULL stream:
 * O(log heads). */
#include "simulate/engine/stream_queue.h"

#include "base/integers.h"
#include "model/workload/dependencies.h"
#include "simulate/duration.h"
#include "simulate/engine/block_waits.h"
#include "simulate/engine/copy_engines.h"
#include "simulate/engine/execution_queue.h"
#include "simulate/engine/graph_nodes.h"
#include "simulate/engine/state.h"
#include "simulate/graph_shape.h"
#include "simulate/queue_rules.h"

/* Connections are the hardware work queues between streams and the execution engine (CUDA_DEVICE_MAX_CONNECTIONS). A
 * kernel waits behind all kernels in front of it in its connection, also those of other streams: a false dependency
 * (Bakita and Anderson, RTAS 2024). A kernel's connection is settled at its call, as seen on an H200 (docs/rules.md):
 * the first one for the NULL stream; else the one that its stream joined last, if no other stream joined it since; else
 * the choice of connection_choice (queue_rules.h). Kernels that waited in different connections of one half enter in
 * turns, one after the other. A join looks at each connection once, a turn at each connection of its half. */

static int choose(const sim *s)
{
    connection_choice choice = CONNECTION_CHOICE_NONE;
    for (int c = 0; c < s->connection_count; c++)
        connection_offer(&choice, c, s->connections[c].joined, s->connections[c].queue.first == NONE);
    return connection_chosen(&choice, s->last_connection);
}

/* o joins the connection c. The stream may stay with that connection; -1: no stream does. */
static void join(sim *s, uint32_t o, int c, int stream)
{
    sim_connection *connection = &s->connections[c];
    connection->joined = ++s->join_count;
    connection->stream = stream;
    s->host_ops[o].connection = s->ops[o].connection = s->last_connection = c;
    fifo_add_in(s->host_ops, &connection->queue, o, connection_next);
}

/* The call of the kernel o settles its connection. */
static void connection_join(sim *s, uint32_t o)
{
    int stream = sim_spec(s, o)->stream, c = s->streams[stream].connection;
    if (stream == s->null_stream)
        c = 0;
    else if (c < 0 || s->connections[c].stream != stream)
        c = choose(s);
    s->streams[stream].connection = c;
    join(s, o, c, stream);
}

/* The call of a graph's node settles its connection. */
static void connection_join_node(sim *s, uint32_t o, const graph_node *node)
{
    if (node->joins_behind)
        join(s, o, s->ops[o - node->joins_behind].connection, node->in_first ? sim_spec(s, o)->stream : -1);
    else if (node->in_first)
        connection_join(s, o);
    else
        join(s, o, choose(s), -1);
}

/* o enters the EE queue and leaves its connection. Returns the head of the connection then; NONE: it is empty. */
static uint32_t connection_leave(sim *s, uint32_t o)
{
    sim_fifo *queue = &s->connections[s->host_ops[o].connection].queue;
    s->host_ops[o].connection = -1;
    fifo_drop_in(s->host_ops, queue, connection_next);
    return queue->first;
}

/* The first kernel of a connection has not arrived: has one behind it? Only where kernels do not arrive in the order of
 * their calls. */
static bool later_arrived(const sim *s, uint32_t first)
{
    if (!s->graph && !s->has_extra_latency && !s->options->latencies)
        return false;
    while (first != NONE && !s->host_ops[first].arrived)
        first = s->host_ops[first].connection_next;
    return first != NONE;
}

/* Does a kernel wait in another connection of c's half? Kernels that have not arrived do not count. */
static bool others_wait(const sim *s, int c)
{
    for (int other = connection_half(c); other < s->connection_count; other += CONNECTION_HALVES) {
        uint32_t first = s->connections[other].queue.first;
        if (connections_take_turns(other, c) && first != NONE &&
            (s->host_ops[first].arrived || later_arrived(s, first)))
            return true;
    }
    return false;
}

/* o waited and may enter. Puts it in line, and returns true, if it has to wait for the turn of its connection. */
static bool connection_turn(sim *s, uint32_t o)
{
    int c = s->host_ops[o].connection, half = connection_half(c);
    if (c < 0 || !s->gpu->turn_ns || !others_wait(s, c))
        return false;
    int64_t last = max_i64(s->last_turn_ns[half], s->now);
    s->host_ops[o].turn_ns = s->last_turn_ns[half] = sim_add_ns(s, o, last, s->gpu->turn_ns);
    fifo_add(s, &s->turn_queue[half], o);
    return true;
}

static bool is_null(const sim *s, const gcast_op *op)
{
    return op->stream == s->null_stream;
}

static bool is_blocking(const sim *s, const gcast_op *op)
{
    return stream_is_blocking(s->w, s->null_stream, op->stream);
}

/* Inserts o by arrival time, behind operations of the same time. */
static void insert_arrival(sim *s, uint32_t o, sim_fifo *arriving)
{
    uint32_t before = NONE, after = arriving->first;
    while (after != NONE && s->ops[after].arrive_ns <= s->ops[o].arrive_ns) {
        before = after;
        after = s->state[after].queue_next;
    }
    s->state[o].queue_next = after;
    *(before == NONE ? &arriving->first : &s->state[before].queue_next) = o;
    if (after == NONE)
        arriving->last = o;
}

/* Sets when o, which is called now, arrives. Where no operation has a latency of its own, it does not arrive before
 * earlier calls of its queue. No root of a graph arrives before the first node. */
static void set_arrival(sim *s, uint32_t o, sim_fifo *arriving, int64_t latency)
{
    gcast_run_op *r = &s->ops[o];
    uint32_t first = graph_first(s, o);
    if (s->options->latencies)
        r->arrive_ns = sim_add_ns(s, o, s->now, max_i64(s->options->latencies[o], 0));
    else
        r->arrive_ns =
            sim_add_ns(s, o, s->now, scatter_latency(s->options, s->gpu, r, s->host_ops[o].after_pause, latency));
    if (s->has_extra_latency && !s->options->latencies)
        r->arrive_ns = sim_add_ns(s, o, r->arrive_ns, sim_spec(s, first)->extra_latency_ns);
    if (first != o)
        r->arrive_ns = max_i64(r->arrive_ns, s->ops[first].arrive_ns);
    if (s->has_extra_latency || s->options->latencies) {
        insert_arrival(s, o, arriving);
        return;
    }
    if (arriving->last != NONE && s->ops[arriving->last].arrive_ns > r->arrive_ns)
        r->arrive_ns = s->ops[arriving->last].arrive_ns;
    fifo_add(s, arriving, o);
}

/* o is called. It waits for its dependencies that were called before it; those of its own stream are in front of it
 * anyway. */
static void wait_for_events(sim *s, uint32_t o, const gcast_op *op)
{
    for (size_t k = 0; k < op->after_count; k++) {
        uint32_t named = graph_first(s, (uint32_t)dependencies_operation(o, s->ops[o].op, op->after[k]));
        sim_after *x = &s->after[named];
        if (s->ops[named].call_ns < 0 || x->is_seen || sim_spec(s, named)->stream == op->stream)
            continue;
        uint32_t wait = s->event_wait_count++;
        s->event_waits[wait] = (sim_event_wait){o, NONE};
        *(x->first_wait == NONE ? &x->first_wait : &s->event_waits[x->last_wait].next) = wait;
        x->last_wait = wait;
        s->after[o].pending++;
    }
}

/* A node of a graph is called: it will arrive, and joins a channel, a connection, or both. */
static void node_call(sim *s, uint32_t o, const gcast_op *op)
{
    const graph_node *shape = graph_node_of(s, o);
    bool kernel = op->kind == GCAST_KIND_KERNEL;
    if (shape->after)
        s->ops[o].arrive_ns = s->ops[graph_first(s, o)].arrive_ns;
    else
        set_arrival(s, o, kernel ? &s->kernels_arriving : &s->copies_arriving,
                    graph_latency_ns(&s->graph->shape, s->gpu, s->state[o].op));
    if (!kernel)
        copy_call(s, o);
    if (s->connection_count && shape->joins)
        connection_join_node(s, o, shape);
}

void stream_call(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    sim_stream *stream = &s->streams[op->stream];
    if (graph_first(s, o) != o) {
        node_call(s, o, op);
        return;
    }
    fifo_add_in(s->host_ops, &stream->queue, o, stream_next);
    if (s->waits)
        programmatic_call(s, o);
    stream->last_called = o;
    if (op->after_count)
        wait_for_events(s, o, op);
    if (is_blocking(s, op))
        list_add(s, &s->blocking_ops, o, blocking_prev, blocking_next);
    if (graph_has(s, o)) {
        node_call(s, o, op);
        return;
    }
    if (op->kind != GCAST_KIND_KERNEL) {
        set_arrival(s, o, &s->copies_arriving, s->gpu->copy_latency_ns);
        copy_call(s, o);
        return;
    }
    set_arrival(s, o, &s->kernels_arriving, s->gpu->launch_latency_ns);
    if (s->connection_count)
        connection_join(s, o);
}

static int64_t next_arrival(const sim *s, const sim_fifo *arriving)
{
    return arriving->first == NONE ? INT64_MAX : s->ops[arriving->first].arrive_ns;
}

int64_t stream_next_time(const sim *s)
{
    int64_t t = min_i64(next_arrival(s, &s->kernels_arriving), next_arrival(s, &s->copies_arriving));
    if (s->departing.first != NONE && s->ops[s->departing.first].end_ns + s->gpu->stream_gap_ns < t)
        t = s->ops[s->departing.first].end_ns + s->gpu->stream_gap_ns;
    if (s->event_queue.first != NONE)
        t = min_i64(t, s->ops[s->event_queue.first].end_ns + s->event_gap_ns);
    if (s->waits)
        t = min_i64(t, programmatic_next_time(s));
    if (s->graph)
        t = min_i64(t, graph_next_time(s));
    for (int half = 0; half < CONNECTION_HALVES; half++) {
        uint32_t next = s->turn_queue[half].first;
        if (next != NONE && s->host_ops[next].turn_ns < t)
            t = s->host_ops[next].turn_ns;
    }
    return t;
}

/* May o enter its engine's queue, apart from the turn of its connection? */
static bool may_enter(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    uint64_t launch = s->ops[o].launch;
    sim_host_op *x = &s->host_ops[o];
    if (s->ops[o].head_ns < 0 || x->ready || x->null_waiting)
        return false;
    if (s->after && s->after[graph_first(s, o)].pending)
        return false; /* tried again when the last event is seen */
    if (graph_has_edges(s, o)) {
        if (!s->graph->nodes[o].is_seen)
            return false; /* tried again when the last of its edges is seen */
    } else if (is_null(s, op)) {
        if (s->blocking_ops.first != NONE && s->ops[s->blocking_ops.first].launch < launch)
            return false; /* N1: tried again when the oldest operation departs */
    } else if (is_blocking(s, op) && s->null_stream >= 0) {
        uint32_t older = s->streams[s->null_stream].queue.first;
        if (older != NONE && s->ops[older].launch < launch) {
            x->null_waiting = true; /* N2 */
            sim_push(s, &s->null_waits, (int64_t)launch, 0, o);
            return false;
        }
    }
    /* A kernel in front of it in its connection: it is tried again when that one enters. */
    return x->connection < 0 || s->connections[x->connection].queue.first == o;
}

static void make_ready(sim *s, uint32_t o)
{
    if (!vec_push(&s->ready, o))
        sim_fail_memory(s);
}

static void try_enter(sim *s, uint32_t o)
{
    if (!may_enter(s, o))
        return;
    s->host_ops[o].ready = true;
    make_ready(s, o);
}

/* o has waited, and an operation that it may have waited for has departed. It enters if it may, at its turn. */
static void try_enter_in_turn(sim *s, uint32_t o)
{
    if (!may_enter(s, o))
        return;
    s->host_ops[o].ready = true;
    if (!connection_turn(s, o))
        make_ready(s, o);
}

/* The node behind o in its launch of a graph; NONE: o is no node, or the last one. */
static uint32_t next_node(const sim *s, uint32_t o)
{
    if (!graph_has(s, o))
        return NONE;
    uint32_t first = graph_first(s, o);
    return o + 1 < first + graph_node_of(s, first)->count ? o + 1 : NONE;
}

/* What o waited for may have just happened. If o is the first node of a launch, that goes for all its roots. */
static void try_launch_in_turn(sim *s, uint32_t o)
{
    for (; o != NONE; o = next_node(s, o))
        if (!graph_has_edges(s, o))
            try_enter_in_turn(s, o);
}

/* o is the head of its stream. If it is the first node of a launch, all nodes that have arrived are. */
static void set_head(sim *s, uint32_t o)
{
    for (; o != NONE; o = next_node(s, o))
        if (s->host_ops[o].arrived)
            s->ops[o].head_ns = s->now;
}

/* Nodes with edges arrive with the first one of their launch. */
static void arrive_with(sim *s, uint32_t first)
{
    for (uint32_t o = first; o != NONE; o = next_node(s, o))
        if (graph_has_edges(s, o))
            s->host_ops[o].arrived = true;
}

static void arrive(sim *s, sim_fifo *arriving)
{
    uint32_t o = arriving->first, first = graph_first(s, o);
    const gcast_op *op = sim_spec(s, o);
    fifo_drop(s, arriving);
    s->host_ops[o].arrived = true;
    if (o == first)
        arrive_with(s, o);
    if (s->streams[op->stream].queue.first != first && !(s->waits && programmatic_is_head(s, o)))
        return;
    if (o == first)
        set_head(s, o);
    else
        s->ops[o].head_ns = s->now;
    try_enter(s, o);
}

void stream_arrivals(sim *s)
{
    for (;;) {
        bool kernel = next_arrival(s, &s->kernels_arriving) <= s->now;
        bool copy = next_arrival(s, &s->copies_arriving) <= s->now;
        if (!kernel && !copy)
            return;
        if (kernel && copy)
            kernel = s->ops[s->kernels_arriving.first].launch < s->ops[s->copies_arriving.first].launch;
        arrive(s, kernel ? &s->kernels_arriving : &s->copies_arriving);
    }
}

void stream_entries(sim *s)
{
    for (size_t i = 0; i < s->ready.count && s->status == GCAST_OK; i++) {
        uint32_t o = s->ready.at[i];
        s->ops[o].enter_ns = s->now;
        s->ops[o].entry = s->state[o].entry = s->entries++;
        uint32_t next = s->host_ops[o].connection >= 0 ? connection_leave(s, o) : NONE;
        if (next != NONE)
            try_enter(s, next);
        if (sim_spec(s, o)->kind == GCAST_KIND_KERNEL)
            execution_enter(s, o);
        else
            copy_enter(s, o);
    }
    s->ready.count = 0;
}

void stream_complete(sim *s, uint32_t o)
{
    if (s->graph && !graph_complete(s, o))
        return;
    fifo_add(s, &s->departing, o);
    s->host_side_ns = s->now;
    if (s->after && s->after[graph_first(s, o)].is_named)
        fifo_add_in(s->host_ops, &s->event_queue, o, event_next);
}

/* An operation of the NULL stream has departed: heads older than the next one of that stream wait no longer. */
static void release_null_waits(sim *s)
{
    uint32_t next = s->streams[s->null_stream].queue.first;
    while (heap_top(&s->null_waits) &&
           (next == NONE || (uint64_t)heap_top(&s->null_waits)->time < s->ops[next].launch)) {
        uint32_t o = heap_pop(&s->null_waits).id;
        s->host_ops[o].null_waiting = false;
        if (s->options->scatter)
            sim_push(s, &s->null_released, scatter_order(s->options, &s->ops[o]), 0, o);
        else
            try_enter_in_turn(s, o);
    }
    while (heap_top(&s->null_released))
        try_enter_in_turn(s, heap_pop(&s->null_released).id);
}

/* Kernels whose turn has come enter. */
static void take_turns(sim *s)
{
    for (int half = 0; half < CONNECTION_HALVES; half++)
        for (uint32_t o; (o = s->turn_queue[half].first) != NONE && s->host_ops[o].turn_ns <= s->now;) {
            fifo_drop(s, &s->turn_queue[half]);
            make_ready(s, o);
        }
}

/* An operation of the stream has departed: the next one is the head, if it has arrived. */
static void next_of_stream(sim *s, int stream)
{
    uint32_t first = s->streams[stream].queue.first, next = first;
    if (s->waits) {
        s->waits->departed[stream]++;
        next = programmatic_next(s, first);
    }
    if (next == NONE || !s->host_ops[next].arrived || (next != first && !programmatic_is_head(s, next)))
        return;
    set_head(s, next);
    try_launch_in_turn(s, next);
}

void stream_departures(sim *s)
{
    take_turns(s);
    while (s->departing.first != NONE && s->ops[s->departing.first].end_ns + s->gpu->stream_gap_ns <= s->now) {
        uint32_t o = graph_first(s, s->departing.first);
        const gcast_op *op = sim_spec(s, o);
        sim_stream *stream = &s->streams[op->stream];
        fifo_drop(s, &s->departing);
        fifo_drop_in(s->host_ops, &stream->queue, stream_next);
        next_of_stream(s, op->stream);
        if (is_null(s, op)) {
            release_null_waits(s);
        } else if (is_blocking(s, op)) {
            bool oldest = s->blocking_ops.first == o;
            list_drop(s, &s->blocking_ops, o, blocking_prev, blocking_next);
            uint32_t waiting = s->null_stream >= 0 ? s->streams[s->null_stream].queue.first : NONE;
            if (s->waits)
                waiting = programmatic_waiting(s, waiting);
            if (oldest && waiting != NONE)
                try_launch_in_turn(s, waiting);
        }
    }
}

void stream_events(sim *s)
{
    while (s->event_queue.first != NONE && s->ops[s->event_queue.first].end_ns + s->event_gap_ns <= s->now) {
        sim_after *x = &s->after[graph_first(s, s->event_queue.first)];
        fifo_drop_in(s->host_ops, &s->event_queue, event_next);
        x->is_seen = true;
        for (uint32_t wait = x->first_wait; wait != NONE; wait = s->event_waits[wait].next) {
            uint32_t o = s->event_waits[wait].op;
            if (--s->after[o].pending == 0)
                try_launch_in_turn(s, o);
        }
    }
}

void stream_triggers(sim *s)
{
    for (uint32_t o; (o = programmatic_candidate(s)) != NONE;) {
        if (s->ops[o].head_ns >= 0 || !s->host_ops[o].arrived || !programmatic_is_head(s, o))
            continue;
        s->ops[o].head_ns = s->now;
        try_enter_in_turn(s, o);
    }
}

void stream_nodes(sim *s)
{
    for (uint32_t o; (o = graph_next_seen(s)) != NONE && s->status == GCAST_OK;)
        try_enter_in_turn(s, o);
}
