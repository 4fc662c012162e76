/* Connections: the hardware work queues between streams and the execution engine (CUDA_DEVICE_MAX_CONNECTIONS). A
 * kernel waits behind all kernels in front of it in its connection, also those of other streams: false dependencies
 * (Bakita and Anderson, RTAS 2024). Its call settles which connection a kernel joins, as seen on an H200
 * (docs/rules.md): the first one, if it is of the NULL stream; else the one that its stream joined last, if no other
 * stream joined there since; else the one that rules/connection_choice.h chooses. Kernels that waited in different
 * connections of one half enter in turns, one after the other. A join looks at each connection once, a turn at each
 * connection of its half. */
#include "simulate/engine/connections.h"

#include "base/minmax.h"
#include "simulate/state/failure.h"
#include "simulate/state/fifo.h"

static int choose(const sim *s)
{
    connection_choice choice = CONNECTION_CHOICE_NONE;
    for (int c = 0; c < s->connection_count; c++)
        connection_offer(&choice, c, s->connections[c].joined, s->connections[c].queue.first == NONE);
    return connection_chosen(&choice, s->last_connection);
}

/* o has joined the connection c, as one of the stream; -1: of no stream that goes on. */
static void join(sim *s, uint32_t o, int c, int stream)
{
    sim_connection *connection = &s->connections[c];
    connection->joined = ++s->join_count;
    connection->stream = stream;
    s->host_ops[o].connection = s->ops[o].connection = s->last_connection = c;
    fifo_add_in(s->host_ops, &connection->queue, o, connection_next);
}

void connection_join(sim *s, uint32_t o)
{
    int stream = sim_spec(s, o)->stream, c = s->streams[stream].connection;
    if (stream == s->null_stream)
        c = 0;
    else if (c < 0 || s->connections[c].stream != stream)
        c = choose(s);
    s->streams[stream].connection = c;
    join(s, o, c, stream);
}

void connection_join_node(sim *s, uint32_t o, const graph_node *node)
{
    if (node->joins_behind)
        join(s, o, s->ops[o - node->joins_behind].connection, node->in_first ? sim_spec(s, o)->stream : -1);
    else if (node->in_first)
        connection_join(s, o);
    else
        join(s, o, choose(s), -1);
}

uint32_t connection_leave(sim *s, uint32_t o)
{
    sim_fifo *queue = &s->connections[s->host_ops[o].connection].queue;
    s->host_ops[o].connection = -1;
    fifo_drop_in(s->host_ops, queue, connection_next);
    return queue->first;
}

/* The first of a connection has not arrived: has one behind it? Only where kernels do not arrive as they were called.
 */
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

bool connection_turn(sim *s, uint32_t o)
{
    int c = s->host_ops[o].connection, half = connection_half(c);
    if (c < 0 || !s->gpu->turn_ns || !others_wait(s, c))
        return false;
    int64_t last = max_i64(s->last_turn_ns[half], s->now);
    s->host_ops[o].turn_ns = s->last_turn_ns[half] = sim_add_ns(s, o, last, s->gpu->turn_ns);
    fifo_add(s, &s->turn_queue[half], o);
    return true;
}
