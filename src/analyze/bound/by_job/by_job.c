/* A busy period begins with a call when all events called before are over. The ranges of its events are widened until
 * each contains what the others imply. It ends when all its events are over before the next call. Every call of a
 * hyperperiod may begin one. */
#include "analyze/bound/by_job/by_job.h"

#include <string.h>

#include "analyze/bound/bound_state.h"
#include "analyze/bound/busy_period.h"
#include "analyze/bound/by_job/cycle.h"
#include "analyze/bound/by_job/job_events.h"
#include "analyze/bound/by_job/job_ranges.h"
#include "base/integers.h"
#include "model/gpu.h"

#define MAX_EVENTS 1000        /* of a busy period */
#define MAX_STARTS 20000       /* jobs of a member, on average */
#define MAX_FOLLOWED 512       /* busy periods that are remembered */
#define MAX_FIRST_CALLS 500000 /* first calls that are remembered with them, in all */

/* Does an unknown order of calls matter to streams or connections? */
static bool has_open_order(const job_events *s)
{
    const bound *b = s->b;
    for (size_t n = 0; n < s->member_count && b->options->any_order; n++)
        for (size_t m = 0; m < n; m++)
            if (s->members[m]->op->stream == s->members[n]->op->stream &&
                s->members[m]->op->task != s->members[n]->op->task)
                return true;
    return b->options->any_order && b->connections_shared;
}

/* Can the method cover any streams of this workload? They must wait for streams, connections and engines only, and all
 * calls must be made. */
static bool may_cover(const bound *b)
{
    if (b->options->horizon_ns)
        return false;
    for (size_t n = 0; n < b->op_count; n++)
        if (b->ops[n].is_null)
            return false;
    return !b->options->any_phase && !b->w->host_count && !b->stream_group && !b->null_connections_shared &&
           b->gpu->priority_levels <= BY_JOB_LEVELS;
}

/* Are the members covered? They must be of periodic tasks with known call times, and others may delay them on SMs and
 * copy engines only. */
static bool is_covered(const job_events *s)
{
    const bound *b = s->b;
    if (!s->member_count || has_open_order(s))
        return false;
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *op = s->members[n];
        if (!op->period_ns || op->is_sporadic || op->jitter_ns || op->never_called || op->op->skip_ns != GCAST_NEVER)
            return false;
    }
    return s->member_count == b->op_count || (!b->connections_shared && !b->gpu->copy_channels);
}

/* How long an event matters after its end. */
static int64_t after_end(const bound *b)
{
    return max_i64(max_i64(b->after_end_ns, b->gpu->copy_gap_ns), b->gap_ns);
}

/* Latest time at which all events so far are over. */
static int64_t all_over(const job_events *s)
{
    int64_t over_ns = 0;
    for (size_t k = 0; k < s->count; k++)
        over_ns = max_i64(over_ns, s->events[k].max_end_ns + after_end(s->b));
    return over_ns;
}

/* Has a busy period with the same calls up to its end been followed? */
static bool has_followed(const job_events *s)
{
    for (size_t i = 0; i < s->followed_count; i++) {
        const int64_t *until_ns = &s->followed[i * (s->member_count + 1)], *calls = until_ns + 1;
        size_t n = 0;
        while (n < s->member_count && min_i64(s->next_call[n], *until_ns + 1) == min_i64(calls[n], *until_ns + 1))
            n++;
        if (n == s->member_count)
            return true;
    }
    return false;
}

/* Stores the first calls of this busy period among the followed ones. Returns the place for its end; NULL: no room. */
static int64_t *note_first_calls(job_events *s)
{
    if (s->followed_count == s->max_followed)
        return NULL;
    int64_t *until_ns = &s->followed[s->followed_count * (s->member_count + 1)];
    memcpy(until_ns + 1, s->next_call, s->member_count * sizeof *s->next_call);
    return until_ns;
}

/* The level of an op's stream. */
static int level_of(const bound *b, const bound_op *op)
{
    return level_of_priority(b->gpu, b->w->streams[op->op->stream].priority);
}

/* A member whose stream is of the lowest level. */
static const bound_op *lowest_member(const job_events *s)
{
    const bound_op *lowest = s->members[0];
    for (size_t n = 1; n < s->member_count; n++)
        if (level_of(s->b, s->members[n]) > level_of(s->b, lowest))
            lowest = s->members[n];
    return lowest;
}

/* The shortest time in which the members have as many calls as there is room for. */
static wide longest_followed(const job_events *s)
{
    wide low = 0, high = BOUND_MAX_NS;
    while (low < high) {
        wide middle = low + (high - low) / 2, calls = 0;
        for (size_t n = 0; n < s->member_count; n++)
            calls += middle / s->members[n]->period_ns;
        if (calls < (wide)s->capacity)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets s->limit_ns, the end by lemma 9, if it comes before there are too many events. */
static void find_limit(job_events *s)
{
    bound *b = s->b;
    wide end_ns = bound_busy_period_from(b, lowest_member(s), s->start_ns, s->longest_ns);
    s->limit_ns = end_ns < BOUND_MAX_NS ? (int64_t)end_ns : INT64_MAX;
}

/* Sets the limit of the last event by lemma 9. */
static void limit_event(job_events *s)
{
    bound *b = s->b;
    job_event *event = &s->events[s->count - 1];
    if (event->call_ns >= s->limit_ns || s->limit_ns == INT64_MAX)
        return;
    wide end_ns = bound_busy_end_from(b, lowest_member(s), s->start_ns, event->op, event->call_ns);
    event->limit_ns = (int64_t)wide_min(end_ns, s->limit_ns);
}

/* Follows the busy period that begins with s->next_call, up to its end *over_ns; false: no end was found. */
static bool follow_busy_period(job_events *s, int64_t *over_ns)
{
    const bound *b = s->b;
    int64_t until_ns = 0, max_ns = s->limit_ns < INT64_MAX ? INT64_MAX : s->hyperperiod_ns;
    s->count = s->ordered_from = 0;
    s->period_from = s->work;
    for (size_t n = 0; n < b->w->stream_count; n++)
        s->last_of[n] = NO_EVENT;
    for (size_t n; s->next_call[n = by_job_next_op(s)] <= until_ns && until_ns < max_ns;) {
        for (; s->next_call[n] <= until_ns; n = by_job_next_op(s)) {
            if (s->count == s->capacity)
                return false;
            by_job_add_event(s, n);
            limit_event(s);
        }
        if (!by_job_settle(s))
            return false;
        s->ordered_from = s->count;
        until_ns = all_over(s);
        if (s->next_call[n] > until_ns)
            break;
        if (!by_job_shrink(s,
                           s->next_call[n] - after_end(b))) /* only events that may last longer keep it from ending */
            return false;
        until_ns = all_over(s);
    }
    *over_ns = until_ns;
    if (until_ns >= max_ns) /* longer than a hyperperiod: it never ends */
        return false;
    return by_job_shrink(s, INT64_MIN);
}

/* May a busy period begin at `start_ns`? Not if an event called before is surely not over. */
static bool may_begin(const job_events *s, int64_t start_ns)
{
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *op = s->members[n];
        int64_t since_ns = start_ns - 1 - op->earliest_release_ns;
        if (since_ns >= 0 && since_ns % op->period_ns + 1 < op->best_ns)
            return false;
    }
    return true;
}

/* Calls from this time on begin no new busy periods: a hyperperiod after all members have been called. 0: there are too
 * many calls up to then. */
static int64_t last_start(job_events *s)
{
    int64_t first_ns = 0, starts = 0, last_ns;
    s->hyperperiod_ns = 1;
    for (size_t n = 0; n < s->member_count; n++) {
        const bound_op *op = s->members[n];
        int64_t factor = op->period_ns / common_divisor(s->hyperperiod_ns, op->period_ns);
        first_ns = max_i64(first_ns, op->earliest_release_ns);
        if (!checked_mul(s->hyperperiod_ns, factor, &s->hyperperiod_ns))
            return 0;
    }
    if (!checked_add(s->hyperperiod_ns, first_ns, &last_ns) || last_ns > BOUND_MAX_NS)
        return 0;
    for (size_t n = 0; n < s->member_count; n++)
        starts += last_ns / s->members[n]->period_ns;
    return starts / (int64_t)s->member_count <= MAX_STARTS ? last_ns : 0;
}

static bool allocate(job_events *s)
{
    bound *b = s->b;
    s->capacity = MAX_EVENTS;
    s->events = arena_alloc_array(b->memory, s->capacity, sizeof *s->events);
    s->order = arena_alloc_array(b->memory, s->capacity, sizeof *s->order);
    s->kin = arena_alloc_array(b->memory, s->capacity, sizeof *s->kin);
    s->before = arena_alloc_array(b->memory, s->capacity, sizeof *s->before);
    s->head_counts = arena_alloc_array(b->memory, b->op_count, sizeof *s->head_counts);
    s->tail_counts = arena_alloc_array(b->memory, b->op_count, sizeof *s->tail_counts);
    s->present = arena_alloc_array(b->memory, b->op_count, sizeof(bound_op *));
    s->present_own = arena_alloc_array(b->memory, b->op_count, sizeof(bound_op *));
    s->waits = arena_alloc_array(b->memory, b->op_count, sizeof *s->waits);
    s->floor_rank = arena_alloc_array(b->memory, b->op_count, sizeof *s->floor_rank);
    s->own_floor_rank = arena_alloc_array(b->memory, b->op_count, sizeof *s->own_floor_rank);
    s->stream_area = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *s->stream_area);
    s->points_ns = arena_alloc_array(b->memory, 2 * s->capacity, sizeof *s->points_ns);
    s->next_call = arena_alloc_array(b->memory, b->op_count, sizeof *s->next_call);
    s->max_followed =
        MAX_FIRST_CALLS / (b->op_count + 1) < MAX_FOLLOWED ? MAX_FIRST_CALLS / (b->op_count + 1) : MAX_FOLLOWED;
    s->followed = arena_alloc_array(b->memory, s->max_followed * (b->op_count + 1) + 1, sizeof *s->followed);
    s->last_of = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *s->last_of);
    s->stream_weight = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *s->stream_weight);
    s->members = arena_alloc_array(b->memory, b->op_count, sizeof(bound_op *));
    s->below = arena_alloc_array(b->memory, b->op_count, sizeof(bound_op *));
    s->entries_ns = arena_alloc_array(b->memory, b->op_count, sizeof *s->entries_ns);
    s->responses_ns = arena_alloc_array(b->memory, b->op_count, sizeof *s->responses_ns);
    if (!s->events || !s->kin || !s->order || !s->before || !s->head_counts || !s->tail_counts || !s->present ||
        !s->present_own || !s->waits || !s->floor_rank || !s->own_floor_rank || !s->stream_area || !s->points_ns ||
        !s->next_call || !s->followed || !s->last_of || !s->stream_weight || !s->members || !s->below ||
        !s->entries_ns || !s->responses_ns)
        return false;
    for (uint32_t n = 0; n < b->kernel_count; n++) {
        s->floor_rank[b->by_floor[n] - b->ops] = n;
        s->own_floor_rank[b->by_own_floor[n] - b->ops] = n;
    }
    return true;
}

/* Makes the ops of streams down to a level members. Of each other stream, one event at a time is on the GPU or, if
 * kernels of a stream may hold resources at one time, one at a time starts blocks. */
static void choose_members(job_events *s, int level)
{
    const bound *b = s->b;
    s->member_count = s->below_count = 0;
    memset(s->below_copies_ns, 0, sizeof s->below_copies_ns);
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *op = &b->ops[n];
        if (level_of(b, op) <= level)
            s->members[s->member_count++] = op;
        else if (op->is_kernel)
            s->below[s->below_count++] = op;
    }
    for (int stream = 0; stream < (int)b->w->stream_count; stream++) {
        int64_t longest_ns[COPY_ENGINES] = {0};
        if (level_of_priority(b->gpu, b->w->streams[stream].priority) <= level)
            continue;
        for (size_t n = 0; n < b->op_count; n++) {
            const bound_op *op = &b->ops[n];
            if (!op->is_kernel && op->op->stream == stream)
                longest_ns[op->copy_engine] = max_i64(longest_ns[op->copy_engine], op->max_ns + b->gpu->copy_gap_ns);
        }
        for (int engine = 0; engine < COPY_ENGINES; engine++)
            s->below_copies_ns[engine] = wide_add(s->below_copies_ns[engine], longest_ns[engine]);
    }
}

/* Follows all busy periods of the members; *found: all end, and the members' responses are known. */
static gcast_status follow_members(job_events *s, bool *found, gcast_error *err)
{
    bound *b = s->b;
    int64_t last_ns = last_start(s);
    s->longest_ns = longest_followed(s);
    memset(s->responses_ns, 0, b->op_count * sizeof *s->responses_ns);
    memset(s->entries_ns, 0, b->op_count * sizeof *s->entries_ns);
    s->work = s->followed_count = 0;
    *found = last_ns > 0;
    for (int64_t start_ns = by_job_call_after(s, -1); start_ns < last_ns; start_ns = by_job_call_after(s, start_ns)) {
        if (!may_begin(s, start_ns))
            continue;
        gcast_status status = bound_report_progress(b, (double)start_ns / (double)last_ns, err);
        if (status != GCAST_OK)
            return status;
        by_job_find_first_calls(s, start_ns);
        if (has_followed(s))
            continue;
        int64_t *followed = note_first_calls(s), over_ns;
        s->start_ns = start_ns;
        find_limit(s);
        *found = follow_busy_period(s, &over_ns);
        if (!*found)
            return GCAST_OK;
        if (followed) {
            *followed = over_ns;
            s->followed_count++;
        }
        by_job_note_responses(s, 0, s->count);
    }
    return GCAST_OK;
}

/* Takes the members' responses where they are shorter than the bounds so far. */
static void take_responses(job_events *s)
{
    for (size_t n = 0; n < s->member_count; n++) {
        bound_op *op = &s->b->ops[s->members[n] - s->b->ops];
        op->response_ns = wide_min(op->response_ns, s->responses_ns[op - s->b->ops]);
        op->entry_ns = wide_min(op->entry_ns, s->entries_ns[op - s->b->ops]);
    }
}

/* Finds the members' responses, by busy periods or, if these never end, by the hyperperiod as a cycle. *have_ends: all
 * busy periods end. */
static gcast_status follow(job_events *s, bool *have_ends, bool *found, gcast_error *err)
{
    bound *b = s->b;
    bool has_all = s->member_count == b->op_count;
    gcast_status status = GCAST_OK;
    *have_ends = false;
    if (!has_all || !b->by_job_is_too_long) {
        status = follow_members(s, have_ends, err);
        b->by_job_is_too_long = b->by_job_is_too_long || (has_all && (s->work > BY_JOB_MAX_WORK || b->is_late));
    }
    *found = *have_ends;
    int64_t last_ns = last_start(s);
    if (status == GCAST_OK && !*found && last_ns && bound_may_continue(b))
        status = by_job_follow_cycle(s, last_ns - s->hyperperiod_ns, found, err);
    if (*found)
        take_responses(s);
    return status;
}

/* As follow, but in two thirds of the time if higher levels alone can be followed afterwards. */
static gcast_status follow_in_time(job_events *s, bool *have_ends, bool *found, gcast_error *err)
{
    bound *b = s->b;
    time_limit whole = b->limit;
    bool has_levels = false;
    for (size_t n = 0; n < s->member_count; n++)
        has_levels = has_levels || level_of(b, s->members[n]) != level_of(b, s->members[0]);
    if (has_levels)
        b->limit = limit_from_now(max_i64(limit_left_ms(&whole) * 2 / 3, 1));
    gcast_status status = follow(s, have_ends, found, err);
    b->limit = whole;
    b->is_late = limit_passed(&whole);
    return status;
}

gcast_status bound_by_job(bound *b, bool *found, gcast_error *err)
{
    job_events s = {.b = b, .cut_ns = INT64_MIN, .connections = connections_in_force(b->w, b->gpu)};
    *found = false;
    if (!may_cover(b))
        return GCAST_OK;
    if (!allocate(&s))
        return gcast_error_set_memory(err);
    size_t tried = 0;
    bool have_ends = false;
    uint64_t steps = b->steps, max_steps = b->max_steps;
    b->max_steps = UINT64_MAX; /* windows are counted instead */
    gcast_status status = GCAST_OK;
    for (int level = BY_JOB_LEVELS; level-- > 0 && !have_ends && status == GCAST_OK;) {
        bool level_found;
        choose_members(&s, level);
        if (s.member_count == tried || !is_covered(&s))
            continue;
        tried = s.member_count;
        status = follow_in_time(&s, &have_ends, &level_found, err);
        *found = have_ends && s.member_count == b->op_count;
    }
    b->max_steps = max_steps;
    b->steps = b->next_clock_step = steps;
    return status;
}
