/* Copy engines and their channels. C2, C3: an idle engine takes the head of its queue. Two copies in opposite
 * directions slow each other down, so that their ends move when one starts or ends. Delays besides the time for the
 * bytes are as seen on an H200 (docs/rules.md). Every step is O(1). */
#include "simulate/engine/copy_engines.h"

#include <stdlib.h>

#include "model/gpu.h"
#include "simulate/duration.h"
#include "simulate/engine/graph_nodes.h"
#include "simulate/engine/state.h"

/* The channels of a copy engine are the queues in which its copies wait. A copy's channel is settled at its call: the
 * one that its stream joined last, if no other stream joined it since; else the least recently joined one. A chain of a
 * graph counts as a stream (graph_shape.h). The engine serves one channel until it is empty, then the next one by
 * number, as seen on an H200 (docs/rules.md). A GPU without channels has one queue per engine. Every step looks at each
 * channel of an engine at most once. */

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

static int least_recently_joined(const sim *s, const sim_connection *channels)
{
    least_recent best = LEAST_RECENT_NONE;
    for (int c = 0; c < s->gpu->copy_channels; c++)
        least_recent_offer(&best, c, channels[c].joined);
    return best.index;
}

/* The call of o settles its channel. */
static void copy_join(sim *s, uint32_t o)
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
        c = least_recently_joined(s, channels);
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

/* Takes the copy that the engine serves next; at least one waits. */
static uint32_t copy_take(sim *s, int engine)
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

void copy_call(sim *s, uint32_t o)
{
    s->ops[o].engine = copy_engine_of(s->gpu, sim_spec(s, o));
    copy_join(s, o);
}

/* How long the copy o takes at full speed. */
static int64_t full_speed_ns(sim *s, uint32_t o)
{
    const gcast_run_op *r = &s->ops[o];
    const gcast_op *op = sim_spec(s, o);
    int64_t ns = 0;
    if (op->max_ns != GCAST_UNKNOWN_NS)
        return duration_of(op, r->op, r->job, 0, s->options);
    if (copy_bytes_ns(s->w, s->gpu, r->op, &ns, s->err) != GCAST_OK)
        s->status = GCAST_INPUT;
    if (s->host_ops[o].after_pause && op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D)
        ns += s->gpu->copy_wake_ns;
    return sim_add_ns(s, o, ns, duration_noise(s->options, r->op, r->job, 0));
}

static bool has_direction(const gcast_op *op, gcast_direction direction)
{
    return op->kind == GCAST_KIND_COPY && op->direction == direction;
}

/* Is there a copy in this direction that does not end now? */
static bool is_copying(const sim *s, gcast_direction direction)
{
    for (int e = 0; e < s->gpu->copy_engines; e++) {
        uint32_t o = s->copy_engines[e].op;
        if (o != NONE && s->ops[o].start_ns >= 0 && s->ops[o].end_ns != s->now &&
            has_direction(sim_spec(s, o), direction))
            return true;
    }
    return false;
}

/* Is this a copy to the host, without a given duration, beside a copy to the device? */
static bool is_beside_h2d(const sim *s, const gcast_op *op)
{
    return has_direction(op, GCAST_D2H) && op->max_ns == GCAST_UNKNOWN_NS && is_copying(s, GCAST_H2D);
}

/* The speed that the copy of this engine has from now on. */
static int speed_percent_of(const sim *s, const sim_copy *c)
{
    const gcast_op *op = sim_spec(s, c->op);
    bool h2d = has_direction(op, GCAST_H2D), d2h = has_direction(op, GCAST_D2H);
    if (op->max_ns != GCAST_UNKNOWN_NS || (!h2d && !d2h))
        return 100;
    return is_copying(s, h2d ? GCAST_D2H : GCAST_H2D) ? s->gpu->copy_duplex_percent : 100;
}

/* Sets when a copy ends if its speed does not change. */
static void set_end(sim *s, const sim_copy *c)
{
    __int128 ns = (c->work_left + c->speed_percent - 1) / c->speed_percent;
    s->ops[c->op].end_ns = sim_add_ns(s, c->op, s->now, ns < MAX_TIME_NS ? (int64_t)ns : MAX_TIME_NS);
    sim_push(s, &s->events, s->ops[c->op].end_ns, EVENT_COPY, c->op);
}

/* A copy starts or ends: sets the speeds of all copies from now on. */
static void update_speeds(sim *s)
{
    for (int e = 0; e < s->gpu->copy_engines; e++) {
        sim_copy *c = &s->copy_engines[e];
        int percent = c->op != NONE && s->ops[c->op].start_ns >= 0 ? speed_percent_of(s, c) : c->speed_percent;
        if (percent == c->speed_percent)
            continue;
        c->work_left -= (__int128)(s->now - c->since_ns) * c->speed_percent;
        c->speed_percent = percent;
        c->since_ns = s->now;
        set_end(s, c);
    }
}

/* Has the engine taken a copy that has not started? */
static bool is_starting(const sim *s, const sim_copy *c)
{
    return c->op != NONE && s->ops[c->op].start_ns < 0;
}

int64_t copy_next_time(const sim *s)
{
    int64_t next = INT64_MAX;
    for (const sim_copy *c = s->copy_engines; c < s->copy_engines + s->gpu->copy_engines; c++)
        if (((c->op == NONE && c->waiting_count) || is_starting(s, c)) && c->ready_ns > s->now && c->ready_ns < next)
            next = c->ready_ns;
    return next;
}

/* C2, C3: the engine takes the next copy. A copy to the host starts late while there is one to the device. */
static void take_next(sim *s, int engine)
{
    sim_copy *c = &s->copy_engines[engine];
    c->op = copy_take(s, engine);
    c->speed_percent = 0;
    c->ended = c->end_delayed = false;
    if (s->gpu->d2h_start_ns && is_beside_h2d(s, sim_spec(s, c->op)))
        c->ready_ns = sim_add_ns(s, c->op, s->now, s->gpu->d2h_start_ns);
}

void copy_dispatch(sim *s)
{
    for (int e = 0; e < s->gpu->copy_engines; e++) {
        sim_copy *c = &s->copy_engines[e];
        if (c->op == NONE && c->waiting_count && c->ready_ns <= s->now)
            take_next(s, e);
        if (!is_starting(s, c) || c->ready_ns > s->now)
            continue;
        s->ops[c->op].start_ns = s->ops[c->op].dispatched_ns = c->since_ns = s->now;
        c->work_left = (__int128)full_speed_ns(s, c->op) * 100;
    }
    update_speeds(s);
}

bool copy_ends(sim *s, uint32_t o)
{
    sim_copy *c = &s->copy_engines[s->ops[o].engine];
    if (c->op != o || c->ended || s->ops[o].end_ns != s->now)
        return false;
    if (!c->end_delayed && s->gpu->d2h_end_ns && is_beside_h2d(s, sim_spec(s, o))) {
        c->end_delayed = true;
        c->work_left += (__int128)s->gpu->d2h_end_ns * 100 - (__int128)(s->now - c->since_ns) * c->speed_percent;
        c->since_ns = s->now;
        set_end(s, c);
        return false;
    }
    return c->ended = true;
}

void copy_done(sim *s, uint32_t o)
{
    sim_copy *c = &s->copy_engines[s->ops[o].engine];
    c->op = NONE;
    c->ready_ns = sim_add_ns(s, o, s->now, s->gpu->copy_gap_ns);
}
