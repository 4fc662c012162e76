/* Copy engines. C2, C3: an idle engine takes the head of its queue. Two copies in opposite directions slow each other
 * down, so that their ends move when one starts or ends. What a copy takes beside the time for its bytes is as seen on
 * an H200 (docs/rules.md). Every step is O(1). */
#include "simulate/engine/copy_engines.h"

#include "model/gpu/copy_engine.h"
#include "simulate/duration.h"
#include "simulate/engine/copy_channels.h"
#include "simulate/rules/copy_duration.h"
#include "simulate/state/failure.h"

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

/* Is this a copy to the host, without a given duration, while there is a copy to the device? */
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
