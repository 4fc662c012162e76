/* The response of one op: the theorem of docs/bound.md. Going back from its end, an
 * event waits for events before it, for an engine, or for its own arrival; the time
 * since its call is therefore the length of a path plus what engines need. */
#include "analyze/bound.h"

/* May the path from k lead to i? Streams: G2. NULL stream: N1, N2, with `nulls` of its events
 * before k. Shared connections: to anything. */
static bool may_precede(const bound *b, const bound_op *i, const bound_op *k, bool nulls)
{
    if (b->shared || i->op->stream == k->op->stream)
        return true;
    return (k->null || nulls) && k->blocking && i->blocking;
}

/* i, where called after k, waits until k has left its stream's queue. */
static bool stays_behind(const bound_op *i, const bound_op *k)
{
    return i->op->stream == k->op->stream || ((i->null || k->null) && i->blocking && k->blocking);
}

static wide events_before(bound *b, const bound_op *i, const bound_op *k)
{
    return bound_count(b, i, k, i->response + b->gpu->stream_gap_ns, BOUND_BEFORE);
}

static bound_path path_of(bound *b, const bound_op *k)
{
    bound_path p = {.lowest = k->kernel ? k->level : 0};
    int64_t latency = k->latency;
    bool nulls = false;
    for (size_t n = 0; n < b->count && k->blocking && !nulls; n++)
        nulls = b->ops[n].null && events_before(b, &b->ops[n], k);
    for (size_t n = 0; n < b->count; n++) {
        const bound_op *i = &b->ops[n];
        wide events = may_precede(b, i, k, nulls) ? events_before(b, i, k) : 0;
        if (!events)
            continue;
        p.events = wide_add(p.events, events);
        p.length = wide_add(p.length, wide_mul(events, (i->kernel ? i->longest : 0) + b->gpu->stream_gap_ns));
        latency = i->latency > latency ? i->latency : latency;
        if (!i->kernel) {
            p.engines |= UINT64_C(1) << i->engine;
            continue;
        }
        p.kernels = wide_add(p.kernels, events);
        p.lowest = i->level > p.lowest ? i->level : p.lowest;
    }
    p.length = wide_add(p.length, latency);
    return p;
}

/* Count what can be about: calls up to `enter` after k's, or of higher kernels up to `until`. */
static void count_about(bound *b, const bound_op *k, const bound_path *p, wide enter, wide until)
{
    for (size_t n = 0; n < b->count; n++) {
        const bound_op *i = &b->ops[n];
        bool above = i->kernel && k->kernel && i->level < k->level;
        wide ahead = wide_max((above ? until : enter) - i->latency, 0);
        if (stays_behind(i, k) || (!p->events && !above))
            ahead = BOUND_BEFORE;
        b->counts[n] = bound_count(b, i, k, i->response + (i->kernel ? b->after : 0), ahead);
    }
}

/* What copies counted need of the engines. */
static wide copies(const bound *b, uint64_t engines)
{
    wide sum = 0;
    for (size_t n = 0; n < b->count; n++)
        if (!b->ops[n].kernel && engines >> b->ops[n].engine & 1)
            sum = wide_add(sum, wide_mul(b->counts[n], b->ops[n].longest));
    return sum;
}

/* The path, with what it waits for in engines. */
static wide until_entry(bound *b, const bound_op *k, const bound_path *p)
{
    wide wait = p->kernels ? bound_wait(b, k, p, false) : 0;
    return wide_add(p->length, wide_add(wait, copies(b, p->engines)));
}

static wide until_dispatched(bound *b, const bound_op *k, const bound_path *p)
{
    return wide_add(p->length, wide_add(bound_wait(b, k, p, true), copies(b, p->engines)));
}

static bool goes_on(const bound *b, wide t)
{
    return t < BOUND_LATEST && b->steps < b->most_steps;
}

/* The least time that is long enough for what is called in it. */
static wide entry(bound *b, const bound_op *k, const bound_path *p)
{
    wide t = p->length, next;
    if (!p->events)
        return t;
    for (; goes_on(b, t); t = next) {
        count_about(b, k, p, t, t);
        if ((next = until_entry(b, k, p)) <= t)
            return t;
    }
    return BOUND_HUGE;
}

wide bound_response(bound *b, const bound_op *k)
{
    bound_path p = path_of(b, k);
    wide enter = entry(b, k, &p), t = enter, next;
    if (enter == BOUND_HUGE)
        return BOUND_HUGE;
    if (!k->kernel) {
        p.engines |= UINT64_C(1) << k->engine;
        count_about(b, k, &p, enter, enter);
        return wide_add(until_entry(b, k, &p), k->longest);
    }
    for (; goes_on(b, t); t = next) {
        count_about(b, k, &p, enter, t);
        if ((next = until_dispatched(b, k, &p)) <= t)
            return t + k->longest;
    }
    return BOUND_HUGE;
}
