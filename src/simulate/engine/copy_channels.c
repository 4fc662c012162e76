/* Channels of a copy engine: the queues that its copies wait in. Which one a copy joins is
 * settled by its call: its stream's, where no other stream joined that since, else the one
 * not joined for longest. The engine goes on with the channel it is at, and when that is
 * empty with the next one by number, as seen on an H200 (docs/rules.md). Without channels
 * there is one queue. Every step looks at each channel of an engine once at most. */
#include "simulate/engine/copy_channels.h"

#include <stdlib.h>

#include "simulate/state/fifo.h"

static int count_of(const gcast_gpu *gpu)
{
    return gpu->copy_channels ? gpu->copy_channels : 1;
}

static sim_connection *channels_of(const sim *s, int engine)
{
    return &s->copy_channels[(size_t)engine * (size_t)count_of(s->gpu)];
}

bool copy_channels_init(sim *s)
{
    size_t n = (size_t)s->gpu->copy_engines * (size_t)count_of(s->gpu);
    s->copy_channels = calloc(n, sizeof *s->copy_channels);
    for (size_t i = 0; s->copy_channels && i < n; i++)
        s->copy_channels[i] = (sim_connection){.queue = FIFO_EMPTY, .stream = -1};
    return s->copy_channels != NULL;
}

void copy_join(sim *s, uint32_t o)
{
    int engine = s->ops[o].engine, stream = sim_spec(s, o)->stream, *mine = &s->streams[stream].channel[engine];
    sim_connection *channels = channels_of(s, engine);
    if (!s->gpu->copy_channels)
        return;
    if (*mine < 0 || channels[*mine].stream != stream) {
        least_recent best = LEAST_RECENT_NONE;
        for (int c = 0; c < s->gpu->copy_channels; c++)
            least_recent_offer(&best, c, channels[c].joined);
        *mine = best.index;
    }
    channels[*mine].joined = ++s->joins;
    channels[*mine].stream = stream;
    s->ops[o].channel = *mine;
}

void copy_enter(sim *s, uint32_t o)
{
    int c = s->ops[o].channel;
    fifo_add(s, &channels_of(s, s->ops[o].engine)[c < 0 ? 0 : c].queue, o, queue_next);
    s->copying[s->ops[o].engine].waiting++;
}

uint32_t copy_take(sim *s, int engine)
{
    sim_copy *e = &s->copying[engine];
    sim_connection *channels = channels_of(s, engine);
    while (channels[e->channel].queue.first == NONE)
        e->channel = (e->channel + 1) % count_of(s->gpu);
    sim_fifo *queue = &channels[e->channel].queue;
    uint32_t o = queue->first;
    fifo_drop(s, queue, queue_next);
    e->waiting--;
    return o;
}
