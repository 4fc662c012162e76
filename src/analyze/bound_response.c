/* The response of one op: the theorem of docs/bound.md. Going back from its end, an
 * event waits for events before it, for an engine, or for its own arrival; the time
 * since its call is therefore the length of a path plus what engines need (a). Or, the
 * responses of the events right before it say when it enters, and then it is alone on
 * the path (b). The smaller one holds. */
#include "analyze/bound.h"

/* N1 and N2 hold one of them back until the other has left. */
static bool null_related(const bound_op *i, const bound_op *k)
{
    return (i->null || k->null) && i->blocking && k->blocking;
}

/* i, where called after k, waits until k has left its stream's queue. */
static bool stays_behind(const bound_op *i, const bound_op *k)
{
    return i->op->stream == k->op->stream || null_related(i, k);
}

/* Lemma 4: may k be behind i in a connection? */
static bool shares(const bound *b, const bound_op *i, const bound_op *k)
{
    return i->kernel && k->kernel && (b->shared || (b->null_shared && k->null));
}

/* May the path from k lead to i? `nulls`: there are events of the NULL stream before k. */
static bool may_precede(const bound *b, const bound_op *i, const bound_op *k, bool nulls)
{
    if (b->shared || i->op->stream == k->op->stream)
        return true;
    return (k->null || (nulls && k->blocking)) && (i->blocking || b->null_shared);
}

static wide events_before(bound *b, const bound_op *i, const bound_op *k)
{
    return bound_count(b, i, k, i->response + b->gpu->stream_gap_ns, BOUND_BEFORE);
}

static bool nulls_before(bound *b, const bound_op *k)
{
    for (size_t n = 0; n < b->count; n++)
        if (b->ops[n].null && events_before(b, &b->ops[n], k))
            return true;
    return false;
}

/* Events of i may be on the path: their tails and gaps. Where only their own stream waits for
 * them to leave, the last one of it is not waited for by anything before k. */
static void add_to_path(bound *b, const bound_op *i, const bound_op *k, wide events, bool nulls, bound_path *p)
{
    wide tail = (i->kernel ? i->longest : 0) + b->gpu->stream_gap_ns, *least = &b->stream_least[i->op->stream];
    p->events = wide_add(p->events, events);
    p->length = wide_add(p->length, wide_mul(events, tail));
    if (i->op->stream != k->op->stream && !(nulls && i->blocking) && tail < *least) {
        p->length = p->length - tail + (*least == BOUND_HUGE ? 0 : *least);
        *least = tail;
    }
    if (stays_behind(i, k))
        p->entry = wide_max(p->entry, i->response + b->gpu->stream_gap_ns - bound_distance(i, k));
    else if (shares(b, i, k))
        p->entry = wide_max(p->entry, i->enter - bound_distance(i, k));
    if (i->kernel) {
        p->kernels = wide_add(p->kernels, events);
        p->lowest = i->level > p->lowest ? i->level : p->lowest;
    } else {
        p->engines |= UINT64_C(1) << i->engine;
    }
}

static bound_path path_of(bound *b, const bound_op *k)
{
    bound_path p = {.lowest = k->kernel ? k->level : 0, .entry = k->latency};
    int64_t latency = k->latency;
    bool nulls = k->null || nulls_before(b, k);
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->stream_least[n] = BOUND_HUGE;
    for (size_t n = 0; n < b->count; n++) {
        const bound_op *i = &b->ops[n];
        wide events = may_precede(b, i, k, nulls) ? events_before(b, i, k) : 0;
        if (!events)
            continue;
        add_to_path(b, i, k, events, nulls, &p);
        latency = i->latency > latency ? i->latency : latency;
    }
    p.length = wide_add(p.length, latency);
    return p;
}

/* May i, called later, go before k that has entered? Of higher kernels, and of copies where
 * their engine has channels. */
static bool overtakes(const bound *b, const bound_op *i, const bound_op *k)
{
    if (k->kernel)
        return i->kernel && i->level < k->level;
    return !i->kernel && i->engine == k->engine && b->gpu->copy_channels;
}

/* Count what can be about while the path waits: calls up to `enter` after k's, of what
 * overtakes it up to `until`. Where k is alone on its path, what it stayed behind has left. */
static void count_about(bound *b, const bound_op *k, const bound_path *p, wide enter, wide until)
{
    int64_t busy = b->gpu->copy_gap_ns; /* an engine, after a copy */
    bool gone = p->alone && wide_max(b->after, busy) <= b->gpu->stream_gap_ns;
    for (size_t n = 0; n < b->count; n++) {
        const bound_op *i = &b->ops[n];
        bool above = overtakes(b, i, k), behind = stays_behind(i, k);
        wide back = i->response + (i->kernel ? b->after : busy) - (p->alone ? k->latency : 0);
        wide ahead = wide_max((above ? until : enter) - i->latency, 0);
        if (behind || (!p->events && !above))
            ahead = BOUND_BEFORE;
        b->counts[n] = behind && gone ? 0 : bound_count(b, i, k, wide_max(back, 0), ahead);
    }
}

/* What copies counted need of the engines. */
static wide copies(const bound *b, uint64_t engines)
{
    wide sum = 0;
    for (size_t n = 0; n < b->count; n++)
        if (!b->ops[n].kernel && engines >> b->ops[n].engine & 1)
            sum = wide_add(sum, wide_mul(b->counts[n], (wide)b->ops[n].longest + b->gpu->copy_gap_ns));
    return sum;
}

/* What the path waits for in engines; `own`: k, a kernel, is on it. */
static wide engines(bound *b, const bound_op *k, const bound_path *p, bool own)
{
    wide wait = own || p->kernels ? bound_wait(b, k, p, own) : 0;
    return wide_add(wait, copies(b, p->engines));
}

/* The least time that is long enough for what is called in it. `enter`: when k enters at the
 * latest; -1: when it does is what is looked for. */
static wide long_enough(bound *b, const bound_op *k, const bound_path *p, wide enter)
{
    wide t = p->length, next;
    for (; t < BOUND_LATEST && b->steps < b->most_steps; t = next) {
        count_about(b, k, p, enter < 0 ? t : enter, t);
        next = wide_add(p->length, engines(b, k, p, enter >= 0 && k->kernel));
        if (next <= t)
            return t;
    }
    return BOUND_HUGE;
}

static wide response(bound *b, const bound_op *k, bound_path p, wide enter)
{
    if (!k->kernel)
        p.engines |= UINT64_C(1) << k->engine;
    return wide_add(long_enough(b, k, &p, enter), k->longest);
}

void bound_response(bound *b, const bound_op *k, wide *enter, wide *end)
{
    bound_path p = path_of(b, k);
    bound_path alone = {.alone = true, .events = p.events, .length = p.entry, .lowest = k->kernel ? k->level : 0};
    *enter = p.entry;
    *end = response(b, k, alone, p.entry);
    if (!p.events)
        return;
    *enter = wide_min(p.entry, long_enough(b, k, &p, -1));
    *end = wide_min(*end, wide_max(*enter, response(b, k, p, *enter)));
}
