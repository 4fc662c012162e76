/* Rules of queues: connections, channels of copy engines, the NULL stream, priority levels and resident grids. A stream
 * keeps its connection and channel as long as no other stream has joined it since. Otherwise a copy joins the least
 * recently joined channel of its engine, and a kernel the least recently joined empty connection of the half that has
 * more empty connections; where no connection is empty, the least recently joined one (docs/rules.md). */
#ifndef SIMULATE_QUEUE_RULES_H
#define SIMULATE_QUEUE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Connections of even number are one half, those of odd number the other. */
#define CONNECTION_HALVES 2

/* The connection that counts as joined last before any join, so that the first kernel joins one of even number. */
#define CONNECTION_NONE_JOINED 1

static inline int connection_half(int connection)
{
    return connection % CONNECTION_HALVES;
}

/* Do kernels that wait in these two connections enter in turns? */
static inline bool connections_take_turns(int a, int b)
{
    return a != b && connection_half(a) == connection_half(b);
}

/* The least recently joined of several connections or channels. */
typedef struct least_recent {
    int index;       /* of the connection or channel; -1: there is no candidate yet */
    uint64_t joined; /* number of the last join there; 0: never */
} least_recent;

#define LEAST_RECENT_NONE ((least_recent){.index = -1})

/* Offers a candidate. Of candidates that were never joined the first one wins. */
static inline void least_recent_offer(least_recent *best, int index, uint64_t joined)
{
    if (best->index < 0 || joined < best->joined)
        *best = (least_recent){index, joined};
}

/* The best candidates among the connections offered so far. */
typedef struct connection_choice {
    int empty_count[CONNECTION_HALVES];    /* number of empty connections of each half */
    least_recent empty[CONNECTION_HALVES]; /* of the empty connections of each half */
    least_recent any;                      /* of all connections */
} connection_choice;

#define CONNECTION_CHOICE_NONE                                                                                         \
    ((connection_choice){.empty = {LEAST_RECENT_NONE, LEAST_RECENT_NONE}, .any = LEAST_RECENT_NONE})

/* Every connection is offered once, in ascending order. */
static inline void connection_offer(connection_choice *choice, int connection, uint64_t joined, bool is_empty)
{
    int half = connection_half(connection);
    least_recent_offer(&choice->any, connection, joined);
    if (!is_empty)
        return;
    choice->empty_count[half]++;
    least_recent_offer(&choice->empty[half], connection, joined);
}

/* The connection to join. Where both halves have equally many empty connections, the half not joined last wins. */
static inline int connection_chosen(const connection_choice *choice, int last_joined)
{
    const int *count = choice->empty_count;
    if (!count[0] && !count[1])
        return choice->any.index;
    int other = 1 - connection_half(last_joined);
    return choice->empty[count[other] >= count[1 - other] ? other : 1 - other].index;
}

/* An engine serves a channel until it is empty, and then the next one by number. */
static inline int channel_after(int channel, int count)
{
    return (channel + 1) % count;
}

/* By how many channels the engine advances until it serves `channel`, if it serves `served` now. */
static inline int channel_steps(int served, int channel, int count)
{
    return (channel + count - served) % count;
}

/* N1, N2: do operations of this stream wait for older ones of the NULL stream, and those for them? */
static inline bool stream_is_blocking(const gcast_workload *w, int null_stream, int stream)
{
    return stream != null_stream && w->streams[stream].blocking;
}

#define MAX_LEVELS 64 /* priority levels of a GPU */

/* Are as many kernels resident as the GPU allows? Then no other kernel may start, and a head that waits lets the heads
 * of lower levels start (X1, A2). */
static inline bool grid_limit_reached(const gcast_gpu *gpu, uint64_t resident_grids)
{
    int limit = gpu->limits.resident_grids;
    return limit && resident_grids >= (uint64_t)limit;
}

#endif
