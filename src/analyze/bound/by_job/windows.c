/* A window begins when an event enters an engine's queue that was empty, and ends when k's last block, or the copy,
 * starts. What is served in it entered in it, and before k: so nothing that entered surely before the window, or surely
 * after k, is counted. When it begins is not known: every time is looked at, by intervals within which the same events
 * are counted. */
#include "analyze/bound/by_job/windows.h"

#include <stdlib.h>

#include "analyze/bound/by_job/job_paths.h"
#include "analyze/bound/by_job/waits/sm_wait.h"
#include "base/minmax.h"

static int latest_first(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* A time at which others are counted from there on, if it is before k's latest entry, and after the cut. */
static void add_point(job_events *s, size_t *count, size_t k, int64_t point_ns)
{
    if (point_ns < s->events[k].max_entry_ns && point_ns >= s->cut_ns)
        s->points_ns[(*count)++] = point_ns;
}

/* All windows begin after it. */
static int64_t before_cut(const job_events *s)
{
    return s->cut_ns == INT64_MIN ? INT64_MIN : s->cut_ns - 1;
}

/* Orders the points, the last one first, without those that are there twice. */
static size_t order_points(job_events *s, size_t count)
{
    size_t kept = 0;
    qsort(s->points_ns, count, sizeof *s->points_ns, latest_first);
    for (size_t i = 0; i < count; i++)
        if (!kept || s->points_ns[i] != s->points_ns[kept - 1])
            s->points_ns[kept++] = s->points_ns[i];
    return kept;
}

/* A copy waits for one of each other stream that may be there when it enters, and for what is left of a gap: the next
 * one of a stream enters when the one before has left. */
static wide wait_for_streams(job_events *s, const job_event *k, size_t before)
{
    wide wait_ns = wide_add(s->b->gpu->copy_gap_ns, s->below_copies_ns[k->op->copy_engine]);
    for (size_t i = 0; i < before; i++)
        s->stream_weight[s->events[s->before[i]].op->op->stream] = 0;
    for (size_t i = 0; i < before; i++) {
        const bound_op *op = s->events[s->before[i]].op;
        if (op->op->stream == k->op->op->stream || s->events[s->before[i]].max_released_ns < k->min_entry_ns)
            continue;
        wide *longest_ns = &s->stream_weight[op->op->stream], busy_ns = (wide)op->max_ns + s->b->gpu->copy_gap_ns;
        wait_ns = wide_add(wait_ns, wide_max(busy_ns - *longest_ns, 0));
        *longest_ns = wide_max(*longest_ns, busy_ns);
    }
    return wait_ns;
}

/* How long the engine is busy with copies that enter after `after_ns`; `is_cut`: with those, too, that may not be over
 * then, or -1 where there are none of these. */
static wide copies_from(job_events *s, size_t before, int64_t after_ns, bool is_cut)
{
    wide busy_ns = 0;
    bool may_begin = !is_cut;
    for (size_t i = 0; i < before; i++) {
        const job_event *other = &s->events[s->before[i]];
        if (!is_cut && other->max_entry_ns <= after_ns)
            continue;
        busy_ns = wide_add(busy_ns, (wide)other->op->max_ns + s->b->gpu->copy_gap_ns);
        may_begin = may_begin || other->min_entry_ns < after_ns;
    }
    s->work++;
    return may_begin ? busy_ns : -1;
}

int64_t by_job_latest_copy(job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int engine = event->op->copy_engine;
    size_t before = 0, points = 0;
    int64_t start_ns = event->max_entry_ns, end_ns = event->max_entry_ns;
    for (size_t j = s->from; j < s->until; j++) {
        const bound_op *op = s->events[j].op;
        if (op->is_kernel || op->copy_engine != engine || !by_job_may_start_before(s, j, k) ||
            s->events[j].max_released_ns < s->cut_ns)
            continue;
        s->before[before++] = j;
        add_point(s, &points, k, s->events[j].max_entry_ns);
    }
    wide by_streams_ns =
        s->b->gpu->copy_channels ? WIDE_HUGE : wide_add(event->max_entry_ns, wait_for_streams(s, event, before));
    if (s->below_copies_ns[engine])
        return (int64_t)wide_min(by_streams_ns, BOUND_MAX_NS);
    points = order_points(s, points);
    for (size_t n = 0; n <= points; end_ns = n < points ? s->points_ns[n] : 0, n++) {
        int64_t after_ns = n < points ? s->points_ns[n] : before_cut(s);
        wide busy_ns = wide_max(copies_from(s, before, after_ns, false), 0);
        start_ns = (int64_t)wide_min(wide_max(start_ns, wide_add(end_ns, busy_ns)), BOUND_MAX_NS);
    }
    wide cut_busy_ns = s->cut_ns == INT64_MIN ? -1 : copies_from(s, before, s->cut_ns, true);
    if (cut_busy_ns >= 0)
        start_ns = (int64_t)wide_min(wide_max(start_ns, wide_add(s->cut_ns, cut_busy_ns)), BOUND_MAX_NS);
    return (int64_t)wide_min(start_ns, by_streams_ns);
}

/* Notes which events can start blocks while k waits, and where windows can begin; their number. */
static size_t gather_before(job_events *s, size_t k, size_t *points, int64_t *first_ns)
{
    size_t before = 0;
    *first_ns = s->events[k].min_entry_ns;
    for (size_t j = s->from; j < s->until; j++) {
        const job_event *other = &s->events[j];
        if (!other->op->is_kernel || other->op->level > s->events[k].op->level || !by_job_may_start_before(s, j, k))
            continue;
        s->before[before++] = j;
        add_point(s, points, k, other->max_entry_ns);
        *first_ns = min_i64(*first_ns, other->min_entry_ns);
    }
    return before;
}

/* Notes that there is something of an op in the window. */
static void add_present(job_events *s, const bound_op *op)
{
    size_t n = (size_t)(op - s->b->ops), place = s->present_count++, own = place;
    for (; place > 0 && s->floor_rank[s->present[place - 1] - s->b->ops] > s->floor_rank[n]; place--)
        s->present[place] = s->present[place - 1];
    for (; own > 0 && s->own_floor_rank[s->present_own[own - 1] - s->b->ops] > s->own_floor_rank[n]; own--)
        s->present_own[own] = s->present_own[own - 1];
    s->present[place] = s->present_own[own] = op;
}

static void count_one(job_events *s, uint32_t *counts, const bound_op *op, const bound_op *k)
{
    size_t n = (size_t)(op - s->b->ops);
    if (!s->head_counts[n] && !s->tail_counts[n] && op != k)
        add_present(s, op);
    counts[n]++;
}

static void clear_counts(job_events *s)
{
    for (size_t i = 0; i < s->present_count; i++) {
        size_t n = (size_t)(s->present[i] - s->b->ops);
        s->head_counts[n] = s->tail_counts[n] = 0;
    }
    s->present_count = 0;
}

/* The time up to which an event has surely entered or, for the window at the cut, started all its blocks. */
static int64_t waits_until(const job_event *event, bool is_cut)
{
    return is_cut ? event->max_last_ns : event->max_entry_ns;
}

/* The window that begins after `after_ns` and up to `begin_ns`: how long k waits in it, closer than up to `enough_ns`;
 * -1: none can begin there. `is_cut`: heads may have entered before it begins. */
static wide wait_in_window(job_events *s, size_t k, size_t before, int64_t after_ns, int64_t begin_ns, wide enough_ns,
                           bool is_cut)
{
    sm_window w = {.s = s, .k = s->events[k].op, .enough_ns = enough_ns, .is_cut = is_cut};
    bool may_begin = s->events[k].min_entry_ns <= begin_ns;
    clear_counts(s);
    add_present(s, w.k);
    for (size_t i = 0; i < before; i++) {
        const job_event *other = &s->events[s->before[i]];
        if (waits_until(other, is_cut) <= after_ns)
            continue;
        count_one(s, s->head_counts, other->op, w.k);
        w.head_count++;
        may_begin = may_begin || other->min_entry_ns <= begin_ns;
    }
    if (!may_begin)
        return -1;
    for (size_t j = s->from, next = 0; j < s->until && s->events[j].call_ns < begin_ns; j++) {
        const job_event *other = &s->events[j];
        bool is_before = next < before && s->before[next] == j;
        bool is_below = other->op->is_kernel && other->op->level > w.k->level;
        next += is_before;
        if (!(is_below || (is_before && waits_until(other, is_cut) <= after_ns)) || other->min_entry_ns >= begin_ns)
            continue;
        w.has_earlier = true;
        if (other->max_released_ns > after_ns)
            count_one(s, s->tail_counts, other->op, w.k);
    }
    for (size_t n = 0; n < s->below_count; n++) {
        count_one(s, s->tail_counts, s->below[n], w.k);
        if (!s->b->one_kernel_per_stream) /* others of the op may still hold resources, as many as can be resident */
            s->tail_counts[s->below[n] - s->b->ops] = UINT32_MAX;
    }
    w.has_earlier = w.has_earlier || s->below_count;
    s->work++;
    return by_job_sm_wait(&w);
}

/* How long k waits from `begin_ns` on, at the latest, where some kernel waits then that entered before; no sooner than
 * `start_ns`. */
static int64_t latest_from_cut(job_events *s, size_t k, size_t before, int64_t begin_ns, int64_t start_ns)
{
    wide wait_ns = wait_in_window(s, k, before, begin_ns - 1, begin_ns, start_ns - begin_ns, true);
    return max_i64(start_ns, (int64_t)wide_min(wide_add(begin_ns, wide_max(wait_ns, 0)), BOUND_MAX_NS));
}

/* The windows that are looked at, the last one first. */
typedef struct window_search {
    size_t before;    /* events that can start blocks while k waits */
    size_t points;    /* times at which others are counted from there on */
    size_t next;      /* the point up to which windows have been looked at */
    size_t group;     /* how many intervals between points to look at as one */
    int64_t first_ns; /* no window begins sooner */
    int64_t begin_ns; /* those that begin later have been looked at */
    int64_t start_ns; /* in these, k starts its last block no later */
} window_search;

/* Looks at the windows that begin in the next intervals. Where they may take longer as a whole, fewer of them are to be
 * looked at; it returns false. */
static bool look_further(job_events *s, size_t k, window_search *w)
{
    size_t last = w->next + w->group - 1 < w->points ? w->next + w->group - 1 : w->points;
    int64_t after_ns = last < w->points ? s->points_ns[last] : before_cut(s);
    wide wait_ns = wait_in_window(s, k, w->before, after_ns, w->begin_ns, w->start_ns - w->begin_ns, false);
    int64_t start_ns = (int64_t)wide_min(wide_add(w->begin_ns, wait_ns), BOUND_MAX_NS);
    if (wait_ns >= 0 && start_ns > w->start_ns && last > w->next) {
        w->group = (last - w->next + 1) / 2;
        return false;
    }
    if (wait_ns >= 0)
        w->start_ns = max_i64(w->start_ns, start_ns);
    w->begin_ns = after_ns;
    w->next = last + 1;
    w->group *= 2;
    return true;
}

int64_t by_job_latest_kernel(job_events *s, size_t k)
{
    int64_t entry_ns = s->events[k].max_entry_ns;
    window_search w = {.group = 1, .begin_ns = entry_ns};
    w.start_ns = s->holds ? entry_ns : max_i64(entry_ns, s->events[k].max_last_ns);
    int64_t latest_ns = /* no window takes longer */
        min_i64(by_job_latest_by_paths(s, k, s->holds ? INT64_MIN : w.start_ns), s->events[k].limit_ns);
    if (w.start_ns >= latest_ns)
        return latest_ns;
    w.before = gather_before(s, k, &w.points, &w.first_ns);
    w.points = order_points(s, w.points);
    /* With all that is in any of them, no window takes longer. */
    wide longest_ns = wait_in_window(s, k, w.before, INT64_MIN, entry_ns, 0, false);
    while (w.next <= w.points && w.begin_ns >= w.first_ns && wide_add(w.begin_ns, longest_ns) > w.start_ns) {
        if (look_further(s, k, &w) && w.next <= w.points)
            latest_ns = min_i64(latest_ns, latest_from_cut(s, k, w.before, w.begin_ns, w.start_ns));
        if (w.start_ns >= latest_ns)
            return latest_ns;
    }
    if (w.first_ns < s->cut_ns)
        w.start_ns = latest_from_cut(s, k, w.before, s->cut_ns, w.start_ns);
    return min_i64(w.start_ns, latest_ns);
}
