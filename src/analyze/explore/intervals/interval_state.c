/* Events: a job waits for dependencies in other streams. A state has the interval of such a dependency's end from its
 * dispatch until all jobs that depend on it are dispatched (docs/explore.md, "Events of other streams"). */
#include "analyze/explore/intervals/interval_state.h"

#include "base/integers.h"

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

/* The call of `dependency` if the job that depends on it is called at `call`. */
static int64_t dependency_call(const explore_job *j, const explore_job *dependency, int64_t call)
{
    return call - j->call_lo + dependency->call_lo;
}

int64_t interval_events_seen_lo(const interval_search *q, const explore_job *j, int64_t call, const int64_t *lo)
{
    int64_t seen = INT64_MIN;
    for (uint32_t i = 0; i < j->after_count; i++) {
        const explore_job *dependency = &q->problem->jobs[j->after[i]];
        int64_t by_response =
            dependency_call(j, dependency, call) + lo[q->layout.event_min_response + dependency->event];
        int64_t end = max_i64(lo[q->layout.event_complete + dependency->event], by_response);
        seen = max_i64(seen, end + q->problem->event_gap_ns);
    }
    return seen;
}

int64_t interval_events_seen_hi(const interval_search *q, const explore_job *j, int64_t call, const int64_t *hi)
{
    int64_t seen = INT64_MIN;
    for (uint32_t i = 0; i < j->after_count; i++) {
        const explore_job *dependency = &q->problem->jobs[j->after[i]];
        int64_t by_response =
            dependency_call(j, dependency, call) + hi[q->layout.event_max_response + dependency->event];
        int64_t end = min_i64(hi[q->layout.event_complete + dependency->event], by_response);
        seen = max_i64(seen, end + q->problem->event_gap_ns);
    }
    return seen;
}

/* The earliest arrival of a remaining job that depends on `dependency`; INT64_MAX: none does. */
static int64_t next_arrival(const interval_search *q, const interval_state *n, const explore_job *dependency)
{
    int64_t arrival = INT64_MAX;
    for (uint32_t i = 0; i < dependency->follower_count; i++) {
        const explore_job *j = &q->problem->jobs[dependency->followers[i]];
        if (!interval_is_dispatched(n, dependency->followers[i]))
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
    if (arrival < INT64_MAX) { /* its end matters only from that arrival on */
        job_outcome kept = *o;
        kept.end_lo = max_i64(kept.end_lo, arrival - q->problem->event_gap_ns);
        kept.end_hi = max_i64(kept.end_hi, arrival - q->problem->event_gap_ns);
        set_event(q, n, j->event, &kept);
    }
    for (uint32_t i = 0; i < j->after_count; i++) {
        const explore_job *dependency = &q->problem->jobs[j->after[i]];
        if (next_arrival(q, n, dependency) == INT64_MAX)
            set_event(q, n, dependency->event, &(job_outcome){0});
    }
}
