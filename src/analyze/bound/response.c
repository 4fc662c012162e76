/* The response of one op: the theorem of docs/bound.md. Going back from its end, an
 * event waits for events before it, for an engine, or for its own arrival; the time
 * since its call is therefore the length of a path plus what engines need (a). Or, the
 * responses of the events right before it say when it enters, and then it is alone on
 * the path (b). The smaller one holds. */
#include <stdlib.h>

#include "analyze/bound/bound.h"

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
    return bound_count(b, i, k, (bound_window){.back = i->response + b->gpu->stream_gap_ns, .before = true});
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
    const bound_window before = {.before = true};
    wide tail = (i->kernel ? i->longest : 0) + b->gap, *least = &b->stream_least[i->op->stream];
    p->events = wide_add(p->events, events);
    p->length = wide_add(p->length, wide_mul(events, tail));
    if (i->op->stream != k->op->stream && !(nulls && i->blocking) && tail < *least) {
        p->length = p->length - tail + (*least == BOUND_HUGE ? 0 : *least);
        *least = tail;
    }
    if (bound_stays_behind(i, k))
        p->entry = wide_max(p->entry, i->response + b->gap + bound_latest(b, i, k, before));
    else if (shares(b, i, k))
        p->entry = wide_max(p->entry, i->enter + bound_latest(b, i, k, before));
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

/* Calls of i that matter: it has entered before k does, or where it overtakes k, by `until`. Of lower kernels
 * only those do that can start before k enters. */
static bound_window window_of(const bound *b, const bound_op *i, const bound_op *k, const bound_path *p, wide enter,
                              wide until)
{
    bool above = overtakes(b, i, k), lower = p->alone && k->kernel && i->level > k->level;
    wide back = i->response + (i->kernel ? b->after : b->gpu->copy_gap_ns) - (p->alone ? k->latency : 0);
    bound_window w = {.back = wide_max(back, 0), .before = bound_stays_behind(i, k) || (!p->events && !above)};
    w.ahead = (above ? until : enter) - i->sooner - lower;
    return w;
}

/* Where k is alone, only its own engine matters. */
static bool concerns(const bound_op *i, const bound_op *k, const bound_path *p)
{
    return !p->alone || (i->kernel ? k->kernel : !k->kernel && i->engine == k->engine);
}

/* Count what can be about while the path waits: calls up to `enter` after k's, of what
 * overtakes it up to `until`. Where k is alone on its path, what it stayed behind has left. */
static void count_about(bound *b, const bound_op *k, const bound_path *p, wide enter, wide until)
{
    int64_t busy = b->gpu->copy_gap_ns; /* an engine, after a copy */
    b->left = b->over = 0;
    b->overtaken = false;
    for (size_t n = 0; n < b->count; n++) {
        const bound_op *i = &b->ops[n];
        bound_window w = window_of(b, i, k, p, enter, until);
        b->counts[n] = concerns(i, k, p) ? bound_count(b, i, k, w) : 0;
        b->overs[n] = BOUND_HUGE;
        if (!p->alone || !b->counts[n])
            continue;
        b->overs[n] = i->response + (i->kernel ? b->after : busy) + bound_latest(b, i, k, w);
        b->over = wide_max(b->over, b->overs[n]);
        b->overtaken = b->overtaken || overtakes(b, i, k);
        if (bound_stays_behind(i, k) && (i->kernel ? b->serial : busy <= b->gpu->stream_gap_ns)) {
            b->left = wide_add(b->left, b->counts[n]);
            b->counts[n] = 0;
        }
    }
}

/* Where k, a copy, has entered: of each stream one copy is before it, or its engine goes on after the last. */
static wide copies_before(bound *b, const bound_op *k)
{
    wide sum = wide_max(b->gpu->copy_gap_ns - b->gpu->stream_gap_ns, 0);
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->streams[n].hold = 0;
    for (size_t n = 0; n < b->count; n++) {
        const bound_op *i = &b->ops[n];
        wide *longest = &b->streams[i->op->stream].hold, hold = (wide)i->longest + b->gpu->copy_gap_ns;
        if (!b->counts[n] || bound_stays_behind(i, k) || hold <= *longest)
            continue;
        sum = wide_add(sum, hold - *longest);
        *longest = hold;
    }
    return sum;
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
    if (p->alone && !k->kernel && !b->gpu->copy_channels)
        return wide_min(copies(b, p->engines), copies_before(b, k));
    wide wait = own || p->kernels ? bound_wait(b, k, p, own) : 0;
    return wide_add(wait, copies(b, p->engines));
}

static int last_first(const void *a, const void *b)
{
    const wide *x = a, *y = b;
    return *x > *y ? -1 : *x < *y;
}

/* k, alone, starts its last block by `least`. Or once all that is counted is over, or all but one, two, four, ...: no
 * sooner than that, and then as if its blocks and these began to wait there. */
static wide once_over(bound *b, const bound_op *k, const bound_path *p, wide least)
{
    size_t count = 0;
    least = wide_min(least, wide_add(wide_max(b->over, p->length), k->kernel ? bound_waves(k, b->overtaken) : 0));
    for (size_t n = 0; k->kernel && n < b->count; n++)
        if (b->counts[n] && b->overs[n] < b->over)
            b->sorted[count++] = b->overs[n];
    qsort(b->sorted, count, sizeof *b->sorted, last_first);
    for (size_t n = 0; n < count; n = 2 * n + 1) {
        b->steps += b->kernels;
        b->cut = b->sorted[n];
        if (b->cut < least)
            least = wide_min(least, wide_add(wide_max(b->cut, p->length), bound_wait(b, k, p, true)));
    }
    b->cut = BOUND_NO_CUT;
    return least;
}

/* The least time that is long enough for what is called in it. `enter`: when k enters at the
 * latest; -1: when it does is what is looked for. */
static wide long_enough(bound *b, const bound_op *k, const bound_path *p, wide enter)
{
    wide t = p->length, next;
    for (; t <= b->most && bound_goes_on(b); t = next) {
        count_about(b, k, p, enter < 0 ? t : enter, t);
        next = wide_add(p->length, engines(b, k, p, enter >= 0 && k->kernel));
        if (p->alone && !b->hurry)
            next = once_over(b, k, p, next);
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
