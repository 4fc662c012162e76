/* Connections: the hardware queues between streams and the execution engine
 * (CUDA_DEVICE_MAX_CONNECTIONS). A kernel waits behind all that is in front of
 * it in its connection, also of other streams: false dependencies (Bakita and
 * Anderson, RTAS 2024). Which connection a kernel joins is what was seen on an
 * H200: that of the launch before it where both are of one stream, else an empty
 * one, else the next in turn. Joining looks at each connection at most once. */
#include "simulate/machine.h"

/* The kernel that joined last is of the same stream and has not left yet. */
static bool follows(const sim *s, uint32_t o)
{
    uint32_t last = s->joined_last;
    return last != NONE && s->state[last].connection >= 0 && sim_spec(s, last)->stream == sim_spec(s, o)->stream;
}

static int empty_connection(const sim *s)
{
    for (int c = 0; c < s->connection_count; c++)
        if (s->connections[c].first == NONE)
            return c;
    return -1;
}

void channel_join(sim *s, uint32_t o)
{
    int c = follows(s, o) ? s->state[s->joined_last].connection : empty_connection(s);
    if (c < 0)
        c = (s->connection_last + 1) % s->connection_count;
    s->connection_last = c;
    s->joined_last = o;
    s->state[o].connection = s->ops[o].connection = c;
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
