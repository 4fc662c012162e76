/* Where streams share connections, a kernel may wait behind any kernel that was called before it and has not entered,
 * whichever connections they joined (docs/explore.md, lemma 10). Of the kernels that have not entered, the one that was
 * called first is held by its stream at most. */
#include "analyze/explore/intervals/choices/shared_connections.h"

#include "base/minmax.h"

size_t interval_stream_end(const interval_search *q, size_t first)
{
    const interval_choice *c = q->choices.at;
    const explore_job *jobs = q->problem->jobs;
    size_t end = first + 1;
    uint32_t stream = c[first].is_resumed ? EXPLORE_NONE : jobs[c[first].job].stream;
    while (end < q->choices.count && stream != EXPLORE_NONE && jobs[c[end].job].stream == stream)
        end++;
    return end;
}

bool connections_may_be_before(const explore_job *a, const explore_job *b, int64_t call_hi)
{
    if (a->call_lo != call_hi)
        return a->call_lo < call_hi;
    return a->order_is_open || b->order_is_open || a->call_index < b->call_index;
}

static bool may_be_before_stream(const interval_search *q, size_t first, size_t end, const explore_job *a)
{
    const explore_job *jobs = q->problem->jobs;
    for (size_t i = first; i < end; i++)
        if (connections_may_be_before(a, &jobs[q->choices.at[i].job], q->choices.at[i].call_hi))
            return true;
    return false;
}

bool connections_called_before(const interval_search *q, size_t first, size_t end, const interval_choice *other)
{
    return !other->is_resumed && may_be_before_stream(q, first, end, &q->problem->jobs[other->job]);
}

static bool has_kernel(const interval_search *q, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (!q->problem->jobs[q->choices.at[i].job].engine)
            return true;
    return false;
}

int64_t connections_start_max(const interval_search *q)
{
    const interval_choice *c = q->choices.at;
    int64_t start_max = INT64_MAX;
    for (size_t first = 0, end; first < q->choices.count; first = end) {
        int64_t by = 0;
        end = interval_stream_end(q, first);
        if (c[first].is_resumed || c[first].next_is_open)
            continue;
        bool may_be_held = has_kernel(q, first, end);
        for (size_t i = 0; i < q->choices.count; i++)
            if ((i >= first && i < end) || (may_be_held && connections_called_before(q, first, end, &c[i])))
                by = max_i64(by, c[i].engine_starts_by);
        start_max = min_i64(start_max, by);
    }
    return start_max;
}

/* Is the job the next of its stream in every execution? */
static bool is_next_of_stream(const interval_search *q, uint32_t job)
{
    const interval_choice *c = q->choices.at;
    for (size_t first = 0, end; first < q->choices.count; first = end) {
        end = interval_stream_end(q, first);
        if (!c[first].is_resumed && c[first].job == job)
            return end == first + 1 && !c[first].next_is_open;
    }
    return false;
}

/* By when the next job of a stream, one of the choices from `first` to before `end`, enters in every execution;
 * INT64_MAX: a kernel called before may be held for long by its stream. `may_be_held` says whether there is any. */
static int64_t enters_by(const interval_search *q, interval_state *s, size_t first, size_t end, bool *may_be_held)
{
    const explore_problem *p = q->problem;
    const interval_choice *c = q->choices.at;
    int64_t by = 0, call_hi = 0;
    *may_be_held = false;
    for (size_t i = first; i < end; i++) {
        by = max_i64(by, c[i].entry_hi);
        call_hi = max_i64(call_hi, c[i].call_hi);
    }
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo <= call_hi; i++) {
        const explore_job *j = &p->jobs[i];
        bool is_partial = p->partial_count && !j->engine && *interval_partial(q, s, j->queue) == i;
        bool is_own = j->stream != EXPLORE_NONE ? j->stream == p->jobs[c[first].job].stream : i == c[first].job;
        if (j->engine || is_own || is_partial || interval_is_dispatched(s, i) ||
            !may_be_before_stream(q, first, end, j))
            continue;
        *may_be_held = true;
        if (!is_next_of_stream(q, i))
            return INT64_MAX;
        for (size_t k = 0; k < q->choices.count; k++)
            if (c[k].job == i)
                by = max_i64(by, c[k].entry_hi);
    }
    return by;
}

/* Until when a choice may be held, if it is the next to start: kernels that hold it have entered before it. They have
 * started, or are of lower levels. */
static int64_t held_until(const interval_search *q, interval_state *s, size_t choice)
{
    const explore_job *jobs = q->problem->jobs;
    const interval_choice *c = q->choices.at;
    const explore_job *j = &jobs[c[choice].job];
    int64_t until = interval_hi(q, s)[q->layout.engine_ready];
    for (size_t i = 0; i < q->choices.count; i++) {
        const explore_job *other = &jobs[c[i].job];
        if (!other->engine && other->queue > j->queue && connections_called_before(q, choice, choice + 1, &c[i]))
            until = max_i64(until, c[i].entry_hi);
    }
    return until;
}

void connections_hold(interval_search *q, interval_state *s)
{
    interval_choice *c = q->choices.at;
    const explore_job *jobs = q->problem->jobs;
    for (size_t first = 0, end; first < q->choices.count; first = end) {
        end = interval_stream_end(q, first);
        if (c[first].is_resumed || !has_kernel(q, first, end))
            continue;
        bool may_be_held;
        int64_t by = enters_by(q, s, first, end, &may_be_held);
        for (size_t i = first; i < end; i++) {
            c[i].held_until = jobs[c[i].job].engine ? 0 : held_until(q, s, i);
            if (may_be_held && c[i].stream_enters.time < INT64_MAX)
                c[i].stream_enters = (ordered_time){by, EXPLORE_NONE};
        }
    }
    for (size_t i = 0; i < q->choices.count; i++) {
        const explore_job *j = &jobs[c[i].job];
        c[i].enters_on_arrival = c[i].enters_on_arrival && c[i].held_until <= c[i].call_lo + j->latency_ns;
        c[i].entry_hi = max_i64(c[i].entry_hi, c[i].held_until);
    }
}
