/* An event waits for a path of events of its stream and its connection, one after the other. Each kernel that delays
 * this path counts once from the time on at which the path's first event has entered; with ranges for each event alone,
 * it would count for every event of the path. */
#include "analyze/bound/by_job/job_paths.h"

#include <string.h>

#include "analyze/bound/by_job/connection_order.h"
#include "analyze/bound/queue_wait.h"

/* Is the event over at `time_ns`, with the hand-over and gaps after its end? */
static bool is_over(const job_events *s, const job_event *event, int64_t time_ns)
{
    const bound *b = s->b;
    int64_t after_ns = max_i64(b->gap_ns, event->op->is_kernel ? b->after_end_ns : b->gpu->copy_gap_ns);
    return !by_job_is_known(event) || event->max_end_ns + after_ns <= time_ns;
}

static void clear_counts(job_events *s)
{
    bound *b = s->b;
    b->left_count = 0;
    for (size_t n = 0; n < b->op_count; n++) {
        b->event_counts[n] = 0;
        b->until_ns[n] = WIDE_HUGE;
    }
}

/* How long kernels of the path wait for SMs while the counted events may be there. */
static wide wait_on_path(job_events *s, size_t k, const bound_path *path, bool has_own)
{
    bound *b = s->b;
    b->cut_ns =
        0; /* as in the theorem's c: blocks of the path, and kernels above that are over, may have started before */
    b->is_overtaken = s->events[k].op->has_above;
    wide wait_ns = bound_queue_wait(b, s->events[k].op, path, has_own);
    b->cut_ns = BOUND_NO_CUT;
    s->work++;
    return wait_ns;
}

/* Counts the kernels that may be on the GPU between `from_ns` and k's last start. `is_alone`: k has entered by
 * `from_ns`. `below`: how many events of each op of lower levels, which are not followed, may be there. */
static void count_from(job_events *s, size_t k, int64_t from_ns, bool is_alone, wide below)
{
    bound *b = s->b;
    const job_event *event = &s->events[k];
    clear_counts(s);
    for (size_t j = s->from; j < s->until; j++) {
        const job_event *other = &s->events[j];
        if (j == k || !other->op->is_kernel || is_over(s, other, from_ns))
            continue;
        if (is_alone && other->op->op->stream == event->op->op->stream)
            b->left_count += j < k;
        else if (other->op->level > event->op->level ? other->min_entry_ns < event->max_entry_ns
                                                     : by_job_may_start_before(s, j, k))
            b->event_counts[other->op - b->ops]++;
    }
    for (size_t n = 0; n < s->below_count; n++)
        b->event_counts[s->below[n] - b->ops] = below;
}

/* Latest time from which on only its stream can delay k's entry: it has arrived, and no connection holds it. */
static int64_t held_until(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int64_t least_ns, latest_ns = INT64_MIN;
    if (s->b->connections_shared)
        by_job_held_by_connection(s, k, &least_ns, &latest_ns);
    return max_i64(event->call_ns + event->op->max_latency_ns, latest_ns);
}

/* A path of consecutive kernels of k's stream, up to k. */
typedef struct stream_path {
    size_t first;    /* the first kernel */
    int64_t free_ns; /* from here on only the stream delays the entries of the others */
    bound_path path;
} stream_path;

/* The path of k alone. */
static stream_path path_of_one(const job_events *s, size_t k)
{
    return (stream_path){.first = k,
                         .free_ns = INT64_MIN,
                         .path = {.is_alone = s->b->one_kernel_per_stream,
                                  .is_one_stream = true,
                                  .lowest_level = s->events[k].op->level}};
}

/* Extends the path by the previous kernel; false: there is none, or the number of lower-level kernels is unknown. */
static bool go_back(const job_events *s, stream_path *p)
{
    size_t previous = s->events[p->first].previous;
    if (previous == NO_EVENT || previous < s->from)
        return false;
    const job_event *first = &s->events[previous];
    bool is_limited = p->path.kernel_count + 1 < BOUND_MAX_LARGEST;
    if (!first->op->is_kernel || !by_job_is_known(first) || (s->below_count && !is_limited))
        return false;
    p->free_ns = max_i64(p->free_ns, held_until(s, p->first));
    p->first = previous;
    p->path.is_alone = false;
    p->path.length_ns = wide_add(p->path.length_ns, (wide)first->op->max_ns + s->b->gap_ns);
    p->path.tails_ns = wide_add(p->path.tails_ns, first->op->max_ns);
    p->path.kernel_count++;
    return true;
}

/* Latest last start of k by this path. */
static wide latest_on_path(job_events *s, size_t k, const stream_path *p)
{
    int64_t from_ns = max_i64(s->events[p->first].max_entry_ns, p->free_ns);
    count_from(s, k, from_ns, p->path.is_alone, p->path.kernel_count + 1);
    return wide_add(from_ns, wide_add(p->path.length_ns, wait_on_path(s, k, &p->path, true)));
}

/* Latest last start of k: the best path of its stream. The path that was best before is tried first, and is taken if it
 * gives no more than `enough_ns`. */
static wide latest_in_stream(job_events *s, size_t k, int64_t enough_ns)
{
    job_event *event = &s->events[k];
    stream_path p = path_of_one(s, k);
    wide start_ns = WIDE_HUGE;
    size_t best = event->best_path, back = 0;
    if (s->below_count && !s->b->one_kernel_per_stream) /* unknown number of lower-level kernels */
        return WIDE_HUGE;
    while (back < best && go_back(s, &p))
        back++;
    if (best && back == best) {
        start_ns = latest_on_path(s, k, &p);
        if (start_ns <= enough_ns)
            return start_ns;
    }
    p = path_of_one(s, k);
    back = 0;
    do {
        wide path_ns = back == best && best ? start_ns : latest_on_path(s, k, &p);
        if (path_ns < start_ns) {
            start_ns = path_ns;
            event->best_path = back;
        }
        back++;
    } while (start_ns > enough_ns && go_back(s, &p));
    return start_ns;
}

/* Latest arrival of all events called up to k. */
static int64_t all_arrived(const job_events *s, size_t k)
{
    int64_t latency_ns = 0;
    for (size_t n = 0; n < s->member_count; n++)
        latency_ns = max_i64(latency_ns, s->members[n]->max_latency_ns);
    return s->events[k].call_ns + latency_ns;
}

/* May j be in a queue or on an engine before k enters or, if j is above k, before k's last start? */
static bool may_come_before(const job_events *s, size_t j, size_t k)
{
    const job_event *other = &s->events[j], *event = &s->events[k];
    bool are_kernels = other->op->is_kernel && event->op->is_kernel;
    if (are_kernels && other->op->level < event->op->level)
        return by_job_may_start_before(s, j, k);
    return other->min_entry_ns <= event->max_entry_ns && !(are_kernels && by_job_enters_after(s, j, k));
}

/* Adds an event called before k to the path, which leads through streams and connections. */
static void add_to_path(const bound *b, const bound_op *op, bound_path *path)
{
    path->length_ns = wide_add(path->length_ns, b->gap_ns);
    if (!op->is_kernel) {
        path->copy_engines |= UINT64_C(1) << op->copy_engine;
        return;
    }
    path->length_ns = wide_add(path->length_ns, op->max_ns);
    path->tails_ns = wide_add(path->tails_ns, op->max_ns);
    path->lowest_level = op->level > path->lowest_level ? op->level : path->lowest_level;
    path->kernel_count++;
}

/* How long the copy engines of the path are busy with all counted copies. */
static wide busy_engines(const bound *b, const bound_path *path)
{
    wide busy_ns = 0;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *op = &b->ops[n];
        if (!op->is_kernel && path->copy_engines >> op->copy_engine & 1)
            busy_ns = wide_add(busy_ns, wide_mul(b->event_counts[n], (wide)op->max_ns + b->gpu->copy_gap_ns));
    }
    return busy_ns;
}

/* Latest entry of k or, with `has_own`, its latest last start. The path may have all events called before k that are
 * not over when k and these have arrived. */
static wide latest_by_calls(job_events *s, size_t k, bool has_own)
{
    bound *b = s->b;
    bound_path path = {.lowest_level = s->events[k].op->is_kernel ? s->events[k].op->level : 0};
    int64_t from_ns = all_arrived(s, k);
    clear_counts(s);
    for (size_t j = s->from; j < s->until; j++) {
        const job_event *other = &s->events[j];
        if (j == k || is_over(s, other, from_ns) || !may_come_before(s, j, k))
            continue;
        b->event_counts[other->op - b->ops]++;
        if (j < k)
            add_to_path(b, other->op, &path);
    }
    wide length_ns = wide_add(path.length_ns, busy_engines(b, &path));
    return wide_add(from_ns, wide_add(length_ns, wait_on_path(s, k, &path, has_own)));
}

int64_t by_job_latest_entry_by_calls(job_events *s, size_t k)
{
    return (int64_t)wide_min(latest_by_calls(s, k, false), BOUND_MAX_NS);
}

int64_t by_job_latest_by_paths(job_events *s, size_t k, int64_t enough_ns)
{
    wide start_ns = latest_in_stream(s, k, enough_ns);
    if (s->b->connections_shared && start_ns > enough_ns)
        start_ns = wide_min(start_ns, latest_by_calls(s, k, true));
    return (int64_t)wide_min(wide_max(start_ns, s->events[k].max_entry_ns), BOUND_MAX_NS);
}
