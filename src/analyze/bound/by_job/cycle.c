/* Lemma 11 of docs/bound.md, which needs no idle time. The calls of a hyperperiod repeat, and so do the ranges of their
 * events: those of one hyperperiod are found, and events before and after it are copies, shifted in time. Events that
 * are over at the cut, a fixed time before k's call, do not matter to k. */
#include "analyze/bound/by_job/cycle.h"

#include <string.h>

#include "analyze/bound/bound_state.h"
#include "analyze/bound/by_job/job_events.h"
#include "analyze/bound/by_job/job_ranges.h"
#include "base/integers.h"

#define MAX_CYCLE_EVENTS 60000 /* in the hyperperiod and the spans before and after it */
#define SPAN_PERIODS 4         /* length of such a span, in longest periods */

void by_job_find_range(job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    s->from = 0;
    s->until = s->count;
    if (!s->is_cycle)
        return;
    s->cut_ns = event->call_ns - s->back_ns;
    int64_t until_ns = max_i64(event->call_ns, max_i64(event->max_entry_ns, event->max_last_ns));
    size_t low = 0, high = k; /* binary search for the first event up to which one may not be over at the cut */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->events[middle].all_ended_ns + s->after_ns >= s->cut_ns)
            high = middle;
        else
            low = middle + 1;
    }
    s->from = low;
    for (s->until = k + 1; s->until < s->count && s->events[s->until].call_ns <= until_ns;)
        s->until++;
}

bool by_job_is_inside(const job_events *s, size_t k)
{
    return !s->is_cycle || (s->from > 0 && s->until < s->count && k >= s->from);
}

/* Raises all_ended_ns of the event and of those called after it. */
static void note_end(job_events *s, size_t k)
{
    int64_t end_ns = s->events[k].max_end_ns;
    for (; k < s->count && s->events[k].all_ended_ns < end_ns; k++)
        s->events[k].all_ended_ns = end_ns;
}

static void shift(int64_t *time_ns, int64_t from_ns, int64_t by_ns)
{
    *time_ns = from_ns == INT64_MAX || from_ns == INT64_MIN ? from_ns : from_ns + by_ns;
}

static void copy_times(job_events *s, size_t to, size_t k)
{
    const job_event *event = &s->events[k];
    job_event *copy = &s->events[to];
    int64_t by_ns = copy->call_ns - event->call_ns;
    size_t behind = event->behind + to - k;
    shift(&copy->min_entry_ns, event->min_entry_ns, by_ns);
    shift(&copy->max_entry_ns, event->max_entry_ns, by_ns);
    shift(&copy->min_last_ns, event->min_last_ns, by_ns);
    shift(&copy->max_last_ns, event->max_last_ns, by_ns);
    shift(&copy->min_end_ns, event->min_end_ns, by_ns);
    shift(&copy->max_end_ns, event->max_end_ns, by_ns);
    shift(&copy->max_released_ns, event->max_released_ns, by_ns);
    shift(&copy->held_ns, event->held_ns, by_ns);
    copy->may_be_held = event->may_be_held;
    copy->changed_at = event->changed_at;
    copy->behind = event->behind >= s->count ? event->behind : behind < s->count ? behind : BY_JOB_OPEN;
    note_end(s, to);
}

void by_job_copy_event(job_events *s, size_t k)
{
    if (!s->is_cycle)
        return;
    note_end(s, k);
    for (size_t to = k % s->main_count; to < s->count; to += s->main_count)
        if (to != k)
            copy_times(s, to, k);
}

static bool allocate(job_events *s, size_t capacity)
{
    bound *b = s->b;
    if (capacity <= s->capacity)
        return true;
    s->capacity = capacity;
    s->events = arena_alloc_array(b->memory, s->capacity, sizeof *s->events);
    s->order = arena_alloc_array(b->memory, s->capacity, sizeof *s->order);
    s->kin = arena_alloc_array(b->memory, s->capacity, sizeof *s->kin);
    s->before = arena_alloc_array(b->memory, s->capacity, sizeof *s->before);
    s->points_ns = arena_alloc_array(b->memory, 2 * s->capacity, sizeof *s->points_ns);
    return s->events && s->order && s->kin && s->before && s->points_ns;
}

/* Adds the events of the hyperperiod, and those called up to `span_ns` before and after it. */
static void fill(job_events *s, int64_t span_ns)
{
    s->count = s->ordered_from = s->main_from = 0;
    for (size_t n = 0; n < s->b->w->stream_count; n++)
        s->last_of[n] = NO_EVENT;
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *op = s->members[n];
        int64_t since_ns = op->earliest_release_ns - s->origin_ns + span_ns;
        s->next_call[n] = -span_ns + (since_ns % op->period_ns + op->period_ns) % op->period_ns;
    }
    for (size_t n; s->next_call[n = by_job_next_op(s)] < s->hyperperiod_ns + span_ns;) {
        s->main_from += s->next_call[n] < 0;
        by_job_add_event(s, n);
    }
    s->order_count = 0;
    for (size_t n = 0; n < s->count; n++)
        if (s->order[n] >= s->main_from && s->order[n] < s->main_from + s->main_count)
            s->order[s->order_count++] = s->order[n];
    for (size_t k = s->main_from; k < s->main_from + s->main_count; k++) {
        job_event *event = &s->events[k];
        int64_t since_ns = s->origin_ns + event->call_ns - event->op->earliest_release_ns;
        event->repeat_ns = since_ns / s->hyperperiod_ns * s->hyperperiod_ns;
    }
}

void by_job_note_responses(job_events *s, size_t from, size_t until)
{
    for (size_t k = from; k < until; k++) {
        const job_event *event = &s->events[k];
        size_t n = (size_t)(event->op - s->b->ops);
        s->responses_ns[n] = wide_max(s->responses_ns[n], event->max_end_ns - event->call_ns);
        s->entries_ns[n] = wide_max(s->entries_ns[n], event->max_entry_ns - event->call_ns);
    }
}

static int64_t longest_period(const job_events *s)
{
    int64_t longest_ns = 0;
    for (size_t n = 0; n < s->member_count; n++)
        longest_ns = max_i64(longest_ns, s->members[n]->period_ns);
    return longest_ns;
}

/* Sets s->main_count; returns the largest possible number of events, with the spans before and after. */
static wide count_events(job_events *s, int64_t span_ns)
{
    wide count = 0;
    s->main_count = 0;
    for (size_t n = 0; n < s->member_count; n++) {
        count += ((wide)s->hyperperiod_ns + 2 * (wide)span_ns) / s->members[n]->period_ns + 1;
        s->main_count += (size_t)(s->hyperperiod_ns / s->members[n]->period_ns);
    }
    return count;
}

/* Finds the ranges, and the responses from them; false: there are none. */
static bool find_responses(job_events *s)
{
    memset(s->responses_ns, 0, s->b->op_count * sizeof *s->responses_ns);
    memset(s->entries_ns, 0, s->b->op_count * sizeof *s->entries_ns);
    if (!by_job_settle(s) || !by_job_shrink(s, INT64_MIN))
        return false;
    by_job_note_responses(s, s->main_from, s->main_from + s->main_count);
    return true;
}

/* Does every op have its first call less than its period after the first call of all? Then calls that are missing
 * before a task's begin would all come before every call that is made (lemma 11). */
static bool begin_together(const job_events *s)
{
    int64_t first_ns = INT64_MAX;
    for (size_t n = 0; n < s->member_count; n++)
        first_ns = min_i64(first_ns, s->members[n]->earliest_release_ns);
    for (size_t n = 0; n < s->member_count; n++)
        if (s->members[n]->earliest_release_ns - s->members[n]->period_ns >= first_ns)
            return false;
    return true;
}

gcast_status by_job_follow_cycle(job_events *s, int64_t first_ns, bool *found, gcast_error *err)
{
    bound *b = s->b;
    int64_t span_ns = SPAN_PERIODS * longest_period(s);
    wide count = count_events(s, span_ns);
    *found = false;
    if (count > MAX_CYCLE_EVENTS || !begin_together(s))
        return GCAST_OK;
    if (!allocate(s, (size_t)count))
        return gcast_error_set_memory(err);
    s->origin_ns = first_ns;
    s->after_ns = max_i64(max_i64(b->after_end_ns, b->gpu->copy_gap_ns), b->gap_ns);
    s->back_ns = longest_period(s);
    s->is_cycle = true;
    s->work = s->period_from = 0;
    fill(s, span_ns);
    gcast_status status = bound_report_progress(b, 0, err);
    *found = status == GCAST_OK && find_responses(s);
    s->is_cycle = false;
    s->main_from = 0;
    s->cut_ns = INT64_MIN;
    return status;
}
