/* A busy period begins at a call when all events called before are over. From there on the ranges of all events' times
 * are widened until each holds what the others give for it. It ends when all that were called are over before the next
 * call. Every call of a hyperperiod may begin one. */
#include "analyze/bound/by_job/by_job.h"

#include "analyze/bound/bound_progress.h"
#include "analyze/bound/by_job/windows.h"
#include "base/checked.h"
#include "base/minmax.h"

#define MAX_EVENTS 1000        /* of a busy period */
#define MAX_SWEEPS 200         /* over the events of a busy period */
#define MAX_WORK 5000000       /* windows looked at in all */
#define MAX_PERIOD_WORK 200000 /* windows looked at in one busy period */
#define MAX_STARTS 20000       /* jobs of a task */

/* Are operations called in an order that is not known, and does it matter to streams or connections? */
static bool has_open_order(const bound *b)
{
    for (size_t n = 0; n < b->op_count && b->options->any_order; n++)
        for (size_t m = 0; m < n; m++)
            if (b->ops[m].op->stream == b->ops[n].op->stream && b->ops[m].op->task != b->ops[n].op->task)
                return true;
    return b->options->any_order && b->connections_shared;
}

/* Does it cover the workload: periodic tasks, whose calls come at known times? */
static bool is_covered(const bound *b)
{
    if (b->options->any_phase || b->w->host_count || b->stream_group || b->null_connections_shared || !b->op_count ||
        b->gpu->priority_levels > BY_JOB_LEVELS || has_open_order(b))
        return false;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        if (!i->period_ns || i->is_sporadic || i->jitter_ns || i->is_null || i->never_called ||
            i->op->skip_ns != GCAST_NEVER)
            return false;
    }
    return true;
}

static bool lower(int64_t *least_ns, int64_t found_ns)
{
    bool changed = found_ns < *least_ns;
    *least_ns = changed ? found_ns : *least_ns;
    return changed;
}

static bool raise(int64_t *latest_ns, int64_t found_ns)
{
    bool changed = found_ns > *latest_ns;
    *latest_ns = changed ? found_ns : *latest_ns;
    return changed;
}

/* Kernels that one stream calls, none of others between them, are in one connection. So there are at most as many
 * connections that are not empty as there are such groups with kernels that have not entered. With fewer groups than
 * connections k joins an empty one, or its own. With as many, each in a connection of its own, it joins that of the
 * first group; with more, perhaps any. When have the kernels before it there entered? INT64_MIN: there are none. */
static int64_t held_by_connection(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int64_t first_ns = INT64_MIN, any_ns = INT64_MIN, group_ns = INT64_MIN;
    int group_count = 0, stream = -1;
    for (size_t j = k; j-- > 0;) {
        const job_event *other = &s->events[j];
        if (!other->op->is_kernel)
            continue;
        if (stream < 0 && other->op->op->stream == event->op->op->stream)
            return INT64_MIN; /* nobody joined its connection since */
        if (other->op->op->stream != stream)
            group_ns = INT64_MIN;
        stream = other->op->op->stream;
        if (other->max_entry_ns < event->call_ns)
            continue;
        group_count += group_ns == INT64_MIN;
        group_ns = max_i64(group_ns, other->max_entry_ns);
        first_ns = group_ns;
        any_ns = max_i64(any_ns, group_ns);
    }
    return group_count < s->connections ? INT64_MIN : group_count == s->connections ? first_ns : any_ns;
}

/* When it enters: as it arrives, when the one before it in its stream has left, and when those before it in its
 * connection have entered. */
static bool update_entry(job_events *s, size_t k)
{
    const bound *b = s->b;
    job_event *event = &s->events[k];
    int64_t least_ns = event->call_ns + event->op->latency_ns, latest_ns = event->call_ns + event->op->max_latency_ns;
    if (event->previous != NO_EVENT) {
        const job_event *previous = &s->events[event->previous];
        least_ns = max_i64(least_ns, previous->min_end_ns + b->gpu->stream_gap_ns);
        latest_ns = max_i64(latest_ns, previous->max_end_ns + b->gap_ns);
    }
    if (b->connections_shared && event->op->is_kernel) {
        int64_t held_ns = held_by_connection(s, k);
        event->may_be_held = event->may_be_held || held_ns > INT64_MIN;
        latest_ns = max_i64(latest_ns, held_ns);
    }
    bool changed = lower(&event->min_entry_ns, least_ns);
    return raise(&event->max_entry_ns, latest_ns) || changed;
}

/* When its first block, or the copy, starts at the soonest: what surely entered before has started all its blocks, or
 * has been copied. */
static int64_t earliest_start(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int64_t start_ns = event->min_entry_ns;
    for (size_t j = 0; j < s->count; j++) {
        const job_event *other = &s->events[j];
        if (j == k || other->min_entry_ns == INT64_MAX || other->op->is_kernel != event->op->is_kernel ||
            !enters_after(s, k, j))
            continue;
        if (event->op->is_kernel && other->op->level <= event->op->level)
            start_ns = max_i64(start_ns, other->min_last_ns);
        else if (!event->op->is_kernel && other->op->copy_engine == event->op->copy_engine && !s->b->gpu->copy_channels)
            start_ns = max_i64(start_ns, other->min_end_ns);
    }
    return start_ns;
}

/* The least time from its first start to its end. */
static int64_t least_duration(const bound_op *i)
{
    return i->best_ns - i->min_entry_ns;
}

static int64_t least_block(const bound_op *i)
{
    int64_t shortest_ns = i->op->block_ns ? INT64_MAX : i->op->min_ns;
    for (uint64_t n = 0; i->op->block_ns && n < i->op->blocks; n++)
        shortest_ns = min_i64(i->op->block_ns[n], shortest_ns);
    return shortest_ns;
}

static bool update_event(job_events *s, size_t k)
{
    job_event *event = &s->events[k];
    const bound_op *op = event->op;
    bool changed = update_entry(s, k);
    int64_t start_ns = earliest_start(s, k), end_ns = start_ns + least_duration(op);
    changed = lower(&event->min_last_ns, op->is_kernel ? end_ns - least_block(op) : start_ns) || changed;
    changed = lower(&event->min_end_ns, end_ns) || changed;
    int64_t last_ns = op->is_kernel ? by_job_latest_kernel(s, k) : by_job_latest_copy(s, k);
    changed = raise(&event->max_last_ns, last_ns) || changed;
    wide latest_ns = wide_min(wide_add(last_ns, op->max_ns), wide_add(event->call_ns, op->response_ns));
    changed = raise(&event->max_end_ns, (int64_t)wide_min(latest_ns, BOUND_MAX_NS)) || changed;
    raise(&event->max_released_ns,
          event->max_end_ns + (op->is_kernel ? s->b->gpu->handover_ns : s->b->gpu->copy_gap_ns));
    return changed;
}

/* The op that is called next: of calls at one time, that of the job released first, then in the order of the workload.
 */
static size_t next_op(const job_events *s)
{
    const bound *b = s->b;
    size_t first = 0;
    for (size_t n = 1; n < b->op_count; n++) {
        int64_t call_ns = s->next_call[n], first_ns = s->next_call[first];
        if (call_ns < first_ns ||
            (call_ns == first_ns && call_ns - b->ops[n].op->release_ns < first_ns - b->ops[first].op->release_ns))
            first = n;
    }
    return first;
}

static void add_event(job_events *s, size_t n)
{
    const bound_op *op = &s->b->ops[n];
    size_t *last = &s->last_of[op->op->stream];
    s->events[s->count] = (job_event){.op = op,
                                      .call_ns = s->next_call[n],
                                      .previous = *last,
                                      .min_entry_ns = INT64_MAX,
                                      .max_entry_ns = INT64_MIN,
                                      .min_last_ns = INT64_MAX,
                                      .max_last_ns = INT64_MIN,
                                      .min_end_ns = INT64_MAX,
                                      .max_end_ns = INT64_MIN,
                                      .max_released_ns = INT64_MIN};
    job_event *event = &s->events[s->count];
    size_t place = s->count++;
    event->order_ns = event->call_ns + op->min_entry_ns;
    if (*last != NO_EVENT)
        event->order_ns = max_i64(event->order_ns, s->events[*last].order_ns);
    for (; place > s->ordered_from && s->events[s->order[place - 1]].order_ns > event->order_ns; place--)
        s->order[place] = s->order[place - 1];
    s->order[place] = s->count - 1;
    *last = s->count - 1;
    s->next_call[n] += op->period_ns;
}

static bool may_continue(const job_events *s)
{
    return s->work <= MAX_WORK && s->work - s->period_from <= MAX_PERIOD_WORK && bound_may_continue(s->b);
}

/* May others that enter later start before it? */
static bool may_be_overtaken(const job_events *s, size_t k)
{
    const bound_op *op = s->events[k].op;
    return op->is_kernel ? op->level > 0 && s->b->gpu->priority_levels > 1 : s->b->gpu->copy_channels > 0;
}

/* Has any event changed, since k was looked at, that k may have to wait for? */
static bool is_outdated(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int64_t until_ns = max_i64(event->max_entry_ns, event->max_last_ns);
    for (size_t j = 0; j < s->count; j++)
        if (s->events[j].changed_at > event->updated_at &&
            (s->events[j].min_entry_ns <= until_ns || (s->b->connections_shared && j < k)))
            return true;
    return !event->updated_at;
}

/* Widens the ranges of all events until each holds what the others give for it. */
static bool settle(job_events *s)
{
    bool changed = true;
    for (int sweep = 0; changed; sweep++) {
        if (sweep == MAX_SWEEPS)
            return false;
        changed = false;
        for (size_t n = 0; n < s->count; n++) {
            size_t k = s->order[n];
            s->b->steps += s->count;
            if (!is_outdated(s, k))
                continue;
            uint64_t step = ++s->step;
            if (update_event(s, k)) {
                s->events[k].changed_at = step;
                changed = true;
            }
            s->events[k].updated_at = step - (s->events[k].changed_at == step && may_be_overtaken(s, k));
            if (!may_continue(s) || s->events[k].max_end_ns >= BOUND_MAX_NS)
                return false;
        }
    }
    return true;
}

/* From when on all events so far are over. */
static int64_t all_over(const job_events *s)
{
    const bound *b = s->b;
    int64_t over_ns = 0, after_ns = max_i64(max_i64(b->after_end_ns, b->gpu->copy_gap_ns), b->gap_ns);
    for (size_t k = 0; k < s->count; k++)
        over_ns = max_i64(over_ns, s->events[k].max_end_ns + after_ns);
    return over_ns;
}

/* The busy period that begins at `start_ns`; false: it has too many events. */
static bool follow_busy_period(job_events *s, int64_t start_ns)
{
    const bound *b = s->b;
    int64_t until_ns = 0;
    s->count = s->ordered_from = 0;
    s->period_from = s->work;
    for (size_t n = 0; n < b->w->stream_count; n++)
        s->last_of[n] = NO_EVENT;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        int64_t jobs = start_ns <= i->earliest_release_ns ? 0 : div_up(start_ns - i->earliest_release_ns, i->period_ns);
        s->next_call[n] = i->earliest_release_ns + jobs * i->period_ns - start_ns;
    }
    for (size_t n; s->next_call[n = next_op(s)] <= until_ns && until_ns < s->hyperperiod_ns;) {
        for (; s->next_call[n] <= until_ns; n = next_op(s)) {
            if (s->count == s->capacity)
                return false;
            add_event(s, n);
        }
        if (!settle(s))
            return false;
        s->ordered_from = s->count;
        until_ns = all_over(s);
    }
    return until_ns < s->hyperperiod_ns; /* else it goes on with no less work, and has no end */
}

/* May a busy period begin then? Not where an event called before is surely not over. */
static bool may_begin(const bound *b, int64_t start_ns)
{
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        int64_t since_ns = start_ns - 1 - i->earliest_release_ns;
        if (since_ns >= 0 && since_ns % i->period_ns + 1 < i->best_ns)
            return false;
    }
    return true;
}

/* Until when calls may begin another busy period than those before: a hyperperiod after the last first call. 0: there
 * are too many. */
static int64_t last_start(job_events *s)
{
    const bound *b = s->b;
    int64_t first_ns = 0, starts = 0, last_ns;
    s->hyperperiod_ns = 1;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        int64_t factor = i->period_ns / common_divisor(s->hyperperiod_ns, i->period_ns);
        first_ns = max_i64(first_ns, i->earliest_release_ns);
        if (!checked_mul(s->hyperperiod_ns, factor, &s->hyperperiod_ns))
            return 0;
    }
    if (!checked_add(s->hyperperiod_ns, first_ns, &last_ns) || last_ns > BOUND_MAX_NS)
        return 0;
    for (size_t n = 0; n < b->op_count; n++)
        starts += last_ns / b->ops[n].period_ns;
    return starts / (int64_t)b->op_count <= MAX_STARTS ? last_ns : 0;
}

static bool allocate(job_events *s)
{
    bound *b = s->b;
    s->capacity = MAX_EVENTS;
    s->events = arena_alloc_array(b->memory, s->capacity, sizeof *s->events);
    s->order = arena_alloc_array(b->memory, s->capacity, sizeof *s->order);
    s->before = arena_alloc_array(b->memory, s->capacity, sizeof *s->before);
    s->head_counts = arena_alloc_array(b->memory, b->op_count, sizeof *s->head_counts);
    s->tail_counts = arena_alloc_array(b->memory, b->op_count, sizeof *s->tail_counts);
    s->present = arena_alloc_array(b->memory, b->op_count, sizeof(bound_op *));
    s->present_own = arena_alloc_array(b->memory, b->op_count, sizeof(bound_op *));
    s->floor_rank = arena_alloc_array(b->memory, b->op_count, sizeof *s->floor_rank);
    s->own_floor_rank = arena_alloc_array(b->memory, b->op_count, sizeof *s->own_floor_rank);
    s->stream_area = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *s->stream_area);
    s->points_ns = arena_alloc_array(b->memory, 2 * s->capacity, sizeof *s->points_ns);
    s->next_call = arena_alloc_array(b->memory, b->op_count, sizeof *s->next_call);
    s->last_of = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *s->last_of);
    s->stream_weight = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *s->stream_weight);
    if (!s->events || !s->order || !s->before || !s->head_counts || !s->tail_counts || !s->present || !s->present_own ||
        !s->floor_rank || !s->own_floor_rank || !s->stream_area || !s->points_ns || !s->next_call || !s->last_of ||
        !s->stream_weight)
        return false;
    for (uint32_t n = 0; n < b->kernel_count; n++) {
        s->floor_rank[b->by_floor[n] - b->ops] = n;
        s->own_floor_rank[b->by_own_floor[n] - b->ops] = n;
    }
    return true;
}

/* The next call after `time_ns`. */
static int64_t call_after(const bound *b, int64_t time_ns)
{
    int64_t call_ns = INT64_MAX;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *i = &b->ops[n];
        int64_t jobs = time_ns < i->earliest_release_ns ? 0 : (time_ns - i->earliest_release_ns) / i->period_ns + 1;
        call_ns = min_i64(call_ns, i->earliest_release_ns + jobs * i->period_ns);
    }
    return call_ns;
}

gcast_status bound_by_job(bound *b, bool *found, gcast_error *err)
{
    job_events s = {.b = b, .connections = b->w->connections >= 0 ? b->w->connections : b->gpu->connections};
    *found = false;
    if (b->by_job_is_too_long || !is_covered(b))
        return GCAST_OK;
    wide *entries_ns = arena_alloc_array(b->memory, b->op_count, sizeof *entries_ns);
    wide *responses_ns = arena_alloc_array(b->memory, b->op_count, sizeof *responses_ns);
    if (!allocate(&s) || !entries_ns || !responses_ns)
        return gcast_error_set_memory(err);
    int64_t last_ns = last_start(&s);
    uint64_t steps = b->steps;
    for (int64_t start_ns = call_after(b, -1); start_ns < last_ns; start_ns = call_after(b, start_ns)) {
        if (!may_begin(b, start_ns))
            continue;
        gcast_status status = bound_report_progress(b, (double)start_ns / (double)last_ns, err);
        if (status != GCAST_OK)
            return status;
        if (!follow_busy_period(&s, start_ns)) {
            b->steps = steps; /* the other way may take as many as without this one */
            b->by_job_is_too_long = s.work > MAX_WORK;
            return GCAST_OK;
        }
        for (size_t k = 0; k < s.count; k++) {
            const job_event *event = &s.events[k];
            size_t n = (size_t)(event->op - b->ops);
            responses_ns[n] = wide_max(responses_ns[n], event->max_end_ns - event->call_ns);
            entries_ns[n] = wide_max(entries_ns[n], event->max_entry_ns - event->call_ns);
        }
    }
    *found = last_ns > 0;
    for (size_t n = 0; n < b->op_count && *found; n++) {
        b->ops[n].response_ns = wide_min(b->ops[n].response_ns, responses_ns[n]);
        b->ops[n].entry_ns = wide_min(b->ops[n].entry_ns, entries_ns[n]);
    }
    return GCAST_OK;
}
