/* Steps are in the order of their first starts, over all engines. In every execution the next step starts no later than
 * a time by which some job always starts (start_max below). A job whose stream waits for one that has not started
 * enters after that, because durations are at least 1 ns, and so is no choice. X1: of one queue, the job that entered
 * first is next. A2: a job is next only if no job of a higher level has entered before. (docs/explore.md, lemma 4) */
#include "analyze/explore/intervals/interval_choices.h"

#include "analyze/explore/explore_jobs.h"
#include "analyze/explore/intervals/interval_state.h"
#include "base/integers.h"

/* The next functions treat shared connections: a kernel may wait behind any kernel that was called before it and has
 * not entered, whichever connections they joined (docs/explore.md, lemma 10). Of the kernels that have not entered,
 * only its stream can delay the one that was called first. */

/* The choice behind the last one of the same stream as choice `first`. */
static size_t stream_end(const interval_search *q, size_t first)
{
    const interval_choice *c = q->choices.at;
    const explore_job *jobs = q->problem->jobs;
    size_t end = first + 1;
    uint32_t stream = c[first].is_resumed ? EXPLORE_NONE : jobs[c[first].job].stream;
    while (end < q->choices.count && stream != EXPLORE_NONE && jobs[c[end].job].stream == stream)
        end++;
    return end;
}

/* May job a be called before job b, which is called by call_hi? */
static bool may_be_called_before(const explore_job *a, const explore_job *b, int64_t call_hi)
{
    if (a->call_lo != call_hi)
        return a->call_lo < call_hi;
    return a->order_is_open || b->order_is_open || a->call_index < b->call_index;
}

static bool may_be_called_before_stream(const interval_search *q, size_t first, size_t end, const explore_job *a)
{
    const explore_job *jobs = q->problem->jobs;
    for (size_t i = first; i < end; i++)
        if (may_be_called_before(a, &jobs[q->choices.at[i].job], q->choices.at[i].call_hi))
            return true;
    return false;
}

/* May choice `other` be called before any of the choices from `first` to before `end`? */
static bool may_choice_come_before(const interval_search *q, size_t first, size_t end, const interval_choice *other)
{
    return !other->is_resumed && may_be_called_before_stream(q, first, end, &q->problem->jobs[other->job]);
}

static bool has_kernel(const interval_search *q, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (!q->problem->jobs[q->choices.at[i].job].engine)
            return true;
    return false;
}

/* Time by which some job has started, as far as the streams among the choices so far tell. */
static int64_t start_max_in_connections(const interval_search *q)
{
    const interval_choice *c = q->choices.at;
    int64_t start_max = INT64_MAX;
    for (size_t first = 0, end; first < q->choices.count; first = end) {
        int64_t starts_by_ns = 0;
        end = stream_end(q, first);
        if (c[first].is_resumed || c[first].next_is_open)
            continue;
        bool may_be_held = has_kernel(q, first, end);
        for (size_t i = 0; i < q->choices.count; i++)
            if ((i >= first && i < end) || (may_be_held && may_choice_come_before(q, first, end, &c[i])))
                starts_by_ns = max_i64(starts_by_ns, c[i].engine_starts_by);
        start_max = min_i64(start_max, starts_by_ns);
    }
    return start_max;
}

/* Is the job the next of its stream in every execution? */
static bool is_next_of_stream(const interval_search *q, uint32_t job)
{
    const interval_choice *c = q->choices.at;
    for (size_t first = 0, end; first < q->choices.count; first = end) {
        end = stream_end(q, first);
        if (!c[first].is_resumed && c[first].job == job)
            return end == first + 1 && !c[first].next_is_open;
    }
    return false;
}

/* Time by which the next job of a stream, one of the choices from `first` to before `end`, enters in every execution;
 * INT64_MAX: a kernel called before it may wait for its stream for long. *may_be_held: there are kernels before it. */
static int64_t stream_enters_by(const interval_search *q, interval_state *s, size_t first, size_t end,
                                bool *may_be_held)
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
            !may_be_called_before_stream(q, first, end, j))
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

/* Time until which a choice may be held if it starts next. Kernels that hold it enter before it: they have started, or
 * are of lower levels. */
static int64_t held_until(const interval_search *q, interval_state *s, size_t choice)
{
    const explore_job *jobs = q->problem->jobs;
    const interval_choice *c = q->choices.at;
    const explore_job *j = &jobs[c[choice].job];
    int64_t until = interval_hi(q, s)[q->layout.engine_ready];
    for (size_t i = 0; i < q->choices.count; i++) {
        const explore_job *other = &jobs[c[i].job];
        if (!other->engine && other->queue > j->queue && may_choice_come_before(q, choice, choice + 1, &c[i]))
            until = max_i64(until, c[i].entry_hi);
    }
    return until;
}

/* Sets held_until of each choice, and the time by which the next job of each stream enters in every execution. */
static void hold_in_connections(interval_search *q, interval_state *s)
{
    interval_choice *c = q->choices.at;
    const explore_job *jobs = q->problem->jobs;
    for (size_t first = 0, end; first < q->choices.count; first = end) {
        end = stream_end(q, first);
        if (c[first].is_resumed || !has_kernel(q, first, end))
            continue;
        bool may_be_held;
        int64_t by = stream_enters_by(q, s, first, end, &may_be_held);
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

/* The next functions bound the entries of remaining jobs, even of those that are no choice yet. A kernel with only
 * copies left before it in its stream enters when these have ended. A copy engine is never idle while a copy waits, so
 * the copy waits at most for all copies that may be called before it starts (docs/explore.md, lemma 11). */

/* Time by which a copy that enters by `entry` has ended; INT64_MAX: not before `limit`. */
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

/* Time by which a remaining kernel enters if its connection does not hold it; INT64_MAX: not before `limit`. */
static int64_t kernel_enters_by(const interval_search *q, interval_state *s, uint32_t kernel, int64_t limit)
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

/* Has no block of the kernel started? */
static bool has_not_started(const interval_search *q, interval_state *s, uint32_t kernel)
{
    const explore_problem *p = q->problem;
    return !interval_is_dispatched(s, kernel) &&
           !(p->partial_count && *interval_partial(q, s, p->jobs[kernel].queue) == kernel);
}

/* Time by which all kernels that may hold this kernel in its connection have entered. */
static int64_t holders_enter_by(const interval_search *q, interval_state *s, uint32_t kernel, int64_t limit)
{
    const explore_problem *p = q->problem;
    const explore_job *j = &p->jobs[kernel];
    int64_t by = 0;
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo <= j->call_hi && by < limit; i++)
        if (i != kernel && !p->jobs[i].engine && has_not_started(q, s, i) &&
            may_be_called_before(&p->jobs[i], j, j->call_hi))
            by = max_i64(by, kernel_enters_by(q, s, i, limit));
    return by;
}

/* Time by which some kernel of a higher level has entered in every execution, or `limit` if that is earlier. */
static int64_t higher_kernel_enters_by(const interval_search *q, interval_state *s, uint32_t level, int64_t limit)
{
    const explore_problem *p = q->problem;
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo + p->min_latency_ns < limit; i++) {
        const explore_job *j = &p->jobs[i];
        if (j->engine || j->queue >= level || !has_not_started(q, s, i))
            continue;
        int64_t by = kernel_enters_by(q, s, i, limit);
        if (p->connections_shared && by < limit)
            by = max_i64(by, holders_enter_by(q, s, i, limit));
        limit = min_i64(limit, by);
    }
    return limit;
}

/* The next functions find the choices, and the time by which some job starts. */

/* Time by which an engine and one of its slots are free. */
static int64_t free_by(const interval_search *q, const int64_t *hi, size_t engine, size_t slot)
{
    return max_i64(hi[q->problem->first_slot[engine] + slot], hi[q->layout.engine_ready + engine]);
}

/* Time by which an engine starts some job if a job enters its queue by `entry`: this one, or one that goes first. */
static int64_t starts_by(const interval_search *q, const int64_t *hi, size_t engine, int64_t entry)
{
    return max_i64(entry, free_by(q, hi, engine, engine ? 0 : q->max_late_slot));
}

static bool is_before(ordered_time a, ordered_time b)
{
    return a.time < b.time || (a.time == b.time && a.index < b.index);
}

static void add_entry(ordered_time first[2], ordered_time t)
{
    if (is_before(t, first[0])) {
        first[1] = first[0];
        first[0] = t;
    } else if (is_before(t, first[1])) {
        first[1] = t;
    }
}

/* The choice of a job that is the next of its stream, with its entry. The stream's next call is made by `call_by`. */
static interval_choice enters(const interval_search *q, interval_state *s, uint32_t i, int64_t call_by)
{
    const explore_problem *p = q->problem;
    const interval_layout *at = &q->layout;
    const explore_job *j = &p->jobs[i];
    const int64_t *lo = interval_lo(q, s), *hi = interval_hi(q, s);
    interval_choice c = {
        .job = i, .enters_on_arrival = true, .call_lo = j->call_lo, .call_hi = min_i64(j->call_hi, call_by)};
    c.undisturbed_until = INT64_MAX;
    bool in_entry_order = !j->engine || !p->copies_may_pass; /* X1, C2: its queue starts jobs in the order of entries */
    c.entry_lo = in_entry_order ? lo[at->entry + j->queue] : 0;
    if (j->stream != EXPLORE_NONE) {
        c.call_lo = max_i64(c.call_lo, lo[at->stream_call + j->stream]);
        c.complete_lo = lo[at->stream_complete + j->stream];
        c.complete_hi = hi[at->stream_complete + j->stream];
        c.stream_holds = c.complete_hi + p->stream_gap_ns > c.call_lo + j->latency_ns;
        c.entry_lo = max_i64(c.entry_lo, c.complete_lo + p->stream_gap_ns);
        c.entry_hi = c.complete_hi + p->stream_gap_ns + (c.stream_holds && !j->engine ? p->max_turn_wait_ns : 0);
        c.enters_on_arrival = !c.stream_holds;
    }
    if (j->after_count) {
        int64_t seen_hi = interval_events_seen(q, j, hi);
        c.events_hold = seen_hi > c.call_lo + j->latency_ns;
        c.entry_lo = max_i64(c.entry_lo, interval_events_seen(q, j, lo));
        c.entry_hi = max_i64(c.entry_hi, seen_hi + (c.events_hold && !j->engine ? p->max_turn_wait_ns : 0));
        c.enters_on_arrival = c.enters_on_arrival && !c.events_hold;
    }
    c.entry_lo = max_i64(c.entry_lo, c.call_lo + j->latency_ns);
    c.entry_hi = max_i64(c.entry_hi, c.call_hi + j->latency_ns);
    if (in_entry_order && !p->connections_shared && c.enters_on_arrival && !j->order_is_open &&
        c.entry_lo == lo[at->entry + j->queue] && j->call_index < lo[at->entry_index + j->queue])
        c.entry_lo++; /* otherwise it would have entered before the job that started */
    c.entry_hi = max_i64(c.entry_hi, c.entry_lo);
    return c;
}

/* Time by which some job starts, since one of the choices from `first` on is the next of its stream. Also sets the time
 * by which the stream's next job enters its queue. Kernels that arrive together enter in the order of their calls if
 * that is known. */
static int64_t stream_starts_by(interval_search *q, interval_state *s, size_t first)
{
    const explore_job *jobs = q->problem->jobs;
    interval_choice *c = q->choices.at + first;
    size_t n = q->choices.count - first;
    ordered_time entry = {0, EXPLORE_NONE};
    int64_t start = 0;
    bool one_queue = true, is_open = !n || c[0].next_is_open;
    for (size_t i = 0; i < n; i++) {
        const explore_job *j = &jobs[c[i].job];
        c[i].engine_starts_by = starts_by(q, interval_hi(q, s), j->engine, c[i].entry_hi);
        start = max_i64(start, c[i].engine_starts_by);
        entry.time = max_i64(entry.time, c[i].entry_hi);
        one_queue = one_queue && j->queue == jobs[c[0].job].queue;
    }
    if (n == 1 && c[0].enters_on_arrival && !jobs[c[0].job].order_is_open)
        entry.index = jobs[c[0].job].call_index;
    if (!one_queue || is_open)
        entry.time = INT64_MAX;
    for (size_t i = 0; i < n; i++)
        c[i].stream_enters = entry;
    return is_open ? INT64_MAX : start;
}

/* Adds every job that may be the next of a job's stream. False without memory. */
static bool add_stream(interval_search *q, interval_state *s, uint32_t job)
{
    const explore_job *jobs = q->problem->jobs;
    const explore_stream *stream = &q->problem->streams[jobs[job].stream];
    uint32_t first = explore_stream_find(stream, s->first_left);
    size_t first_choice = q->choices.count;
    bool next_is_open = false;
    int64_t call_by = INT64_MAX;
    for (uint32_t i = first; i < stream->job_count && jobs[stream->jobs[i]].call_lo <= call_by; i++)
        if (!interval_is_dispatched(s, stream->jobs[i]))
            call_by = min_i64(call_by, jobs[stream->jobs[i]].call_hi);
    for (uint32_t i = first; i < stream->job_count && jobs[stream->jobs[i]].call_lo <= call_by; i++) {
        const explore_job *j = &jobs[stream->jobs[i]];
        if (interval_is_dispatched(s, stream->jobs[i]) ||
            (j->predecessor != EXPLORE_NONE && !interval_is_dispatched(s, j->predecessor)))
            continue;
        if (!interval_events_known(q, s, stream->jobs[i]))
            next_is_open = true;
        else if (!vec_push(&q->choices, enters(q, s, stream->jobs[i], call_by)))
            return false;
    }
    for (size_t i = first_choice; i < q->choices.count; i++)
        q->choices.at[i].next_is_open = next_is_open;
    return true;
}

/* Adds the jobs that may be the next of this job's stream, once per stream. False without memory. */
static bool add_job(interval_search *q, interval_state *s, uint32_t i)
{
    const explore_job *j = &q->problem->jobs[i];
    if (j->stream == EXPLORE_NONE)
        return !interval_events_known(q, s, i) || vec_push(&q->choices, enters(q, s, i, j->call_hi));
    if (q->stream_visited[j->stream] == q->visit_count)
        return true;
    q->stream_visited[j->stream] = q->visit_count;
    return add_stream(q, s, i);
}

/* Adds the partial job of the highest level that has one, unless it must not resume yet. Lower levels wait for it (A2),
 * and the streams of all partial jobs wait for their jobs. False without memory. */
static bool add_partial(interval_search *q, interval_state *s, int64_t *start_max)
{
    const explore_job *jobs = q->problem->jobs;
    for (size_t l = 0; l < q->problem->partial_count; l++) {
        const uint64_t *partial = interval_partial(q, s, l);
        uint64_t job = partial[0];
        if (job == EXPLORE_NONE)
            continue;
        if (jobs[job].stream != EXPLORE_NONE)
            q->stream_visited[jobs[job].stream] = q->visit_count;
        *start_max = starts_by(q, interval_hi(q, s), 0, 0); /* its next block, or the job that has cut it off */
        if (!q->choices.count && !partial[1] &&
            !vec_push(&q->choices, ((interval_choice){.job = (uint32_t)job,
                                                      .is_resumed = true,
                                                      .call_lo = jobs[job].call_lo,
                                                      .undisturbed_until = INT64_MAX})))
            return false;
    }
    return true;
}

/* The last slot that a remaining kernel may wait for. */
static size_t max_late_slot(const interval_search *q, const interval_state *s)
{
    const explore_problem *p = q->problem;
    size_t slot = 0;
    for (uint32_t i = s->first_left; i < p->job_count && p->shares; i++)
        if (!p->jobs[i].engine && !interval_is_dispatched(s, i))
            slot = max_size(slot, p->jobs[i].share.late_slot);
    return slot;
}

/* Adds all jobs that may be the next of their streams. *start_max: some job starts by then. False without memory. */
static bool add_all(interval_search *q, interval_state *s, int64_t *start_max)
{
    const explore_problem *p = q->problem;
    *start_max = INT64_MAX;
    q->max_late_slot = max_late_slot(q, s);
    q->visit_count++;
    q->choices.count = 0;
    if (!add_partial(q, s, start_max))
        return false;
    int64_t partial_start_max = *start_max;
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo + p->min_latency_ns <= *start_max; i++) {
        const explore_job *j = &p->jobs[i];
        size_t first = q->choices.count;
        if (interval_is_dispatched(s, i) || (p->partial_count && !j->engine && *interval_partial(q, s, j->queue) == i))
            continue;
        if (!add_job(q, s, i))
            return false;
        *start_max = min_i64(*start_max, stream_starts_by(q, s, first));
        if (p->connections_shared)
            *start_max = min_i64(partial_start_max, start_max_in_connections(q));
    }
    return true;
}

/* Sets q->first_entries. */
static void set_first_entries(interval_search *q)
{
    const explore_problem *p = q->problem;
    const interval_choice *c = q->choices.at;
    for (size_t i = 0; i < p->queue_count; i++)
        q->first_entries[i][0] = q->first_entries[i][1] = (ordered_time){INT64_MAX, EXPLORE_NONE};
    for (size_t i = 0; i < q->choices.count; i = stream_end(q, i))
        if (!c[i].is_resumed && c[i].stream_enters.time < INT64_MAX)
            add_entry(q->first_entries[p->jobs[c[i].job].queue], c[i].stream_enters);
}

/* By shares: time by which some kernel has started, if some kernel has entered by `by`. Any kernel that may have
 * entered by then may be first in its queue, so all of these must fit. */
static int64_t some_kernel_starts_by(const interval_search *q, interval_state *s, int64_t by)
{
    const explore_job *jobs = q->problem->jobs;
    /* Partial jobs have entered; while one must not resume, a job of a higher level has. */
    for (size_t l = 0; l < q->problem->partial_count; l++) {
        uint64_t job = *interval_partial(q, s, l);
        if (job != EXPLORE_NONE)
            by = max_i64(by, free_by(q, interval_hi(q, s), 0, jobs[job].share.late_slot));
    }
    for (size_t i = 0; i < q->choices.count; i++) {
        const interval_choice *c = &q->choices.at[i];
        const explore_job *j = &jobs[c->job];
        int64_t fits_by = free_by(q, interval_hi(q, s), j->engine, j->share.late_slot);
        if (j->engine || c->entry_lo > by || fits_by <= by)
            continue;
        by = fits_by;
        i = SIZE_MAX; /* start over: more kernels may have entered by the new time */
    }
    return by;
}

/* By shares: time by which some job starts. start_max counts the slots that any kernel may wait for; here only those of
 * kernels that may have entered count. */
static int64_t start_max_by_shares(const interval_search *q, interval_state *s, int64_t start_max)
{
    const explore_job *jobs = q->problem->jobs;
    const interval_choice *c = q->choices.at;
    for (size_t i = 0, end; i < q->choices.count; i = end) {
        bool has_kernel = false;
        int64_t by = 0;
        end = stream_end(q, i);
        for (size_t k = i; k < end; k++) /* all jobs that may be the stream's next one */
            has_kernel = has_kernel || !jobs[c[k].job].engine;
        for (size_t k = 0; k < q->choices.count; k++) {
            const explore_job *j = &jobs[c[k].job];
            bool holds = has_kernel && q->problem->connections_shared && !c[i].is_resumed &&
                         may_choice_come_before(q, i, end, &c[k]);
            if ((k < i || k >= end) && !holds)
                continue;
            int64_t fits_by = free_by(q, interval_hi(q, s), j->engine, j->share.late_slot);
            by = max_i64(by, max_i64(c[k].entry_hi, fits_by));
        }
        if (c[i].next_is_open)
            continue;
        start_max = min_i64(start_max, has_kernel ? some_kernel_starts_by(q, s, by) : by);
    }
    return start_max;
}

/* X1: the choice entered before every other job of its queue. With shared connections, a kernel that has started may
 * have held such a job. */
static void enter_first(const interval_search *q, interval_state *s, interval_choice *c)
{
    if (q->problem->copies_may_pass && q->problem->jobs[c->job].engine)
        return;
    const ordered_time *first = q->first_entries[q->problem->jobs[c->job].queue];
    bool is_own = first[0].time == c->stream_enters.time && first[0].index == c->stream_enters.index;
    ordered_time other = first[is_own];
    if (other.time == INT64_MAX)
        return;
    bool loses_tie = c->stream_enters.index != EXPLORE_NONE && c->stream_enters.index > other.index;
    int64_t enters_by = other.time - loses_tie;
    if (q->problem->connections_shared && !q->problem->jobs[c->job].engine)
        enters_by = max_i64(enters_by, interval_hi(q, s)[q->layout.engine_ready]);
    c->entry_hi = min_i64(c->entry_hi, enters_by);
}

/* A2: time by which a job of a higher level enters, so this job starts before; -1: one has entered. */
static int64_t higher_enters_by(const interval_search *q, interval_state *s, const explore_job *j)
{
    int64_t t = INT64_MAX;
    for (size_t l = 0; l < j->queue && !j->engine && q->problem->partial_count; l++) {
        if (*interval_partial(q, s, l) != EXPLORE_NONE)
            return -1;
        t = min_i64(t, q->first_entries[l][0].time);
    }
    if (j->queue && !j->engine && q->problem->partial_count)
        t = higher_kernel_enters_by(q, s, j->queue, t);
    return t;
}

/* Time up to which no kernel of a higher level enters in any execution, if this job starts at `start` or later. */
static int64_t undisturbed_until(const interval_search *q, interval_state *s, const explore_job *j, int64_t start)
{
    const explore_problem *p = q->problem;
    int64_t until = INT64_MAX;
    for (uint32_t i = s->first_left; i < p->job_count && p->jobs[i].call_lo + p->min_latency_ns <= until; i++) {
        const explore_job *higher = &p->jobs[i];
        if (higher->engine || higher->queue >= j->queue || interval_is_dispatched(s, i))
            continue;
        int64_t entry = higher->call_lo + higher->latency_ns;
        if (higher->stream != EXPLORE_NONE)
            entry = max_i64(entry, interval_lo(q, s)[q->layout.stream_complete + higher->stream] + p->stream_gap_ns);
        if (higher->predecessor != EXPLORE_NONE && !interval_is_dispatched(s, higher->predecessor))
            entry = max_i64(entry, start + p->streams[higher->stream].min_block_ns + p->stream_gap_ns);
        if (interval_events_known(q, s, i))
            entry = max_i64(entry, interval_events_seen(q, higher, interval_lo(q, s)));
        else
            entry = max_i64(entry, start + 1 + p->event_gap_ns);
        until = min_i64(until, entry - 1);
    }
    return until;
}

/* Time by which a slot and the engine are free for a choice. If the engine started nothing after the job's predecessor,
 * that one is complete when the job enters, and its slot is free after the hand-over. */
static int64_t free_for(const interval_search *q, interval_state *s, const interval_choice *c)
{
    const explore_problem *p = q->problem;
    const explore_job *j = &p->jobs[c->job];
    const int64_t *lo = interval_lo(q, s), *hi = interval_hi(q, s);
    int64_t by = free_by(q, hi, j->engine, j->share.late_slot), newest = (int64_t)j->predecessor + 1;
    if (c->is_resumed || p->shares || j->predecessor == EXPLORE_NONE || !p->streams[j->stream].order_is_known ||
        lo[q->layout.newest_job_lo + j->engine] != newest || hi[q->layout.newest_job_hi + j->engine] != newest)
        return by;
    int64_t complete = c->entry_hi - p->stream_gap_ns;
    return min_i64(by, complete + max_i64(j->engine ? p->copy_gap_ns : p->handover_ns, p->switch_ns - 1));
}

/* May this choice start next? Narrows its intervals to the executions in which it does. */
static bool may_be_next(const interval_search *q, interval_state *s, int64_t start_max, interval_choice *c)
{
    const explore_problem *p = q->problem;
    const explore_job *j = &p->jobs[c->job];
    const int64_t *lo = interval_lo(q, s);
    int64_t higher = higher_enters_by(q, s, j);
    if (higher < 0)
        return false;
    if (!c->is_resumed) {
        if (p->partial_count && !j->engine && *interval_partial(q, s, j->queue) != EXPLORE_NONE)
            return false;
        enter_first(q, s, c);
        if (c->entry_lo > c->entry_hi)
            return false;
    }
    int64_t free_lo =
        max_i64(lo[p->first_slot[j->engine] + j->share.early_slot], lo[q->layout.engine_ready + j->engine]);
    c->start_lo = max_i64(max_i64(c->entry_lo, lo[q->layout.last_start]), free_lo);
    c->start_hi = min_i64(max_i64(c->entry_hi, free_for(q, s, c)), min_i64(start_max, higher - 1));
    if (free_for(q, s, c) < c->start_lo && !c->is_resumed)
        c->entry_lo = c->start_lo; /* a slot is free earlier, so it starts when it enters */
    c->entry_hi = min_i64(c->entry_hi, c->start_hi);
    if (p->partial_count && !j->engine && j->queue)
        c->undisturbed_until = undisturbed_until(q, s, j, c->start_lo);
    c->last_start_hi = higher == INT64_MAX ? higher : higher - 1;
    return c->start_lo <= c->start_hi && (c->is_resumed || c->entry_lo <= c->entry_hi);
}

/* Each job that may be next is a choice without a cut and, if a higher level may enter, one for each part of its blocks
 * within which it may be cut off. */
bool interval_find_choices(interval_search *q, interval_state *s)
{
    int64_t start_max;
    bool ok = add_all(q, s, &start_max);
    if (ok && q->problem->shares)
        start_max = start_max_by_shares(q, s, start_max);
    if (ok && q->problem->connections_shared)
        hold_in_connections(q, s);
    set_first_entries(q);
    size_t n = 0, count = q->choices.count;
    for (size_t i = 0; i < count && ok; i++) {
        interval_choice c = q->choices.at[i];
        if (!may_be_next(q, s, start_max, &c))
            continue;
        q->choices.at[n++] = c;
        for (c.cut_part = 1; c.cut_part <= INTERVAL_CUT_PARTS && c.undisturbed_until < INT64_MAX && ok; c.cut_part++)
            ok = vec_push(&q->choices, c);
    }
    if (!ok)
        return explore_no_memory(q->problem);
    for (size_t i = count; i < q->choices.count; i++)
        q->choices.at[n++] = q->choices.at[i];
    q->choices.count = n;
    return true;
}
