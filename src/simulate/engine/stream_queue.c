/* Stream queues. G1: an operation enters its stream's queue when it is called.
 * G2: it may go to its engine when it is the head. G4: it leaves when complete.
 * N1, N2: the NULL stream waits for older work of blocking streams, and they for
 * its older work.
 *
 * Everything here is O(1) an operation but the heap of heads that wait for the
 * NULL stream, which is O(log heads). */
#include "simulate/engine/stream_queue.h"

#include "simulate/dispatch/execution_queue.h"
#include "simulate/engine/connections.h"
#include "simulate/engine/copy_channels.h"
#include "simulate/engine/copy_engines.h"
#include "simulate/rules/null_stream.h"
#include "simulate/scatter.h"
#include "simulate/state/failure.h"
#include "simulate/state/fifo.h"

static bool is_null(const sim *s, const gcast_op *op)
{
    return op->stream == s->null_stream;
}

static bool is_blocking(const sim *s, const gcast_op *op)
{
    return stream_is_blocking(s->w, s->null_stream, op->stream);
}

/* o is called. None arrives before one that was called before it. */
static void set_out(sim *s, uint32_t o, sim_fifo *coming, int64_t latency)
{
    gcast_run_op *r = &s->ops[o];
    r->arrive_ns = s->now + scatter_latency(s->options, s->gpu, r, s->state[o].woken, latency);
    if (coming->last != NONE && s->ops[coming->last].arrive_ns > r->arrive_ns)
        r->arrive_ns = s->ops[coming->last].arrive_ns;
    fifo_add(s, coming, o, queue_next);
}

void stream_call(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    sim_stream *stream = &s->streams[op->stream];
    fifo_add(s, &stream->queue, o, stream_next);
    stream->last_called = o;
    if (is_blocking(s, op))
        list_add(s, &s->old, o, old_prev, old_next);
    if (op->kind != GCAST_KIND_KERNEL) {
        set_out(s, o, &s->copies_coming, s->gpu->copy_latency_ns);
        copy_call(s, o);
        return;
    }
    set_out(s, o, &s->kernels_coming, s->gpu->launch_latency_ns);
    if (s->connection_count)
        connection_join(s, o);
}

static int64_t arrival(const sim *s, const sim_fifo *coming)
{
    return coming->first == NONE ? INT64_MAX : s->ops[coming->first].arrive_ns;
}

int64_t stream_next_time(const sim *s)
{
    int64_t t = arrival(s, &s->kernels_coming);
    int64_t t2 = arrival(s, &s->copies_coming);
    if (t2 < t)
        t = t2;
    if (s->leaving.first != NONE && s->ops[s->leaving.first].end_ns + s->gpu->stream_gap_ns < t)
        t = s->ops[s->leaving.first].end_ns + s->gpu->stream_gap_ns;
    for (int half = 0; half < CONNECTION_HALVES; half++) {
        uint32_t next = s->turns[half].first;
        if (next != NONE && s->state[next].turn_at < t)
            t = s->state[next].turn_at;
    }
    return t;
}

/* Does nothing hold the head o but its turn? */
static bool may_enter(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    uint64_t launch = s->ops[o].launch;
    sim_op *x = &s->state[o];
    if (s->ops[o].head_ns < 0 || x->ready || x->null_waiting)
        return false;
    if (is_null(s, op)) {
        if (s->old.first != NONE && s->ops[s->old.first].launch < launch)
            return false; /* N1: tried again when the oldest leaves */
    } else if (is_blocking(s, op) && s->null_stream >= 0) {
        uint32_t older = s->streams[s->null_stream].queue.first;
        if (older != NONE && s->ops[older].launch < launch) {
            x->null_waiting = true; /* N2 */
            sim_push(s, &s->null_waits, (int64_t)launch, 0, o);
            return false;
        }
    }
    /* Else tried again when the one in front leaves. */
    return x->connection < 0 || s->connections[x->connection].queue.first == o;
}

static void get_ready(sim *s, uint32_t o)
{
    if (!vec_push(&s->ready, o))
        sim_fail_memory(s);
}

static void try(sim *s, uint32_t o)
{
    if (!may_enter(s, o))
        return;
    s->state[o].ready = true;
    get_ready(s, o);
}

/* The same of one that was there, and of which an operation that left may have been all it waited for. */
static void try_freed(sim *s, uint32_t o)
{
    if (!may_enter(s, o))
        return;
    s->state[o].ready = true;
    if (!connection_turn(s, o))
        get_ready(s, o);
}

static void arrive(sim *s, sim_fifo *coming)
{
    uint32_t o = coming->first;
    const gcast_op *op = sim_spec(s, o);
    fifo_drop(s, coming, queue_next);
    s->state[o].arrived = true;
    if (s->streams[op->stream].queue.first == o) {
        s->ops[o].head_ns = s->now;
        try(s, o);
    }
}

void stream_arrivals(sim *s)
{
    for (;;) {
        bool kernel = arrival(s, &s->kernels_coming) <= s->now;
        bool copy = arrival(s, &s->copies_coming) <= s->now;
        if (!kernel && !copy)
            return;
        if (kernel && copy)
            kernel = s->ops[s->kernels_coming.first].launch < s->ops[s->copies_coming.first].launch;
        arrive(s, kernel ? &s->kernels_coming : &s->copies_coming);
    }
}

void stream_entries(sim *s)
{
    for (size_t i = 0; i < s->ready.count && s->status == GCAST_OK; i++) {
        uint32_t o = s->ready.at[i];
        s->ops[o].enter_ns = s->now;
        s->ops[o].entry = s->entries++;
        uint32_t next = s->state[o].connection >= 0 ? connection_leave(s, o) : NONE;
        if (next != NONE)
            try(s, next);
        if (sim_spec(s, o)->kind == GCAST_KIND_KERNEL)
            execution_enter(s, o);
        else
            copy_enter(s, o);
    }
    s->ready.count = 0;
}

void stream_complete(sim *s, uint32_t o)
{
    fifo_add(s, &s->leaving, o, queue_next);
}

/* The NULL stream moved on: heads it held back, down to its next operation. */
static void release_null_waits(sim *s)
{
    uint32_t next = s->streams[s->null_stream].queue.first;
    while (heap_top(&s->null_waits) &&
           (next == NONE || (uint64_t)heap_top(&s->null_waits)->time < s->ops[next].launch)) {
        uint32_t o = heap_pop(&s->null_waits).id;
        s->state[o].null_waiting = false;
        if (s->options->scatter)
            sim_push(s, &s->let_go, scatter_turn(s->options, &s->ops[o]), 0, o);
        else
            try_freed(s, o);
    }
    while (heap_top(&s->let_go))
        try_freed(s, heap_pop(&s->let_go).id);
}

/* Those whose turn it is. */
static void take_turns(sim *s)
{
    for (int half = 0; half < CONNECTION_HALVES; half++)
        for (uint32_t o; (o = s->turns[half].first) != NONE && s->state[o].turn_at <= s->now;) {
            fifo_drop(s, &s->turns[half], queue_next);
            get_ready(s, o);
        }
}

void stream_departures(sim *s)
{
    take_turns(s);
    while (s->leaving.first != NONE && s->ops[s->leaving.first].end_ns + s->gpu->stream_gap_ns <= s->now) {
        uint32_t o = s->leaving.first;
        const gcast_op *op = sim_spec(s, o);
        sim_stream *stream = &s->streams[op->stream];
        fifo_drop(s, &s->leaving, queue_next);
        fifo_drop(s, &stream->queue, stream_next);
        uint32_t next = stream->queue.first;
        if (next != NONE && s->state[next].arrived) {
            s->ops[next].head_ns = s->now;
            try_freed(s, next);
        }
        if (is_null(s, op)) {
            release_null_waits(s);
        } else if (is_blocking(s, op)) {
            bool oldest = s->old.first == o;
            list_drop(s, &s->old, o, old_prev, old_next);
            uint32_t waiting = s->null_stream >= 0 ? s->streams[s->null_stream].queue.first : NONE;
            if (oldest && waiting != NONE)
                try_freed(s, waiting);
        }
    }
}
