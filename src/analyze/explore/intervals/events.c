/* A job waits for the events of jobs of other streams. The state has the interval of each such job's end from its
 * dispatch until all that are after it are dispatched (docs/explore.md, "Events of other streams"). */
#include "analyze/explore/intervals/events.h"

#include "base/minmax.h"

bool interval_events_known(const interval_search *q, const interval_state *s, uint32_t job)
{
    const explore_job *j = &q->problem->jobs[job];
    for (uint32_t i = 0; i < j->after_count; i++)
        if (!interval_is_dispatched(s, j->after[i]))
            return false;
    return true;
}

int64_t interval_events_seen(const interval_search *q, const explore_job *j, const int64_t *times)
{
    int64_t seen = INT64_MIN;
    for (uint32_t i = 0; i < j->after_count; i++) {
        uint32_t event = q->problem->jobs[j->after[i]].event;
        seen = max_i64(seen, times[q->layout.event_complete + event] + q->problem->event_gap_ns);
    }
    return seen;
}

/* When `named`, which the job is after, was called if the job is called at `call`. */
static int64_t named_call(const explore_job *j, const explore_job *named, int64_t call)
{
    return call - j->call_lo + named->call_lo;
}

int64_t interval_events_seen_lo(const interval_search *q, const explore_job *j, int64_t call, const int64_t *lo)
{
    int64_t seen = INT64_MIN;
    for (uint32_t i = 0; i < j->after_count; i++) {
        const explore_job *named = &q->problem->jobs[j->after[i]];
        int64_t by_response = named_call(j, named, call) + lo[q->layout.event_min_response + named->event];
        int64_t end = max_i64(lo[q->layout.event_complete + named->event], by_response);
        seen = max_i64(seen, end + q->problem->event_gap_ns);
    }
    return seen;
}

int64_t interval_events_seen_hi(const interval_search *q, const explore_job *j, int64_t call, const int64_t *hi)
{
    int64_t seen = INT64_MIN;
    for (uint32_t i = 0; i < j->after_count; i++) {
        const explore_job *named = &q->problem->jobs[j->after[i]];
        int64_t by_response = named_call(j, named, call) + hi[q->layout.event_max_response + named->event];
        int64_t end = min_i64(hi[q->layout.event_complete + named->event], by_response);
        seen = max_i64(seen, end + q->problem->event_gap_ns);
    }
    return seen;
}

/* The earliest arrival of a job that is left and is after `named`; INT64_MAX: none is left. */
static int64_t next_arrival(const interval_search *q, const interval_state *n, const explore_job *named)
{
    int64_t arrival = INT64_MAX;
    for (uint32_t i = 0; i < named->follower_count; i++) {
        const explore_job *j = &q->problem->jobs[named->followers[i]];
        if (!interval_is_dispatched(n, named->followers[i]))
            arrival = min_i64(arrival, j->call_lo + j->latency_ns);
    }
    return arrival;
}

static void set_event(const interval_search *q, interval_state *n, uint32_t event, const job_outcome *o)
{
    const interval_layout *at = &q->layout;
    interval_lo(q, n)[at->event_complete + event] = o->end_lo;
    interval_hi(q, n)[at->event_complete + event] = o->end_hi;
    interval_lo(q, n)[at->event_min_response + event] = o->min_response;
    interval_hi(q, n)[at->event_max_response + event] = o->max_response;
}

void interval_note_events(const interval_search *q, interval_state *n, uint32_t job, const job_outcome *o)
{
    const explore_job *j = &q->problem->jobs[job];
    int64_t arrival = j->event == EXPLORE_NONE ? INT64_MAX : next_arrival(q, n, j);
    if (arrival < INT64_MAX) { /* when it is complete matters only from that arrival on */
        job_outcome kept = *o;
        kept.end_lo = max_i64(kept.end_lo, arrival - q->problem->event_gap_ns);
        kept.end_hi = max_i64(kept.end_hi, arrival - q->problem->event_gap_ns);
        set_event(q, n, j->event, &kept);
    }
    for (uint32_t i = 0; i < j->after_count; i++) {
        const explore_job *named = &q->problem->jobs[j->after[i]];
        if (next_arrival(q, n, named) == INT64_MAX)
            set_event(q, n, named->event, &(job_outcome){0});
    }
}
