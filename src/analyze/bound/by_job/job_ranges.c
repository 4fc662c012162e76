/* Computes the range of each event from the ranges of the others, until nothing changes (lemma 10 of docs/bound.md). */
#include "analyze/bound/by_job/job_ranges.h"

#include <string.h>

#include "analyze/bound/by_job/connection_order.h"
#include "analyze/bound/by_job/cycle.h"
#include "analyze/bound/by_job/job_paths.h"
#include "analyze/bound/by_job/latest_start.h"
#include "base/integers.h"
#include "model/workload/workload.h"

#define MAX_SWEEPS 200         /* widening sweeps over the events of a busy period */
#define SHRINK_SWEEPS 2        /* shrinking sweeps */
#define MAX_ABOVE 64           /* kernels of higher levels that are followed for one earliest last start */
#define MAX_PERIOD_WORK 200000 /* windows in one busy period */
#define MAX_FIRST_WORK 500000  /* windows in a cycle while no responses are known */

/* Merges a new range into a known one: widens it or, if all ranges hold, shrinks it. True if it changed. */
static bool merge_range(const job_events *s, int64_t *least_ns, int64_t *latest_ns, int64_t found_least_ns,
                        int64_t found_latest_ns)
{
    int64_t least_before_ns = *least_ns, latest_before_ns = *latest_ns;
    *least_ns = s->holds ? max_i64(*least_ns, found_least_ns) : min_i64(*least_ns, found_least_ns);
    *latest_ns = s->holds ? min_i64(*latest_ns, found_latest_ns) : max_i64(*latest_ns, found_latest_ns);
    return *least_ns != least_before_ns || *latest_ns != latest_before_ns;
}

/* Does j directly follow an event of this order in its stream or connection? */
static bool is_after(const job_events *s, size_t j, job_kin kin)
{
    const job_event *event = &s->events[j];
    return (event->previous >= s->from && event->previous < s->until && s->kin[event->previous] == kin) ||
           (event->behind >= s->from && event->behind < s->until && s->kin[event->behind] == kin);
}

static void note_before(job_events *s, size_t j)
{
    if (j >= s->from && j < s->until)
        s->kin[j] = KIN_BEFORE;
}

/* Sets s->kin for k: with shared connections, which events are surely before and after it. */
static void find_kin(job_events *s, size_t k)
{
    s->kin_of = k;
    memset(s->kin + s->from, 0, (s->until - s->from) * sizeof *s->kin);
    if (!s->b->connections_shared)
        return;
    s->kin[k] = KIN_AFTER;
    for (size_t j = k + 1; j < s->until; j++)
        s->kin[j] = is_after(s, j, KIN_AFTER) ? KIN_AFTER : KIN_NONE;
    s->kin[k] = KIN_BEFORE;
    for (size_t j = k + 1; j-- > s->from;)
        if (s->kin[j] == KIN_BEFORE) {
            note_before(s, s->events[j].previous);
            note_before(s, s->events[j].behind);
        }
    s->kin[k] = KIN_NONE;
}

/* An event enters when it has arrived, the previous event of its stream has left, and those before it in its connection
 * have entered. */
static bool update_entry(job_events *s, size_t k)
{
    const bound *b = s->b;
    job_event *event = &s->events[k];
    int64_t least_ns = event->call_ns + event->op->latency_ns, latest_ns = event->call_ns + event->op->max_latency_ns;
    bool changed = false;
    if (event->previous != NO_EVENT && by_job_is_known(&s->events[event->previous])) {
        const job_event *previous = &s->events[event->previous];
        if (by_job_has_always(s, event->previous, k))
            least_ns = max_i64(least_ns, previous->min_end_ns + b->gpu->stream_gap_ns);
        latest_ns = max_i64(latest_ns, previous->max_end_ns + b->gap_ns);
    }
    if (b->connections_shared && event->op->is_kernel) {
        int64_t least_held_ns, held_ns;
        by_job_held_by_connection(s, k, &least_held_ns, &held_ns);
        bool may_be_held = (!s->holds && event->may_be_held) || held_ns > INT64_MIN;
        changed = may_be_held != event->may_be_held;
        event->may_be_held = may_be_held;
        least_ns = max_i64(least_ns, least_held_ns);
        latest_ns = max_i64(latest_ns, held_ns);
    }
    int64_t arrived_ns = event->call_ns + event->op->max_latency_ns;
    if (b->connections_shared && latest_ns > arrived_ns && (s->holds || latest_ns > event->max_entry_ns)) {
        find_kin(s, k);
        /* This counts events that enter before k's latest entry, so it grows with it: k is updated until it is stable.
         */
        latest_ns = min_i64(latest_ns, max_i64(by_job_latest_entry_by_calls(s, k), max_i64(arrived_ns, least_ns)));
    }
    latest_ns = min_i64(latest_ns, event->limit_ns);
    return merge_range(s, &event->min_entry_ns, &event->max_entry_ns, least_ns, latest_ns) || changed;
}

/* Earliest start of k's first block, or of the copy: after all blocks, or copies, that surely entered before it. */
static int64_t earliest_start(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int64_t start_ns = event->min_entry_ns;
    for (size_t j = s->from; j < s->until; j++) {
        const job_event *other = &s->events[j];
        if (j == k || !by_job_is_known(other) || other->op->is_kernel != event->op->is_kernel)
            continue;
        bool may_hold = event->op->is_kernel
                            ? other->op->level <= event->op->level
                            : other->op->copy_engine == event->op->copy_engine && !s->b->gpu->copy_channels;
        int64_t served_ns = event->op->is_kernel ? other->min_last_ns : other->min_end_ns;
        if (may_hold && served_ns > start_ns && by_job_has_always(s, j, k) && by_job_enters_after(s, k, j))
            start_ns = served_ns;
    }
    return start_ns;
}

/* The kernel above k with the least latest entry, of those that surely start their last block after `time_ns`;
 * NO_EVENT: none. */
static size_t next_above(const job_events *s, size_t k, int64_t time_ns)
{
    size_t next = NO_EVENT;
    for (size_t j = s->from; j < s->until; j++) {
        const job_event *above = &s->events[j];
        if (above->op->is_kernel && above->op->level < s->events[k].op->level && by_job_is_known(above) &&
            by_job_has_always(s, j, k) && above->min_last_ns > time_ns &&
            (next == NO_EVENT || above->max_entry_ns < s->events[next].max_entry_ns))
            next = j;
    }
    return next;
}

/* Longest time between the last start of `before` and the entry of `next` in which blocks of lower levels may start. */
static int64_t longest_gap(const job_events *s, size_t before, size_t next, int64_t from_ns)
{
    const bound *b = s->b;
    const job_event *event = &s->events[next];
    int64_t gap_ns = event->max_entry_ns - from_ns;
    bool follows = before != NO_EVENT && event->previous == before &&
                   (!b->connections_shared || event->behind == BY_JOB_NOBODY) &&
                   event->call_ns + event->op->max_latency_ns <= from_ns;
    return follows ? min_i64(gap_ns, s->events[before].op->max_ns + b->gap_ns) : gap_ns;
}

/* Earliest last start of k, which starts no block while a kernel above is in its queue. Before the next such kernel
 * enters, each place for a block of k has at most one start more than shortest durations fit. */
static int64_t earliest_last_start(const job_events *s, size_t k, int64_t start_ns)
{
    const bound_op *op = s->events[k].op;
    int64_t shortest_ns = max_i64(workload_shortest_block(op->op), 1), time_ns = start_ns;
    wide left = (wide)op->op->blocks;
    size_t before = NO_EVENT;
    for (int step = 0; step < MAX_ABOVE; step++) {
        size_t next = next_above(s, k, time_ns);
        if (next == NO_EVENT)
            break;
        int64_t gap_ns = longest_gap(s, before, next, time_ns);
        wide started = gap_ns > 0 ? wide_mul(op->max_resident, gap_ns / shortest_ns + 1) : 0;
        if (left <= started)
            break;
        left -= started;
        time_ns = s->events[next].min_last_ns;
        before = next;
    }
    return time_ns + (int64_t)wide_min(wide_mul(wide_div_up(left, op->max_resident) - 1, shortest_ns), BOUND_MAX_NS);
}

static bool update_event(job_events *s, size_t k)
{
    job_event *event = &s->events[k];
    const bound_op *op = event->op;
    by_job_find_range(s, k);
    bool changed = update_entry(s, k);
    by_job_find_range(s, k);
    find_kin(s, k);
    int64_t start_ns = earliest_start(s, k), least_end_ns = start_ns + by_job_least_duration(op),
            least_last_ns = start_ns;
    if (op->is_kernel) {
        least_last_ns = max_i64(least_end_ns - workload_shortest_block(op->op), earliest_last_start(s, k, start_ns));
        least_end_ns = max_i64(least_end_ns, least_last_ns + workload_shortest_block(op->op));
    }
    int64_t last_ns = op->is_kernel ? by_job_latest_kernel(s, k) : by_job_latest_copy(s, k);
    last_ns = min_i64(last_ns, event->limit_ns);
    changed = merge_range(s, &event->min_last_ns, &event->max_last_ns, least_last_ns, last_ns) || changed;
    wide end_ns = wide_min(wide_add(event->max_last_ns, op->max_ns), wide_add(event->call_ns, op->response_ns));
    end_ns = wide_min(end_ns, min_i64(event->limit_ns, BOUND_MAX_NS));
    changed = merge_range(s, &event->min_end_ns, &event->max_end_ns, least_end_ns, (int64_t)end_ns) || changed;
    event->max_released_ns = event->max_end_ns + (op->is_kernel ? s->b->gpu->handover_ns : s->b->gpu->copy_gap_ns);
    return changed;
}

static bool may_continue(const job_events *s)
{
    uint64_t max_work = s->is_cycle && s->b->by_job_is_limited ? MAX_FIRST_WORK : BY_JOB_MAX_WORK;
    return s->work <= max_work && (s->is_cycle || s->work - s->period_from <= MAX_PERIOD_WORK) &&
           bound_may_continue(s->b);
}

/* May events that enter later start before k? */
static bool may_be_overtaken(const job_events *s, size_t k)
{
    const bound_op *op = s->events[k].op;
    return op->is_kernel ? op->level > 0 && s->b->gpu->priority_levels > 1 : s->b->gpu->copy_channels > 0;
}

/* Does the event before k in its stream or connection have no range yet? */
static bool is_too_soon(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    if (event->previous != NO_EVENT && event->previous >= s->main_from && !by_job_is_known(&s->events[event->previous]))
        return true;
    return s->b->connections_shared && event->op->is_kernel && event->behind < s->count &&
           event->behind >= s->main_from && !by_job_is_known(&s->events[event->behind]);
}

/* Has an event that k may wait for changed since k was updated? */
static bool is_outdated(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int64_t until_ns = max_i64(event->max_entry_ns, event->max_last_ns);
    if (event->changed_at > event->updated_at)
        return true;
    for (size_t j = s->from; j < s->until; j++)
        if (s->events[j].changed_at > event->updated_at &&
            (s->events[j].min_entry_ns <= until_ns || (s->b->connections_shared && j < k)))
            return true;
    return !event->updated_at;
}

/* Is no range empty? */
static bool are_ranges(const job_events *s)
{
    for (size_t n = 0; n < s->order_count; n++) {
        const job_event *event = &s->events[s->order[n]];
        if (event->min_entry_ns > event->max_entry_ns || event->min_last_ns > event->max_last_ns ||
            event->min_end_ns > event->max_end_ns)
            return false;
    }
    return true;
}

bool by_job_settle(job_events *s)
{
    bool changed = true;
    for (int sweep = 0; changed; sweep++) {
        if (sweep == MAX_SWEEPS)
            return false;
        changed = false;
        if (s->b->connections_shared)
            by_job_join_connections(s);
        for (size_t n = 0; n < s->order_count; n++) {
            size_t k = s->order[n];
            by_job_find_range(s, k);
            s->b->steps += s->until - s->from;
            if (!is_outdated(s, k) || is_too_soon(s, k))
                continue;
            uint64_t step = ++s->step;
            if (update_event(s, k)) {
                s->events[k].changed_at = step;
                changed = true;
                by_job_copy_event(s, k);
            }
            /* In a cycle, k's repetitions have changed, too. */
            bool may_change =
                s->events[k].changed_at == step && (s->is_cycle || s->b->connections_shared || may_be_overtaken(s, k));
            s->events[k].updated_at = step - may_change;
            if (!may_continue(s) || s->events[k].max_end_ns >= BOUND_MAX_NS || !by_job_is_inside(s, k))
                return false;
        }
    }
    return are_ranges(s);
}

/* Has an event that is called before k's last start changed since that step? */
static bool has_changed_since(const job_events *s, size_t k, uint64_t step)
{
    int64_t until_ns = max_i64(s->events[k].max_entry_ns, s->events[k].max_last_ns);
    for (size_t j = s->from; j < s->until; j++)
        if (s->events[j].changed_at > step && s->events[j].call_ns <= until_ns)
            return true;
    return false;
}

/* Is k to be shrunk again? Not if nothing that matters to it has changed since the last time, nor if it ends before
 * `from_ns` and is itself unchanged. */
static bool may_shrink(job_events *s, size_t k, int64_t from_ns)
{
    const job_event *event = &s->events[k];
    if (event->max_end_ns < from_ns && event->changed_at <= event->shrunk_at)
        return false;
    by_job_find_range(s, k);
    return has_changed_since(s, k, event->shrunk_at);
}

bool by_job_shrink(job_events *s, int64_t from_ns)
{
    s->holds = true;
    for (int sweep = 0; sweep < SHRINK_SWEEPS && may_continue(s); sweep++) {
        if (s->b->connections_shared)
            by_job_join_connections(s);
        for (size_t n = 0; n < s->order_count; n++) {
            size_t k = s->order[n];
            s->b->steps += s->until - s->from;
            if (!may_shrink(s, k, from_ns))
                continue;
            bool changed = update_event(s, k);
            s->events[k].shrunk_at = s->step;
            if (!changed)
                continue;
            s->events[k].changed_at = ++s->step;
            by_job_copy_event(s, k);
        }
    }
    s->holds = false;
    return are_ranges(s);
}
