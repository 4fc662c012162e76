/* Which of two events surely enters its engine's queue first: by their ranges, by streams and connections, or since one
 * follows shortly on an event that the other has to wait for. */
#include "analyze/bound/by_job/state.h"

/* Where both enter at one time, those that arrive then come last, by launch number, but for those that a connection
 * held. */
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

/* The event before it in its stream, if it is there whenever the event is, and something is known of it. */
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

/* Does p, where it enters after x, start no sooner than x starts its last block, or the copy has ended? */
static bool is_served_after(const bound_op *p, const bound_op *x)
{
    return x->is_kernel ? p->is_kernel && p->level >= x->level : !p->is_kernel && p->copy_engine == x->copy_engine;
}

/* k enters at most a gap and `max` after the last start of x, the event before it in its stream. An event p of j's
 * stream that is served after x, and those between p and j, take longer than that. */
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
    if (s->events[j].max_entry_ns < s->events[k].min_entry_ns) /* it enters before */
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
