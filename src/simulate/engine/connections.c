/* Connections: the hardware queues between streams and the execution engine
 * (CUDA_DEVICE_MAX_CONNECTIONS). A kernel waits behind all that is in front of
 * it in its connection, also of other streams: false dependencies (Bakita and
 * Anderson, RTAS 2024). Which one a kernel joins is settled by its call, as seen
 * on an H200 (docs/rules.md): the NULL stream's the first; others their stream's,
 * where no other stream joined that since; else one that holds nothing, of the
 * half of the connections with more such; else the one not joined for longest.
 * Kernels that waited in different connections of a half enter one after the other, in turns.
 * Joining looks at each connection once, a turn at those of its half. */
#include "simulate/engine/state.h"

/* Of two, -1 for none: the one that was not joined for longer. */
static int older(const sim *s, int a, int b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return s->connections[b].joined < s->connections[a].joined ? b : a;
}

static int choose(const sim *s)
{
    int count[HALVES] = {0}, oldest_empty[HALVES] = {-1, -1}, oldest = -1;
    for (int c = 0; c < s->connection_count; c++) {
        int half = c % HALVES;
        oldest = older(s, oldest, c);
        if (s->connections[c].queue.first != NONE)
            continue;
        count[half]++;
        oldest_empty[half] = older(s, oldest_empty[half], c);
    }
    if (!count[0] && !count[1])
        return oldest;
    int other = 1 - s->connection_last % HALVES;
    return oldest_empty[count[other] >= count[1 - other] ? other : 1 - other];
}

void channel_join(sim *s, uint32_t o)
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

void channel_leave(sim *s, uint32_t o)
{
    sim_fifo *queue = &s->connections[s->state[o].connection].queue;
    s->state[o].connection = -1;
    fifo_drop(s, queue, connection_next);
    if (queue->first != NONE)
        stream_try(s, queue->first);
}

/* Does another connection of c's half hold a kernel that waits? Those on their way do not count. */
static bool half_waits(const sim *s, int c)
{
    for (int other = c % HALVES; other < s->connection_count; other += HALVES) {
        uint32_t first = s->connections[other].queue.first;
        if (other != c && first != NONE && s->state[first].arrived)
            return true;
    }
    return false;
}

bool channel_turn(sim *s, uint32_t o)
{
    int c = s->state[o].connection, half = c % HALVES;
    if (c < 0 || !s->gpu->turn_ns || !half_waits(s, c))
        return false;
    int64_t from = s->turn_last[half] > s->now ? s->turn_last[half] : s->now;
    s->state[o].turn_at = s->turn_last[half] = sim_after(s, o, from, s->gpu->turn_ns);
    fifo_add(s, &s->turns[half], o, queue_next);
    return true;
}
