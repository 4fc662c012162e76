/* Calls of members, and the events that they make. */
#include "analyze/bound/by_job/member_calls.h"

#include "base/checked.h"
#include "base/minmax.h"

int64_t by_job_call_after(const job_events *s, int64_t time_ns)
{
    int64_t call_ns = INT64_MAX;
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *i = s->members[n];
        int64_t jobs = time_ns < i->earliest_release_ns ? 0 : (time_ns - i->earliest_release_ns) / i->period_ns + 1;
        call_ns = min_i64(call_ns, i->earliest_release_ns + jobs * i->period_ns);
    }
    return call_ns;
}

void by_job_find_first_calls(job_events *s, int64_t start_ns)
{
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *i = s->members[n];
        int64_t jobs = start_ns <= i->earliest_release_ns ? 0 : div_up(start_ns - i->earliest_release_ns, i->period_ns);
        s->next_call[n] = i->earliest_release_ns + jobs * i->period_ns - start_ns;
    }
}

size_t by_job_next_op(const job_events *s)
{
    size_t first = 0;
    for (size_t n = 1; n < s->member_count; n++) {
        int64_t call_ns = s->next_call[n], first_ns = s->next_call[first];
        if (call_ns < first_ns || (call_ns == first_ns && call_ns - s->members[n]->op->release_ns <
                                                              first_ns - s->members[first]->op->release_ns))
            first = n;
    }
    return first;
}

void by_job_add_event(job_events *s, size_t n)
{
    const bound_op *op = s->members[n];
    size_t *last = &s->last_of[op->op->stream];
    s->events[s->count] = (job_event){.op = op,
                                      .call_ns = s->next_call[n],
                                      .previous = *last,
                                      .behind = BY_JOB_NOBODY,
                                      .held_ns = INT64_MIN,
                                      .min_entry_ns = INT64_MAX,
                                      .max_entry_ns = INT64_MIN,
                                      .min_last_ns = INT64_MAX,
                                      .max_last_ns = INT64_MIN,
                                      .min_end_ns = INT64_MAX,
                                      .max_end_ns = INT64_MIN,
                                      .max_released_ns = INT64_MIN,
                                      .limit_ns = INT64_MAX,
                                      .all_ended_ns = INT64_MIN};
    job_event *event = &s->events[s->count];
    size_t place = s->count++;
    event->order_ns = event->call_ns + op->min_entry_ns;
    if (*last != NO_EVENT)
        event->order_ns = max_i64(event->order_ns, s->events[*last].order_ns);
    for (; place > s->ordered_from && s->events[s->order[place - 1]].order_ns > event->order_ns; place--)
        s->order[place] = s->order[place - 1];
    s->order[place] = s->count - 1;
    s->order_count = s->count;
    *last = s->count - 1;
    s->next_call[n] += op->period_ns;
}
