/* The theorem of docs/bound.md. Going back from its end, an event waits for events before it, for an engine, or for its
 * own arrival. So the time since its call is the length of a path plus the time that engines need (a). Or: the
 * responses of the events right before it bound its entry, and from then on it is alone on the path (b). The smaller
 * bound counts. */
#include "analyze/bound/response.h"

#include <stdlib.h>

#include "analyze/bound/bound_state.h"
#include "analyze/bound/queue_wait.h"
#include "base/integers.h"
#include "model/workload/dependencies.h"

/* A window of releases, relative to the release of an event k. */
typedef struct release_window {
    wide before_ns;     /* the window begins this long before k's release */
    wide after_ns;      /* the window ends this long after k's release */
    bool called_before; /* only events that are called before k count */
} release_window;

/* The next functions count the events that can be released in a window (lemma 5). */

/* How late a release can be after its nominal release or, if the op runs once, after its earliest release. */
static wide spread(const bound_op *op)
{
    return op->period_ns ? op->jitter_ns : (wide)op->latest_release_ns - op->earliest_release_ns;
}

/* Is the distance of their nominal releases unknown? */
static bool phase_is_open(const bound *b, const bound_op *other, const bound_op *k)
{
    return other->is_sporadic || k->is_sporadic || (other->op->task != k->op->task && b->options->any_phase);
}

/* How many numbers in (lo, hi] differ from `first` by a multiple of `step`? */
static wide in_step(wide lo, wide hi, wide first, wide step)
{
    return wide_max(wide_div_down(hi - first, step) - wide_div_down(lo - first, step), 0);
}

/* If both are released at one time, may `other` be called first? */
static bool wins_tie(const bound *b, const bound_op *other, const bound_op *k)
{
    bool no_hosts = other->op->host == GCAST_NO_HOST && k->op->host == GCAST_NO_HOST;
    if (k->period_ns)
        return true;
    if (other->op->host == k->op->host && !no_hosts)
        return other->index < k->index;
    return !no_hosts || b->options->any_order || (!other->period_ns && other->index < k->index);
}

/* The latest release of `other` in the window, relative to k's. */
static wide window_end(const bound *b, const bound_op *other, const bound_op *k, const release_window *w)
{
    return w->called_before ? wide_min(w->after_ns, wins_tie(b, other, k) ? 0 : -1) : w->after_ns;
}

/* The count if both run once. */
static wide count_once(const bound *b, const bound_op *other, const bound_op *k, const release_window *w)
{
    bool same_host = other->op->host == k->op->host && other->op->host != GCAST_NO_HOST;
    if (other == k || other->latest_release_ns + w->before_ns <= k->earliest_release_ns)
        return 0;
    if (same_host && other->awaited_from <= k->index && w->before_ns <= other->response_ns)
        return 0; /* `other` has ended before k is called */
    if (same_host && w->called_before && other->index > k->index)
        return 0;
    return other->earliest_release_ns <= k->latest_release_ns + window_end(b, other, k, w);
}

/* The count if both belong to one task: its jobs are a period apart, plus or minus jitter; ops of one job are a fixed
 * time apart. */
static wide count_same_task(const bound_op *other, const bound_op *k, const release_window *w)
{
    wide end = w->called_before ? wide_min(w->after_ns, 0) : w->after_ns;
    wide distance = (wide)other->op->release_ns - k->op->release_ns;
    wide lo = -w->before_ns - other->jitter_ns - distance, hi = end + other->jitter_ns - distance;
    wide other_jobs = wide_div_down(hi, other->period_ns) - wide_div_down(lo, other->period_ns) - (lo < 0 && hi >= 0);
    bool same_job = other != k && distance > -w->before_ns && distance <= end;
    if (w->called_before)
        same_job = same_job && (distance < 0 || other->index < k->index);
    wide any_phase = wide_div_up(w->before_ns + end + other->jitter_ns, other->period_ns) - (other == k);
    if (other->is_sporadic)
        return wide_max(any_phase, 0);
    return wide_max(wide_min(other_jobs + same_job, any_phase), 0);
}

/* How many nominal releases of `other`, relative to k's, are in (lo, hi]? The difference is that of the first releases
 * plus a multiple of a step: the greatest common divisor of the periods or, if an op runs once, the other's period. */
static wide in_phase(const bound_op *other, const bound_op *k, wide lo, wide hi)
{
    wide first = (wide)other->earliest_release_ns - k->earliest_release_ns;
    if (!k->period_ns) /* `other` has no job before its first */
        return in_step(wide_max(lo, first - 1), hi, first, other->period_ns);
    if (!other->period_ns) /* k has no job before its first */
        return in_step(lo, wide_min(hi, first), first, k->period_ns) > 0;
    wide periods = wide_div(hi - lo, other->period_ns), rest = hi - lo - periods * other->period_ns;
    return periods + (in_step(lo, lo + rest, first, common_divisor(other->period_ns, k->period_ns)) > 0);
}

/* How many events of `other`, besides k's event itself, can be released in the window? */
static wide count_events(bound *b, const bound_op *other, const bound_op *k, const release_window *w)
{
    b->steps++;
    if (other->never_called || w->before_ns + w->after_ns <= 0)
        return 0;
    if (!k->period_ns && !other->period_ns)
        return count_once(b, other, k, w);
    if (other->op->task == k->op->task)
        return count_same_task(other, k, w);
    wide end = window_end(b, other, k, w);
    if (end <= -w->before_ns)
        return 0;
    if (other->earliest_release_ns > k->latest_release_ns + end ||
        other->latest_release_ns + w->before_ns <= k->earliest_release_ns)
        return 0;
    wide any_phase = other->period_ns ? wide_div_up(w->before_ns + end + other->jitter_ns, other->period_ns) : 1;
    if (phase_is_open(b, other, k))
        return any_phase;
    return wide_min(any_phase, in_phase(other, k, -w->before_ns - spread(other), end + spread(k)));
}

/* The latest release of these events, relative to k's. */
static wide latest_release(const bound *b, const bound_op *other, const bound_op *k, const release_window *w)
{
    wide end = window_end(b, other, k, w), first = (wide)other->earliest_release_ns - k->earliest_release_ns;
    if (!k->period_ns && !other->period_ns)
        return wide_min(end, (wide)other->latest_release_ns - k->earliest_release_ns);
    if (phase_is_open(b, other, k))
        return end;
    if (other->op->task != k->op->task) {
        int64_t step = common_divisor(other->period_ns, k->period_ns);
        wide hi = end + spread(k);
        return wide_min(end, first + wide_mul(step, wide_div_down(hi - first, step)) + spread(other));
    }
    wide same_job = other != k && first <= end ? first : -WIDE_HUGE;
    wide hi = end + other->jitter_ns - first, jobs = wide_div_down(hi, other->period_ns);
    jobs -= jobs == 0; /* it is another job */
    return wide_max(same_job, wide_min(end, first + wide_mul(jobs, other->period_ns) + other->jitter_ns));
}

/* The next functions find the path of k. */

/* May k be behind `other` in a connection (lemma 4)? */
static bool shares_connection(const bound *b, const bound_op *other, const bound_op *k)
{
    return other->is_kernel && k->is_kernel && (b->connections_shared || (b->null_connections_shared && k->is_null));
}

/* May the path of k lead through `other`? `null_before`: there are events of the NULL stream before k. */
static bool may_precede(const bound *b, const bound_op *other, const bound_op *k, bool null_before)
{
    if (b->connections_shared || other->op->stream == k->op->stream)
        return true;
    if (b->stream_group)
        return b->stream_group[other->op->stream] == b->stream_group[k->op->stream];
    return (k->is_null || (null_before && k->is_blocking)) && (other->is_blocking || b->null_connections_shared);
}

static wide events_before(bound *b, const bound_op *other, const bound_op *k)
{
    return count_events(b, other, k,
                        &(release_window){.before_ns = other->response_ns + b->gap_ns, .called_before = true});
}

static bool has_null_before(bound *b, const bound_op *k)
{
    for (size_t n = 0; n < b->op_count; n++)
        if (b->ops[n].is_null && events_before(b, &b->ops[n], k))
            return true;
    return false;
}

/* The latest release of the event of `other` that k depends on, relative to k's. */
static wide named_release(const bound *b, const bound_op *other, const bound_op *k)
{
    if (other->op->host == GCAST_NO_HOST && k->op->host == GCAST_NO_HOST)
        return (wide)other->op->release_ns - k->op->release_ns; /* both are in one job, or run once at known times */
    return latest_release(b, other, k, &(release_window){.called_before = true});
}

/* Adds events of `other` to the path: each adds its gap and, if a kernel, `max`. If only their own stream waits for
 * them to leave, nothing before k waits for the stream's last event, so the shortest one is left out. */
static void add_to_path(bound *b, const bound_op *other, const bound_op *k, wide events, bool null_before,
                        bound_path *p)
{
    const release_window before = {.called_before = true};
    wide length_ns = (other->is_kernel ? other->max_ns : 0) + b->gap_ns,
         *shortest = &b->stream_min_length_ns[other->op->stream];
    p->event_count = wide_add(p->event_count, events);
    p->length_ns = wide_add(p->length_ns, wide_mul(events, length_ns));
    bool is_awaited =
        (null_before && other->is_blocking) || (b->stream_group && b->stream_is_joined[other->op->stream]);
    if (other->op->stream != k->op->stream && !is_awaited && length_ns < *shortest) {
        p->length_ns = p->length_ns - length_ns + (*shortest == WIDE_HUGE ? 0 : *shortest);
        *shortest = length_ns;
    }
    if (bound_waits_for(other, k))
        p->entry_ns = wide_max(p->entry_ns, other->response_ns + b->gap_ns + latest_release(b, other, k, &before));
    else if (dependencies_name(k->op, other->index))
        p->entry_ns = wide_max(p->entry_ns, other->response_ns + b->gap_ns + named_release(b, other, k));
    if (!bound_waits_for(other, k) && shares_connection(b, other, k))
        p->entry_ns = wide_max(p->entry_ns, other->entry_ns + latest_release(b, other, k, &before));
    if (other->is_kernel) {
        p->kernel_count = wide_add(p->kernel_count, events);
        p->lowest_level = max_int(other->level, p->lowest_level);
    } else {
        p->copy_engines |= UINT64_C(1) << other->copy_engine;
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
        const bound_op *other = &b->ops[n];
        wide events = may_precede(b, other, k, null_before) ? events_before(b, other, k) : 0;
        if (!events)
            continue;
        add_to_path(b, other, k, events, null_before, &p);
        latency_ns = max_i64(other->max_latency_ns, latency_ns);
    }
    p.length_ns = wide_add(p.length_ns, latency_ns);
    return p;
}

/* May `other`, called later, start before k that has entered? Kernels of higher levels may, and copies if their engine
 * has channels. */
static bool overtakes(const bound *b, const bound_op *other, const bound_op *k)
{
    if (k->is_kernel)
        return other->is_kernel && other->level < k->level;
    return !other->is_kernel && other->copy_engine == k->copy_engine && b->gpu->copy_channels;
}

/* Is `other`, if called after k, always behind k? It is if k enters on arrival and `other` arrives no sooner. */
static bool arrives_behind(const bound_op *other, const bound_op *k, const bound_path *p)
{
    return !p->event_count && k->max_latency_ns <= other->latency_ns;
}

/* Releases of the events of `other` that matter: those that enter before k's entry at `entry_ns` or, if they overtake
 * k, before `start_ns`. Kernels of lower levels matter only if they can start before k enters. */
static release_window window_of(const bound *b, const bound_op *other, const bound_op *k, const bound_path *p,
                                wide entry_ns, wide start_ns)
{
    bool above = overtakes(b, other, k), lower = p->is_alone && k->is_kernel && other->level > k->level;
    wide before_ns = other->response_ns + (other->is_kernel ? b->after_end_ns : b->gpu->copy_gap_ns) -
                     (p->is_alone ? k->latency_ns : 0);
    release_window w = {.before_ns = wide_max(before_ns, 0),
                        .called_before = bound_waits_for(other, k) || (arrives_behind(other, k, p) && !above)};
    w.after_ns = (above ? start_ns : entry_ns) - other->min_entry_ns - lower;
    return w;
}

/* If k is alone on its path, only its own engine matters. */
static bool shares_engine(const bound_op *other, const bound_op *k, const bound_path *p)
{
    return !p->is_alone || (other->is_kernel ? k->is_kernel : !k->is_kernel && other->copy_engine == k->copy_engine);
}

/* Counts the events that can be on the GPU while the path waits: those that enter before `entry_ns` after k's call or,
 * if they overtake k, before `start_ns`. If k is alone on its path, the events that it waited for have left. False: the
 * counts and their end times did not change. */
static bool count_on_gpu(bound *b, const bound_op *k, const bound_path *p, wide entry_ns, wide start_ns)
{
    int64_t copy_gap_ns = b->gpu->copy_gap_ns;
    wide left_before = b->left_count;
    bool changed = false;
    b->left_count = b->last_until_ns = 0;
    b->is_overtaken = false;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *other = &b->ops[n];
        release_window w = window_of(b, other, k, p, entry_ns, start_ns);
        wide events = shares_engine(other, k, p) ? count_events(b, other, k, &w) : 0, until_ns = WIDE_HUGE;
        if (p->is_alone && events) {
            until_ns = other->response_ns + (other->is_kernel ? b->after_end_ns : copy_gap_ns) +
                       latest_release(b, other, k, &w);
            b->last_until_ns = wide_max(b->last_until_ns, until_ns);
            b->is_overtaken = b->is_overtaken || overtakes(b, other, k);
            if (bound_waits_for(other, k) &&
                (other->is_kernel ? b->one_kernel_per_stream : copy_gap_ns <= b->gpu->stream_gap_ns)) {
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

/* Longest wait of k, a copy that has entered: for one copy of each other stream, and for the rest of a copy gap. */
static wide copies_before(bound *b, const bound_op *k)
{
    wide sum = wide_max(b->gpu->copy_gap_ns - b->gpu->stream_gap_ns, 0);
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->streams[n].copy_ns = 0;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *other = &b->ops[n];
        wide *longest = &b->streams[other->op->stream].copy_ns, hold_ns = (wide)other->max_ns + b->gpu->copy_gap_ns;
        if (!b->event_counts[n] || bound_waits_for(other, k) || hold_ns <= *longest)
            continue;
        sum = wide_add(sum, hold_ns - *longest);
        *longest = hold_ns;
    }
    return sum;
}

/* How long the counted copies keep these engines busy. */
static wide busy_with_copies(const bound *b, uint64_t engines)
{
    wide sum = 0;
    for (size_t n = 0; n < b->op_count; n++)
        if (!b->ops[n].is_kernel && engines >> b->ops[n].copy_engine & 1)
            sum = wide_add(sum, wide_mul(b->event_counts[n], (wide)b->ops[n].max_ns + b->gpu->copy_gap_ns));
    return sum;
}

/* How long the path waits for engines. `has_own`: k is a kernel, and its own wait counts. */
static wide wait_for_engines(bound *b, const bound_op *k, const bound_path *p, bool has_own)
{
    if (p->is_alone && !k->is_kernel && !b->gpu->copy_channels)
        return wide_min(busy_with_copies(b, p->copy_engines), copies_before(b, k));
    wide wait = has_own || p->kernel_count ? bound_queue_wait(b, k, p, has_own) : 0;
    return wide_add(wait, busy_with_copies(b, p->copy_engines));
}

static int descending(const void *a, const void *b)
{
    const wide *x = a, *y = b;
    return *x > *y ? -1 : *x < *y;
}

/* The theorem's (c), for k alone on its path, which starts its last block by `start_ns`. Tries cuts after which no
 * counted event matters, or only those of 1, 2, 4, ... ops do; k then waits as if its blocks and these events began
 * there. */
static wide start_after_cuts(bound *b, const bound_op *k, const bound_path *p, wide start_ns)
{
    size_t count = 0;
    wide own_ns = k->is_kernel ? bound_waves(k, b->is_overtaken) : 0;
    start_ns = wide_min(start_ns, wide_add(wide_max(b->last_until_ns, p->length_ns), own_ns));
    for (size_t n = 0; k->is_kernel && n < b->op_count; n++)
        if (b->event_counts[n] && b->until_ns[n] < b->last_until_ns)
            b->sorted_until_ns[count++] = b->until_ns[n];
    qsort(b->sorted_until_ns, count, sizeof *b->sorted_until_ns, descending);
    for (size_t n = 0; n < count; n = 2 * n + 1) {
        b->steps += b->kernel_count;
        b->cut_ns = b->sorted_until_ns[n];
        if (b->cut_ns < start_ns)
            start_ns = wide_min(start_ns, wide_add(wide_max(b->cut_ns, p->length_ns), bound_queue_wait(b, k, p, true)));
    }
    b->cut_ns = BOUND_NO_CUT;
    return start_ns;
}

/* Iterates to a t with f(t) <= t, which no wait exceeds (theorem). `entry_ns`: k enters by then, and t is the start of
 * its last block, or of the copy; -1: t is k's entry. */
static wide fixed_point(bound *b, const bound_op *k, const bound_path *p, wide entry_ns)
{
    wide t = p->length_ns, next;
    for (; t <= b->max_response_ns && bound_may_continue(b); t = next) {
        if (!count_on_gpu(b, k, p, entry_ns < 0 ? t : entry_ns, t) && t > p->length_ns)
            return t; /* f(t) = t, since the same events gave t */
        next = wide_add(p->length_ns, wait_for_engines(b, k, p, entry_ns >= 0 && k->is_kernel));
        if (p->is_alone && !b->widening)
            next = start_after_cuts(b, k, p, next);
        if (next <= t)
            return t;
    }
    return WIDE_HUGE;
}

/* Bound of k's response on this path. */
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
