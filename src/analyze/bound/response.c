/* Going back from its end, an event waits for events before it, for an engine, or for its own arrival. The time since
 * its call is therefore the length of a path plus the time that engines need (a). Or the responses of the events right
 * before it say when it enters, and from then on it is alone on the path (b). Both hold; the smaller one is taken. */
#include "analyze/bound/response.h"

#include <stdlib.h>

#include "analyze/bound/event_counts.h"
#include "analyze/bound/queue_wait.h"
#include "base/minmax.h"
#include "model/workload/dependencies/dependencies.h"

/* Lemma 4: may k be behind i in a connection? */
static bool shares_connection(const bound *b, const bound_op *i, const bound_op *k)
{
    return i->is_kernel && k->is_kernel && (b->connections_shared || (b->null_connections_shared && k->is_null));
}

/* May the path from k lead to i? `null_before`: there are events of the NULL stream before k. */
static bool may_precede(const bound *b, const bound_op *i, const bound_op *k, bool null_before)
{
    if (b->connections_shared || i->op->stream == k->op->stream)
        return true;
    if (b->stream_group)
        return b->stream_group[i->op->stream] == b->stream_group[k->op->stream];
    return (k->is_null || (null_before && k->is_blocking)) && (i->is_blocking || b->null_connections_shared);
}

static wide events_before(bound *b, const bound_op *i, const bound_op *k)
{
    return bound_count_events(b, i, k, &(bound_window){.before_ns = i->response_ns + b->gap_ns, .called_before = true});
}

static bool has_null_before(bound *b, const bound_op *k)
{
    for (size_t n = 0; n < b->op_count; n++)
        if (b->ops[n].is_null && events_before(b, &b->ops[n], k))
            return true;
    return false;
}

/* The release of the event of i that k is after, at the latest, after k's own. */
static wide named_release(const bound *b, const bound_op *i, const bound_op *k)
{
    if (i->op->host == GCAST_NO_HOST && k->op->host == GCAST_NO_HOST)
        return (wide)i->op->release_ns - k->op->release_ns; /* they are of one job, or run once at known times */
    return bound_latest_release(b, i, k, &(bound_window){.called_before = true});
}

/* Events of i may be on the path: each adds its gap and, of kernels, `max`. Where only their own stream waits for them
 * to leave, nothing before k waits for the last one of the stream, and the shortest is left out. */
static void add_to_path(bound *b, const bound_op *i, const bound_op *k, wide events, bool null_before, bound_path *p)
{
    const bound_window before = {.called_before = true};
    wide length_ns = (i->is_kernel ? i->max_ns : 0) + b->gap_ns, *shortest = &b->stream_min_length_ns[i->op->stream];
    p->event_count = wide_add(p->event_count, events);
    p->length_ns = wide_add(p->length_ns, wide_mul(events, length_ns));
    bool is_awaited = (null_before && i->is_blocking) || (b->stream_group && b->stream_is_joined[i->op->stream]);
    if (i->op->stream != k->op->stream && !is_awaited && length_ns < *shortest) {
        p->length_ns = p->length_ns - length_ns + (*shortest == WIDE_HUGE ? 0 : *shortest);
        *shortest = length_ns;
    }
    if (bound_waits_for(i, k))
        p->entry_ns = wide_max(p->entry_ns, i->response_ns + b->gap_ns + bound_latest_release(b, i, k, &before));
    else if (dependencies_name(k->op, i->index))
        p->entry_ns = wide_max(p->entry_ns, i->response_ns + b->gap_ns + named_release(b, i, k));
    if (!bound_waits_for(i, k) && shares_connection(b, i, k))
        p->entry_ns = wide_max(p->entry_ns, i->entry_ns + bound_latest_release(b, i, k, &before));
    if (i->is_kernel) {
        p->kernel_count = wide_add(p->kernel_count, events);
        p->lowest_level = max_int(i->level, p->lowest_level);
    } else {
        p->copy_engines |= UINT64_C(1) << i->copy_engine;
    }
}

static bound_path path_of(bound *b, const bound_op *k)
{
    bound_path p = {.lowest_level = k->is_kernel ? k->level : 0, .entry_ns = k->max_latency_ns};
    int64_t latency_ns = k->max_latency_ns;
    bool null_before = k->is_null || has_null_before(b, k);
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->stream_min_length_ns[n] = WIDE_HUGE;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        wide events = may_precede(b, i, k, null_before) ? events_before(b, i, k) : 0;
        if (!events)
            continue;
        add_to_path(b, i, k, events, null_before, &p);
        latency_ns = max_i64(i->max_latency_ns, latency_ns);
    }
    p.length_ns = wide_add(p.length_ns, latency_ns);
    return p;
}

/* May i, called later, start before k that has entered? Kernels of higher levels may, and copies where their engine has
 * channels. */
static bool overtakes(const bound *b, const bound_op *i, const bound_op *k)
{
    if (k->is_kernel)
        return i->is_kernel && i->level < k->level;
    return !i->is_kernel && i->copy_engine == k->copy_engine && b->gpu->copy_channels;
}

/* Is i, where it is called after k, behind k: k enters as it arrives, and i arrives no sooner? */
static bool arrives_behind(const bound_op *i, const bound_op *k, const bound_path *p)
{
    return !p->event_count && k->max_latency_ns <= i->latency_ns;
}

/* Releases of events of i that matter: they enter before k does, at `entry_ns`, or, where they overtake k, before
 * `start_ns`. Of kernels of lower levels only those matter that can start before k enters. */
static bound_window window_of(const bound *b, const bound_op *i, const bound_op *k, const bound_path *p, wide entry_ns,
                              wide start_ns)
{
    bool above = overtakes(b, i, k), lower = p->is_alone && k->is_kernel && i->level > k->level;
    wide before_ns =
        i->response_ns + (i->is_kernel ? b->after_end_ns : b->gpu->copy_gap_ns) - (p->is_alone ? k->latency_ns : 0);
    bound_window w = {.before_ns = wide_max(before_ns, 0),
                      .called_before = bound_waits_for(i, k) || (arrives_behind(i, k, p) && !above)};
    w.after_ns = (above ? start_ns : entry_ns) - i->min_entry_ns - lower;
    return w;
}

/* Where k is alone, only its own engine matters. */
static bool shares_engine(const bound_op *i, const bound_op *k, const bound_path *p)
{
    return !p->is_alone || (i->is_kernel ? k->is_kernel : !k->is_kernel && i->copy_engine == k->copy_engine);
}

/* Counts the events that can be on the GPU while the path waits: those that enter before `entry_ns` after k's call or,
 * where they overtake k, before `start_ns`. Where k is alone on its path, the events that it waited for have left.
 * False: they are the same, and there until the same times, as when they were last counted. */
static bool count_on_gpu(bound *b, const bound_op *k, const bound_path *p, wide entry_ns, wide start_ns)
{
    int64_t copy_gap_ns = b->gpu->copy_gap_ns;
    wide left_before = b->left_count;
    bool changed = false;
    b->left_count = b->last_until_ns = 0;
    b->is_overtaken = false;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        bound_window w = window_of(b, i, k, p, entry_ns, start_ns);
        wide events = shares_engine(i, k, p) ? bound_count_events(b, i, k, &w) : 0, until_ns = WIDE_HUGE;
        if (p->is_alone && events) {
            until_ns =
                i->response_ns + (i->is_kernel ? b->after_end_ns : copy_gap_ns) + bound_latest_release(b, i, k, &w);
            b->last_until_ns = wide_max(b->last_until_ns, until_ns);
            b->is_overtaken = b->is_overtaken || overtakes(b, i, k);
            if (bound_waits_for(i, k) &&
                (i->is_kernel ? b->one_kernel_per_stream : copy_gap_ns <= b->gpu->stream_gap_ns)) {
                b->left_count = wide_add(b->left_count, events);
                events = 0;
            }
        }
        changed = changed || events != b->event_counts[n] || until_ns != b->until_ns[n];
        b->event_counts[n] = events;
        b->until_ns[n] = until_ns;
    }
    return changed || b->left_count != left_before;
}

/* How long k, a copy, waits once it has entered: for one copy of each other stream, and for what is left of a copy
 * gap. */
static wide copies_before(bound *b, const bound_op *k)
{
    wide sum = wide_max(b->gpu->copy_gap_ns - b->gpu->stream_gap_ns, 0);
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->streams[n].copy_ns = 0;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        wide *longest = &b->streams[i->op->stream].copy_ns, hold_ns = (wide)i->max_ns + b->gpu->copy_gap_ns;
        if (!b->event_counts[n] || bound_waits_for(i, k) || hold_ns <= *longest)
            continue;
        sum = wide_add(sum, hold_ns - *longest);
        *longest = hold_ns;
    }
    return sum;
}

/* How long the copies counted keep these engines busy. */
static wide busy_with_copies(const bound *b, uint64_t engines)
{
    wide sum = 0;
    for (size_t n = 0; n < b->op_count; n++)
        if (!b->ops[n].is_kernel && engines >> b->ops[n].copy_engine & 1)
            sum = wide_add(sum, wide_mul(b->event_counts[n], (wide)b->ops[n].max_ns + b->gpu->copy_gap_ns));
    return sum;
}

/* How long the path waits for engines; `has_own`: k is a kernel, and waits itself. */
static wide wait_for_engines(bound *b, const bound_op *k, const bound_path *p, bool has_own)
{
    if (p->is_alone && !k->is_kernel && !b->gpu->copy_channels)
        return wide_min(busy_with_copies(b, p->copy_engines), copies_before(b, k));
    wide wait = has_own || p->kernel_count ? bound_queue_wait(b, k, p, has_own) : 0;
    return wide_add(wait, busy_with_copies(b, p->copy_engines));
}

static int last_first(const void *a, const void *b)
{
    const wide *x = a, *y = b;
    return *x > *y ? -1 : *x < *y;
}

/* The theorem's (c), for k alone on its path, which starts its last block by `start_ns`. It tries the times at which
 * none of the events counted matters any more, or all but those of 1, 2, 4, ... ops do not, and adds the wait of k as
 * if its blocks and those events began to wait there. */
static wide start_after_cuts(bound *b, const bound_op *k, const bound_path *p, wide start_ns)
{
    size_t count = 0;
    wide own_ns = k->is_kernel ? bound_waves(k, b->is_overtaken) : 0;
    start_ns = wide_min(start_ns, wide_add(wide_max(b->last_until_ns, p->length_ns), own_ns));
    for (size_t n = 0; k->is_kernel && n < b->op_count; n++)
        if (b->event_counts[n] && b->until_ns[n] < b->last_until_ns)
            b->sorted_until_ns[count++] = b->until_ns[n];
    qsort(b->sorted_until_ns, count, sizeof *b->sorted_until_ns, last_first);
    for (size_t n = 0; n < count; n = 2 * n + 1) {
        b->steps += b->kernel_count;
        b->cut_ns = b->sorted_until_ns[n];
        if (b->cut_ns < start_ns)
            start_ns = wide_min(start_ns, wide_add(wide_max(b->cut_ns, p->length_ns), bound_queue_wait(b, k, p, true)));
    }
    b->cut_ns = BOUND_NO_CUT;
    return start_ns;
}

/* The smallest t found with f(t) <= t: no wait is longer (theorem). `entry_ns`: k enters by then, and t is when its
 * last block, or the copy, starts; -1: t is when k enters. */
static wide fixed_point(bound *b, const bound_op *k, const bound_path *p, wide entry_ns)
{
    wide t = p->length_ns, next;
    for (; t <= b->max_response_ns && bound_may_continue(b); t = next) {
        if (!count_on_gpu(b, k, p, entry_ns < 0 ? t : entry_ns, t) && t > p->length_ns)
            return t; /* f(t) is t, which was found with the same events */
        next = wide_add(p->length_ns, wait_for_engines(b, k, p, entry_ns >= 0 && k->is_kernel));
        if (p->is_alone && !b->widening)
            next = start_after_cuts(b, k, p, next);
        if (next <= t)
            return t;
    }
    return WIDE_HUGE;
}

/* When k ends at the latest, after its call, on this path. */
static wide end_on_path(bound *b, const bound_op *k, bound_path p, wide entry_ns)
{
    if (!k->is_kernel)
        p.copy_engines |= UINT64_C(1) << k->copy_engine;
    return wide_add(fixed_point(b, k, &p, entry_ns), k->max_ns);
}

void bound_response(bound *b, const bound_op *k, wide *entry_ns, wide *end_ns)
{
    bound_path p = path_of(b, k);
    bound_path alone = {.is_alone = true,
                        .event_count = p.event_count,
                        .length_ns = p.entry_ns,
                        .lowest_level = k->is_kernel ? k->level : 0};
    *entry_ns = p.entry_ns;
    *end_ns = end_on_path(b, k, alone, p.entry_ns);
    if (!p.event_count)
        return;
    *entry_ns = wide_min(p.entry_ns, fixed_point(b, k, &p, -1));
    *end_ns = wide_min(*end_ns, wide_max(*entry_ns, end_on_path(b, k, p, *entry_ns)));
}
