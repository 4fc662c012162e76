/* Which of two events surely enters its engine's queue first (*surely enters after* in lemma 10 of docs/bound.md), and
 * the calls that make events. */
#include "analyze/bound/by_job/job_events.h"

#include "base/integers.h"

/* Does j enter after k by their ranges, streams or connections? At one time, events that a connection held enter first,
 * then those that arrive, by launch number. */
static bool is_later(const job_events *s, size_t j, size_t k)
{
    const job_event *later = &s->events[j], *event = &s->events[k];
    if (later->min_entry_ns > event->max_entry_ns || (s->kin_of == k && s->kin[j] == KIN_AFTER) ||
        (s->kin_of == j && s->kin[k] == KIN_BEFORE))
        return true;
    if (j < k)
        return false;
    if (later->op->op->stream == event->op->op->stream)
        return true;
    return !event->may_be_held && later->call_ns + later->op->latency_ns >= event->max_entry_ns &&
           (event->call_ns < later->call_ns || !s->b->options->any_order);
}

/* The previous event of k's stream, if it exists whenever k does and has ranges; else NO_EVENT. */
static size_t sure_previous(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    size_t x = event->previous;
    if (x == NO_EVENT || x < s->from || !by_job_is_known(&s->events[x]))
        return NO_EVENT;
    const job_event *previous = &s->events[x];
    bool is_same_job = previous->op->op->task == event->op->op->task &&
                       previous->call_ns - previous->op->op->release_ns == event->call_ns - event->op->op->release_ns;
    return !s->is_cycle || is_same_job ? x : NO_EVENT;
}

/* Does p, if it enters after x, start only when x has started its last block or, for copies, has ended? */
static bool is_served_after(const bound_op *p, const bound_op *x)
{
    return x->is_kernel ? p->is_kernel && p->level >= x->level : !p->is_kernel && p->copy_engine == x->copy_engine;
}

/* Does j enter after k by what they follow? k enters at most a gap and `max` after the last start of x, the previous
 * event of its stream. An event p of j's stream that is served after x, and the events between p and j, take longer. */
static bool follows_later(const job_events *s, size_t j, size_t k)
{
    const bound *b = s->b;
    const job_event *event = &s->events[k];
    size_t x = sure_previous(s, k);
    if (x == NO_EVENT || event->may_be_held || (!s->events[x].op->is_kernel && b->gpu->copy_channels))
        return false;
    const bound_op *op = s->events[x].op;
    int64_t follows_ns = b->gap_ns + (op->is_kernel ? op->max_ns : 0), least_ns = 0;
    int64_t since_ns = op->is_kernel ? s->events[x].min_last_ns : s->events[x].min_end_ns;
    for (size_t p = sure_previous(s, j); p != NO_EVENT; p = sure_previous(s, p)) {
        least_ns += b->gpu->stream_gap_ns + by_job_least_duration(s->events[p].op);
        bool takes_longer = least_ns > follows_ns && event->call_ns + event->op->max_latency_ns < since_ns + least_ns;
        if (takes_longer && is_served_after(s->events[p].op, op))
            return by_job_enters_after(s, p, x);
    }
    return false;
}

bool by_job_enters_after(const job_events *s, size_t j, size_t k)
{
    if (is_later(s, j, k))
        return true;
    if (s->events[j].max_entry_ns < s->events[k].min_entry_ns) /* j enters before k */
        return false;
    return s->events[j].op->op->stream != s->events[k].op->op->stream && by_job_is_known(&s->events[j]) &&
           follows_later(s, j, k);
}

bool by_job_may_start_before(const job_events *s, size_t j, size_t k)
{
    const job_event *other = &s->events[j], *event = &s->events[k];
    if (j == k || (j > k && other->op->op->stream == event->op->op->stream))
        return false;
    bool overtakes = event->op->is_kernel ? other->op->level < event->op->level : s->b->gpu->copy_channels;
    if (overtakes)
        return other->min_entry_ns <= max_i64(event->max_last_ns, event->max_entry_ns);
    return !by_job_enters_after(s, j, k);
}

int64_t by_job_call_after(const job_events *s, int64_t time_ns)
{
    int64_t call_ns = INT64_MAX;
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *op = s->members[n];
        int64_t jobs = time_ns < op->earliest_release_ns ? 0 : (time_ns - op->earliest_release_ns) / op->period_ns + 1;
        call_ns = min_i64(call_ns, op->earliest_release_ns + jobs * op->period_ns);
    }
    return call_ns;
}

void by_job_find_first_calls(job_events *s, int64_t start_ns)
{
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *op = s->members[n];
        int64_t jobs =
            start_ns <= op->earliest_release_ns ? 0 : div_up(start_ns - op->earliest_release_ns, op->period_ns);
        s->next_call[n] = op->earliest_release_ns + jobs * op->period_ns - start_ns;
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
