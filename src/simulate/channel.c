/* Connections: the hardware queues between streams and the execution engine
 * (CUDA_DEVICE_MAX_CONNECTIONS). A kernel waits behind all that is in front of
 * it in its connection, also of other streams: false dependencies (Bakita and
 * Anderson, RTAS 2024). Which connection a kernel joins is what was seen on an
 * H200: its stream's while that has a kernel waiting, else the next empty one,
 * else the next in turn. Joining looks at each connection at most once. */
#include "simulate/machine.h"

void channel_join(sim *s, uint32_t o)
{
    sim_stream *stream = &s->streams[sim_spec(s, o)->stream];
    uint32_t last = stream->last_kernel;
    int n = s->connection_count;
    int c = (s->connection_last + 1) % n;
    if (last != NONE && s->state[last].connection >= 0) {
        c = s->state[last].connection;
    } else {
        int empty = c;
        for (int i = 0; i < n && s->connections[empty].first != NONE; i++)
            empty = (empty + 1) % n;
        if (s->connections[empty].first == NONE)
            c = empty;
    }
    s->connection_last = c;
    s->state[o].connection = s->ops[o].connection = c;
    stream->last_kernel = o;
    fifo_add(s, &s->connections[c], o, queue_next);
}

void channel_leave(sim *s, uint32_t o)
{
    sim_fifo *connection = &s->connections[s->state[o].connection];
    s->state[o].connection = -1;
    fifo_drop(s, connection, queue_next);
    if (connection->first != NONE)
        stream_try(s, connection->first);
}
