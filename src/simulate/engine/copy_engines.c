/* Copy engines. C1: a copy enters its engine's queue when it is the head of its
 * stream. C2, C3: an idle engine takes the head of its queue. C4: a copy leaves its
 * stream's queue when complete. Two copies in opposite directions slow each other down,
 * so that ends move when a copy starts or ends. What a copy takes beside its bytes is as
 * seen on an H200 (docs/rules.md). Every step is O(1). */
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

static int64_t copy_ns(sim *s, uint32_t o)
{
    const gcast_run_op *r = &s->ops[o];
    const gcast_op *op = sim_spec(s, o);
    int64_t ns = 0;
    if (op->max_ns != GCAST_UNKNOWN_NS)
        return duration_of(op, r->op, r->job, 0, s->options);
    if (copy_bytes_ns(s->w, s->gpu, r->op, &ns, s->err) != GCAST_OK)
        s->status = GCAST_INPUT;
    if (s->state[o].woken && op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D)
        ns += s->gpu->copy_wake_ns;
    return sim_after(s, o, ns, duration_noise(s->options, r->op, r->job, 0));
}

static bool goes(const gcast_op *op, gcast_direction direction)
{
    return op->kind == GCAST_KIND_COPY && op->direction == direction;
}

/* Does a copy go this way that is not over now? */
static bool is_going(const sim *s, gcast_direction direction)
{
    for (int e = 0; e < s->gpu->copy_engines; e++) {
        uint32_t o = s->copying[e].op;
        if (o != NONE && s->ops[o].start_ns >= 0 && s->ops[o].end_ns != s->now && goes(sim_spec(s, o), direction))
            return true;
    }
    return false;
}

/* Is this a copy to the host, of a time that is ours to change, beside one to the device? */
static bool is_beside(const sim *s, const gcast_op *op)
{
    return goes(op, GCAST_D2H) && op->max_ns == GCAST_UNKNOWN_NS && is_going(s, GCAST_H2D);
}

static int percent_of(const sim *s, const sim_copy *c)
{
    const gcast_op *op = sim_spec(s, c->op);
    bool in = goes(op, GCAST_H2D), out = goes(op, GCAST_D2H);
    if (op->max_ns != GCAST_UNKNOWN_NS || (!in && !out))
        return 100;
    return is_going(s, in ? GCAST_D2H : GCAST_H2D) ? s->gpu->copy_duplex_percent : 100;
}

/* When a copy ends if nothing changes. */
static void set_end(sim *s, const sim_copy *c)
{
    __int128 ns = (c->left + c->percent - 1) / c->percent;
    s->ops[c->op].end_ns = sim_after(s, c->op, s->now, ns < LAST_TIME ? (int64_t)ns : LAST_TIME);
    sim_push(s, &s->events, s->ops[c->op].end_ns, EVENT_COPY, c->op);
}

/* Copies go on at the speed that is right from now on. */
static void settle(sim *s)
{
    for (int e = 0; e < s->gpu->copy_engines; e++) {
        sim_copy *c = &s->copying[e];
        int percent = c->op != NONE && s->ops[c->op].start_ns >= 0 ? percent_of(s, c) : c->percent;
        if (percent == c->percent)
            continue;
        c->left -= (__int128)(s->now - c->since) * c->percent;
        c->percent = percent;
        c->since = s->now;
        set_end(s, c);
    }
}

/* It has taken a copy that has not started. */
static bool is_starting(const sim *s, const sim_copy *c)
{
    return c->op != NONE && s->ops[c->op].start_ns < 0;
}

int64_t copy_next_time(const sim *s)
{
    int64_t next = INT64_MAX;
    for (const sim_copy *c = s->copying; c < s->copying + s->gpu->copy_engines; c++)
        if (((c->op == NONE && c->waiting) || is_starting(s, c)) && c->at > s->now && c->at < next)
            next = c->at;
    return next;
}

/* C2, C3. Commands of a copy to the host come late while one to the device goes on. */
static void take(sim *s, int engine)
{
    sim_copy *c = &s->copying[engine];
    c->op = copy_take(s, engine);
    c->percent = 0;
    c->over = c->held = false;
    if (s->gpu->d2h_start_ns && is_beside(s, sim_spec(s, c->op)))
        c->at = sim_after(s, c->op, s->now, s->gpu->d2h_start_ns);
}

void copy_dispatch(sim *s)
{
    for (int e = 0; e < s->gpu->copy_engines; e++) {
        sim_copy *c = &s->copying[e];
        if (c->op == NONE && c->waiting && c->at <= s->now)
            take(s, e);
        if (!is_starting(s, c) || c->at > s->now)
            continue;
        s->ops[c->op].start_ns = s->ops[c->op].dispatched_ns = c->since = s->now;
        c->left = (__int128)copy_ns(s, c->op) * 100;
    }
    settle(s);
}

bool copy_ends(sim *s, uint32_t o)
{
    sim_copy *c = &s->copying[s->ops[o].engine];
    if (c->op != o || c->over || s->ops[o].end_ns != s->now)
        return false;
    if (!c->held && s->gpu->d2h_end_ns && is_beside(s, sim_spec(s, o))) {
        c->held = true;
        c->left += (__int128)s->gpu->d2h_end_ns * 100 - (__int128)(s->now - c->since) * c->percent;
        c->since = s->now;
        set_end(s, c);
        return false;
    }
    return c->over = true;
}

void copy_done(sim *s, uint32_t o)
{
    sim_copy *c = &s->copying[s->ops[o].engine];
    c->op = NONE;
    c->at = sim_after(s, o, s->now, s->gpu->copy_gap_ns);
}
