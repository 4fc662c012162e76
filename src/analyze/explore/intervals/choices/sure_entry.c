/* A kernel that is left, and before which only copies are left in its stream, enters when these have ended. Its copy
 * engine is never idle while one waits, so a copy waits at most for all that may be called before it starts
 * (docs/explore.md, lemma 11). */
#include "analyze/explore/intervals/choices/sure_entry.h"

#include "analyze/explore/intervals/choices/shared_connections.h"
#include "analyze/explore/intervals/events.h"
#include "analyze/explore/problem/jobs.h"
#include "base/minmax.h"

/* By when a copy that enters by `entry` has ended; INT64_MAX: not before `limit`. */
static int64_t copy_ends_by(const interval_search *q, interval_state *s, uint32_t copy, int64_t entry, int64_t limit)
{
    const explore_problem *p = q->problem;
    const explore_job *j = &p->jobs[copy];
    const int64_t *hi = interval_hi(q, s);
    int64_t start = max_i64(entry, max_i64(hi[p->first_slot[j->engine]], hi[q->layout.engine_ready + j->engine]));
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo <= start && start < limit; i++)
        if (i != copy && p->jobs[i].engine == j->engine && !interval_is_dispatched(s, i))
            start += p->jobs[i].max_ns + p->copy_gap_ns;
    return start < limit ? start + j->max_ns : INT64_MAX;
}

/* By when a kernel that is left enters, if its connection does not hold it; INT64_MAX: not before `limit`. */
static int64_t enters_by(const interval_search *q, interval_state *s, uint32_t kernel, int64_t limit)
{
    const explore_problem *p = q->problem;
    const explore_job *j = &p->jobs[kernel];
    const int64_t *hi = interval_hi(q, s);
    int64_t arrival = j->call_hi + j->latency_ns;
    if (!interval_events_known(q, s, kernel))
        return INT64_MAX;
    if (j->after_count)
        arrival = max_i64(arrival, interval_events_seen(q, j, hi) + p->max_turn_wait_ns);
    if (j->stream == EXPLORE_NONE)
        return arrival;
    const explore_stream *stream = &p->streams[j->stream];
    int64_t leaves = hi[q->layout.stream_complete + j->stream] + p->stream_gap_ns;
    if (!stream->order_is_known)
        return INT64_MAX;
    for (uint32_t i = explore_stream_find(stream, s->first_left); stream->jobs[i] < kernel; i++) {
        const explore_job *before = &p->jobs[stream->jobs[i]];
        if (interval_is_dispatched(s, stream->jobs[i]))
            continue;
        if (!before->engine || !interval_events_known(q, s, stream->jobs[i]))
            return INT64_MAX;
        int64_t entry = max_i64(before->call_hi + before->latency_ns, leaves);
        entry = max_i64(entry, interval_events_seen(q, before, hi));
        int64_t end = copy_ends_by(q, s, stream->jobs[i], entry, limit);
        if (end == INT64_MAX)
            return end;
        leaves = end + p->stream_gap_ns;
    }
    return max_i64(arrival, leaves > j->call_lo + j->latency_ns ? leaves + p->max_turn_wait_ns : leaves);
}

/* Is the kernel left, and none of its blocks has started? */
static bool is_left(const interval_search *q, interval_state *s, uint32_t kernel)
{
    const explore_problem *p = q->problem;
    return !interval_is_dispatched(s, kernel) &&
           !(p->partial_count && *interval_partial(q, s, p->jobs[kernel].queue) == kernel);
}

/* Of a kernel that kernels called before it may hold in its connection: by when all of these have entered. */
static int64_t holders_enter_by(const interval_search *q, interval_state *s, uint32_t kernel, int64_t limit)
{
    const explore_problem *p = q->problem;
    const explore_job *j = &p->jobs[kernel];
    int64_t by = 0;
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo <= j->call_hi && by < limit; i++)
        if (i != kernel && !p->jobs[i].engine && is_left(q, s, i) &&
            connections_may_be_before(&p->jobs[i], j, j->call_hi))
            by = max_i64(by, enters_by(q, s, i, limit));
    return by;
}

int64_t interval_higher_enters_by(const interval_search *q, interval_state *s, uint32_t level, int64_t limit)
{
    const explore_problem *p = q->problem;
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo + p->min_latency_ns < limit; i++) {
        const explore_job *j = &p->jobs[i];
        if (j->engine || j->queue >= level || !is_left(q, s, i))
            continue;
        int64_t by = enters_by(q, s, i, limit);
        if (p->connections_shared && by < limit)
            by = max_i64(by, holders_enter_by(q, s, i, limit));
        limit = min_i64(limit, by);
    }
    return limit;
}
