/* Channels of a copy engine: the queues in which its copies wait. Its call settles which channel a copy joins: the one
 * that its stream joined last, if no other stream joined there since; else the least recently joined one. A chain of a
 * graph counts as a stream (rules/graph_chains.h). The engine serves one channel until it is empty, then the next one
 * by number, as seen on an H200 (docs/rules.md). A GPU without channels has one queue per engine. Every step looks at
 * each channel of an engine at most once. */
#include "simulate/engine/copy_channels.h"

#include <stdlib.h>

#include "simulate/graph/state.h"
#include "simulate/state/fifo.h"

static int channel_count(const gcast_gpu *gpu)
{
    return gpu->copy_channels ? gpu->copy_channels : 1;
}

static sim_connection *channels_of(const sim *s, int engine)
{
    return &s->copy_channels[(size_t)engine * (size_t)channel_count(s->gpu)];
}

bool copy_channels_init(sim *s)
{
    size_t n = (size_t)s->gpu->copy_engines * (size_t)channel_count(s->gpu);
    s->copy_channels = calloc(n, sizeof *s->copy_channels);
    for (size_t i = 0; s->copy_channels && i < n; i++)
        s->copy_channels[i] = (sim_connection){.queue = FIFO_EMPTY, .stream = -1};
    return s->copy_channels != NULL;
}

static int longest_not_joined(const sim *s, const sim_connection *channels)
{
    least_recent best = LEAST_RECENT_NONE;
    for (int c = 0; c < s->gpu->copy_channels; c++)
        least_recent_offer(&best, c, channels[c].joined);
    return best.index;
}

void copy_join(sim *s, uint32_t o)
{
    const graph_node *node = graph_has(s, o) ? graph_node_of(s, o) : NULL;
    int engine = s->ops[o].engine, stream = sim_spec(s, o)->stream, c = s->streams[stream].channel[engine];
    sim_connection *channels = channels_of(s, engine);
    bool in_stream = !node || node->in_first;
    if (!s->gpu->copy_channels)
        return;
    if (node && node->copies_behind)
        c = s->ops[o - node->copies_behind].channel;
    else if (!in_stream || c < 0 || channels[c].stream != stream)
        c = longest_not_joined(s, channels);
    if (in_stream)
        s->streams[stream].channel[engine] = c;
    channels[c].joined = ++s->join_count;
    channels[c].stream = in_stream ? stream : -1;
    s->ops[o].channel = c;
}

void copy_enter(sim *s, uint32_t o)
{
    int c = s->ops[o].channel;
    fifo_add(s, &channels_of(s, s->ops[o].engine)[c < 0 ? 0 : c].queue, o);
    s->copy_engines[s->ops[o].engine].waiting_count++;
}

uint32_t copy_take(sim *s, int engine)
{
    sim_copy *e = &s->copy_engines[engine];
    sim_connection *channels = channels_of(s, engine);
    while (channels[e->served_channel].queue.first == NONE)
        e->served_channel = channel_after(e->served_channel, channel_count(s->gpu));
    sim_fifo *queue = &channels[e->served_channel].queue;
    uint32_t o = queue->first;
    fifo_drop(s, queue);
    e->waiting_count--;
    return o;
}
