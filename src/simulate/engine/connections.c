/* Connections: the hardware queues between streams and the execution engine
 * (CUDA_DEVICE_MAX_CONNECTIONS). A kernel waits behind all that is in front of
 * it in its connection, also of other streams: false dependencies (Bakita and
 * Anderson, RTAS 2024). Which one a kernel joins is settled by its call, as seen
 * on an H200 (docs/rules.md): the NULL stream's the first; others their stream's,
 * where no other stream joined that since; else one that holds nothing, of the
 * half of the connections with more such; else the one not joined for longest.
 * Kernels that waited in different connections of a half enter one after the other, in turns.
 * Joining looks at each connection once, a turn at those of its half. */
#include "simulate/engine/connections.h"

#include "simulate/state/failure.h"
#include "simulate/state/fifo.h"

static int choose(const sim *s)
{
    connection_choice choice = CONNECTION_CHOICE_NONE;
    for (int c = 0; c < s->connection_count; c++)
        connection_offer(&choice, c, s->connections[c].joined, s->connections[c].queue.first == NONE);
    return connection_chosen(&choice, s->connection_last);
}

void connection_join(sim *s, uint32_t o)
{
    int stream = sim_spec(s, o)->stream, c = s->streams[stream].connection;
    if (stream == s->null_stream)
        c = 0;
    else if (c < 0 || s->connections[c].stream != stream)
        c = choose(s);
    sim_connection *connection = &s->connections[c];
    connection->joined = ++s->joins;
    connection->stream = stream;
    s->streams[stream].connection = s->connection_last = c;
    s->state[o].connection = s->ops[o].connection = c;
    fifo_add(s, &connection->queue, o, connection_next);
}

uint32_t connection_leave(sim *s, uint32_t o)
{
    sim_fifo *queue = &s->connections[s->state[o].connection].queue;
    s->state[o].connection = -1;
    fifo_drop(s, queue, connection_next);
    return queue->first;
}

/* Does another connection of c's half hold a kernel that waits? Those on their way do not count. */
static bool half_waits(const sim *s, int c)
{
    for (int other = connection_half(c); other < s->connection_count; other += CONNECTION_HALVES) {
        uint32_t first = s->connections[other].queue.first;
        if (connections_take_turns(other, c) && first != NONE && s->state[first].arrived)
            return true;
    }
    return false;
}

bool connection_turn(sim *s, uint32_t o)
{
    int c = s->state[o].connection, half = connection_half(c);
    if (c < 0 || !s->gpu->turn_ns || !half_waits(s, c))
        return false;
    int64_t from = s->turn_last[half] > s->now ? s->turn_last[half] : s->now;
    s->state[o].turn_at = s->turn_last[half] = sim_after(s, o, from, s->gpu->turn_ns);
    fifo_add(s, &s->turns[half], o, queue_next);
    return true;
}
