/* Random changes of an execution, mostly in its focus, and climbs that are made of them. */
#include "analyze/witness/late_climb.h"

#include <stdlib.h>

#include "analyze/witness/execution.h"
#include "analyze/witness/frame.h"
#include "base/integers.h"
#include "gridcast/simulate.h"
#include "model/workload/workload.h"

#define MAX_DISTANCE_BITS 5 /* nearby places are up to 32 away */
#define TRIES 8             /* attempts to find an operation with an open value */
#define WINDOWS_OF_ONE 4    /* executions of windows that count as one */
#define TOLERANT_PERCENT 10 /* share of changes in windows that may make the op less late, */
#define TOLERANCE 64        /* by up to one part in so many of its response */

/* What a change aims at. */
typedef struct mutation_target {
    const focus_operation *focus; /* operations that ran shortly before the late one ended */
    size_t focus_count;           /* of `focus`; may be 0 */
    size_t late;                  /* the late operation */
} mutation_target;

/* An index below count, mostly close to `near`. */
static size_t pick_near(size_t near, size_t count, draw *d)
{
    if (draw_percent(d, 20))
        return draw_index(d, count);
    int64_t distance = draw_to(d, INT64_C(1) << draw_to(d, MAX_DISTANCE_BITS));
    int64_t place = (int64_t)near + (draw_percent(d, 60) ? -distance : distance);
    return (size_t)min_i64(max_i64(place, 0), (int64_t)count - 1);
}

/* An operation, mostly of the focus, else mostly near the late one. */
static size_t pick_operation(const frame *f, const mutation_target *t, draw *d)
{
    return t->focus_count && draw_percent(d, 65) ? t->focus[draw_index(d, t->focus_count)].operation
                                                 : pick_near(t->late, f->operation_count, d);
}

/* Another value from 0 to max: an end of the range, any value, or the old one plus or minus a power of two. */
static int64_t change_value(int64_t value, int64_t max, draw *d)
{
    if (draw_percent(d, 45))
        return draw_percent(d, 50) ? 0 : max;
    if (draw_percent(d, 40))
        return draw_to(d, max);
    int bits = 0;
    while (max >> bits > 1)
        bits++;
    int64_t step = INT64_C(1) << draw_to(d, bits);
    return draw_percent(d, 50) ? max_i64(value - step, 0) : value > max - step ? max : value + step;
}

/* Gives each block of an operation its own extra time, at first the common one. */
static void list_operation(const frame *f, execution *e, size_t operation)
{
    const frame_operation *x = &f->operations[operation];
    if (e->is_listed[operation])
        return;
    e->is_listed[operation] = true;
    for (uint64_t b = 0; b < f->w->ops[x->op].blocks; b++)
        e->block_extra_ns[x->first_block + b] = e->extra_ns[operation];
}

static void change_blocks(const frame *f, execution *e, size_t operation, draw *d)
{
    const frame_operation *x = &f->operations[operation];
    size_t blocks = (size_t)f->w->ops[x->op].blocks, first = draw_index(d, blocks);
    size_t end = draw_percent(d, 60) ? first + 1 : first + 1 + draw_index(d, blocks - first);
    list_operation(f, e, operation);
    int64_t *extra_ns = &e->block_extra_ns[x->first_block], value = change_value(extra_ns[first], x->range_ns, d);
    for (size_t b = first; b < end; b++)
        extra_ns[b] = value;
}

static bool change_duration(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    size_t operation = pick_operation(f, t, d);
    for (int i = 0; i < TRIES && !f->operations[operation].range_ns; i++)
        operation = pick_operation(f, t, d);
    const frame_operation *x = &f->operations[operation];
    if (!x->range_ns)
        return false;
    if (x->first_block != NOT_LISTED && draw_percent(d, 50)) {
        change_blocks(f, e, operation, d);
        return true;
    }
    int64_t value = change_value(e->extra_ns[operation], x->range_ns, d);
    bool is_for_all = draw_percent(d, 10); /* for all operations of this op */
    for (size_t i = is_for_all ? frame_first_open(f) : operation; i < f->operation_count; i++) {
        if (f->operations[i].op == x->op) {
            e->extra_ns[i] = value;
            e->is_listed[i] = false;
        }
        if (!is_for_all)
            break;
    }
    return true;
}

/* Sets the durations of the focus operations of one op, of one stream, or of all, to an end of their ranges. */
static bool change_group(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    enum { SAME_OP, SAME_STREAM, ALL, GROUPS };
    if (!t->focus_count)
        return false;
    int group = (int)draw_to(d, GROUPS - 1);
    bool is_longest = draw_percent(d, 50), is_changed = false;
    uint32_t chosen = f->operations[t->focus[draw_index(d, t->focus_count)].operation].op;
    for (size_t i = 0; i < t->focus_count; i++) {
        size_t operation = t->focus[i].operation;
        const frame_operation *x = &f->operations[operation];
        bool is_in = group == SAME_OP       ? x->op == chosen
                     : group == SAME_STREAM ? f->w->ops[x->op].stream == f->w->ops[chosen].stream
                                            : true;
        if (!is_in || !x->range_ns)
            continue;
        e->extra_ns[operation] = is_longest ? x->range_ns : 0;
        e->is_listed[operation] = false;
        is_changed = true;
    }
    return is_changed;
}

static bool change_release(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; i < TRIES; i++) {
        size_t unit = f->operations[pick_operation(f, t, d)].unit;
        int64_t jitter = f->units[unit].task == GCAST_ONCE ? 0 : f->w->tasks[f->units[unit].task].jitter_ns;
        if (!jitter || unit < f->first_open)
            continue;
        e->late_ns[unit] = change_value(e->late_ns[unit], jitter, d);
        return true;
    }
    return false;
}

/* Changes the distance of a sporadic job from the previous one; half of the time the next job keeps its time. */
static bool change_distance(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; f->has_sporadic && i < TRIES; i++) {
        size_t unit = f->operations[pick_operation(f, t, d)].unit;
        const frame_unit *u = &f->units[unit];
        if (u->task == GCAST_ONCE || !f->w->tasks[u->task].sporadic)
            continue;
        int64_t before_ns = e->stretch_ns[unit], period_ns = f->w->tasks[u->task].period_ns;
        e->stretch_ns[unit] = change_value(before_ns, max_i64(period_ns, before_ns), d);
        size_t next = f->first_job[u->task] + u->job + 1; /* all jobs of sporadic tasks are in the frame */
        if (next < f->first_job[u->task + 1] && draw_percent(d, 50)) {
            int64_t *next_ns = &e->stretch_ns[f->unit_of_job[next]];
            *next_ns = max_i64(*next_ns - (e->stretch_ns[unit] - before_ns), 0);
        }
        return true;
    }
    return false;
}

static bool change_latency(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; f->has_latencies && i < TRIES; i++) {
        size_t operation = pick_operation(f, t, d);
        if (!f->operations[operation].latency_range_ns)
            continue;
        e->latency_ns[operation] = change_value(e->latency_ns[operation], f->operations[operation].latency_range_ns, d);
        return true;
    }
    return false;
}

static bool change_order(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; f->any_order && i < TRIES; i++) {
        size_t a = f->operations[pick_operation(f, t, d)].unit, b = pick_near(a, f->unit_count, d);
        int64_t moved = e->order[a];
        if (a < f->first_open || b < f->first_open || (a < f->once_count) != (b < f->once_count) ||
            moved == e->order[b] || !frame_may_move(f, a) || !frame_may_move(f, b))
            continue;
        e->order[a] = e->order[b];
        e->order[b] = moved;
        return true;
    }
    return false;
}

static bool change_phase(const frame *f, execution *e, draw *d)
{
    if (!f->any_phase || !f->w->task_count)
        return false;
    size_t task = draw_index(d, f->w->task_count);
    const gcast_task *t = &f->w->tasks[task];
    e->phase_ns[task] = t->offset_ns + change_value(e->phase_ns[task] - t->offset_ns, t->period_ns - 1, d);
    return true;
}

/* Adds to a value from 0 to max; false if it would leave this range. */
static bool shift_value(int64_t *value, int64_t max, int64_t by)
{
    if (!by || *value + by < 0 || *value + by > max)
        return false;
    *value += by;
    return true;
}

static void shift_blocks(const frame *f, execution *e, size_t operation, int64_t by)
{
    const frame_operation *x = &f->operations[operation];
    for (uint64_t b = 0; e->is_listed[operation] && b < f->w->ops[x->op].blocks; b++) {
        int64_t *extra_ns = &e->block_extra_ns[x->first_block + b];
        *extra_ns = min_i64(max_i64(*extra_ns + by, 0), x->range_ns);
    }
}

/* One of the times of an operation, at which something may change for others. */
static int64_t pick_time(const focus_operation *x, draw *d)
{
    int64_t times[] = {x->arrive_ns, x->enter_ns, x->start_ns, x->end_ns};
    return times[draw_to(d, 3)];
}

/* Lets an operation end, or arrive, just before, at or just after a time of another one, where races tip. */
static bool change_meeting(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; t->focus_count > 1 && i < TRIES; i++) {
        const focus_operation *a = &t->focus[draw_index(d, t->focus_count)];
        const focus_operation *b = &t->focus[draw_index(d, t->focus_count)];
        const frame_operation *x = &f->operations[a->operation];
        const frame_unit *u = &f->units[x->unit];
        int64_t jitter_ns = u->task == GCAST_ONCE || x->unit < f->first_open ? 0 : f->w->tasks[u->task].jitter_ns;
        int64_t at_ns = pick_time(b, d) + draw_to(d, 2) - 1, to_end_ns = at_ns - a->end_ns;
        if (a == b)
            continue;
        if (x->range_ns && shift_value(&e->extra_ns[a->operation], x->range_ns, to_end_ns)) {
            shift_blocks(f, e, a->operation, to_end_ns);
            return true;
        }
        int64_t by = draw_percent(d, 50) ? to_end_ns : at_ns - a->arrive_ns;
        if (shift_value(&e->late_ns[x->unit], jitter_ns, by) ||
            shift_value(&e->latency_ns[a->operation], x->latency_range_ns, by))
            return true;
    }
    return false;
}

static bool change_one(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    switch (draw_to(d, 11)) {
    case 0:
        return change_order(f, e, t, d);
    case 1:
    case 2:
        return change_release(f, e, t, d);
    case 3:
        return change_phase(f, e, d);
    case 4:
        return change_distance(f, e, t, d);
    case 5:
        return change_latency(f, e, t, d);
    case 6:
        return change_group(f, e, t, d);
    case 7:
    case 8:
        return change_meeting(f, e, t, d);
    default:
        return change_duration(f, e, t, d);
    }
}

/* Changes one to three open values, mostly of the focus. */
static void mutate(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int64_t n = 1 + draw_to(d, 2); n > 0; n--)
        for (int i = 0; i < TRIES && !change_one(f, e, t, d); i++)
            ;
}

/* Number of executions as it counts for the limit. */
static uint64_t counted_executions(const late_search *s)
{
    return s->executions - s->windows + s->windows / WINDOWS_OF_ONE;
}

static bool may_go_on(void *data, double fraction)
{
    late_search *s = data;
    const gcast_witness_options *o = s->options;
    (void)fraction;
    double by_time = o->max_ms > 0 ? 1 - (double)limit_left_ms(&s->limit) / (double)o->max_ms : 0;
    double by_count = o->max_executions ? (double)counted_executions(s) / (double)o->max_executions : 0;
    double by_work = o->max_operations ? (double)s->operations / (double)o->max_operations : 0;
    double part = by_time > by_count ? by_time : by_count;
    part = part > by_work ? part : by_work;
    s->stopped = s->stopped || limit_passed(&s->limit) ||
                 (o->progress && !o->progress(o->progress_data, part < 0   ? 0
                                                                : part > 1 ? 1
                                                                           : part));
    return !s->stopped;
}

/* Is there time for the reserved operations, at the pace so far? */
static bool has_time_left(const late_search *s)
{
    int64_t max_ms = s->options->max_ms > 0 ? s->options->max_ms : 60000, left_ms = limit_left_ms(&s->limit);
    double needed_ms = (double)(max_ms - left_ms) * (double)s->reserved / (double)max_u64(s->operations, 1);
    return (double)left_ms > 1.5 * needed_ms;
}

bool late_has_budget(late_search *s)
{
    const gcast_witness_options *o = s->options;
    return (!o->max_executions || counted_executions(s) + s->reserved_executions < o->max_executions) &&
           (!o->max_operations || s->operations + s->reserved < o->max_operations) &&
           (!s->reserved || has_time_left(s)) && may_go_on(s, 0);
}

int64_t late_enough_ns(const late_search *s, size_t op)
{
    return s->options->enough_ns ? s->options->enough_ns[op] : INT64_MAX;
}

bool late_is_searched(const late_search *s, size_t op)
{
    return s->is_wanted[op] && s->latest[op].response_ns < late_enough_ns(s, op);
}

bool late_reserve(late_search *s, size_t operations)
{
    if (operations <= s->capacity && s->places)
        return true;
    size_t *places = realloc(s->places, (operations + 1) * sizeof *places);
    s->places = places ? places : s->places;
    focus_operation *focus = realloc(s->focus, (operations + 1) * sizeof *focus);
    s->focus = focus ? focus : s->focus;
    focus_operation *next_focus = realloc(s->next_focus, (operations + 1) * sizeof *next_focus);
    s->next_focus = next_focus ? next_focus : s->next_focus;
    if (!places || !focus || !next_focus)
        return false;
    s->capacity = operations;
    return true;
}

void latest_set(latest *l, const latest *seen)
{
    latest before = *l;
    *l = *seen;
    if (l->execution)
        execution_hold(l->execution);
    frame_hold(l->window);
    latest_clear(&before);
}

void latest_clear(latest *l)
{
    execution_release(l->execution);
    frame_release(l->window);
    *l = (latest){0};
}

/* Lists the focus: operations that were called and not complete at some time between the late one's end and a response
 * before its release. */
static void find_focus(late_search *s, const late_stage *at, const gcast_run *run, const latest *late)
{
    int64_t start_ns = late->end_ns - 2 * late->response_ns;
    s->next_focus_count = 0;
    for (size_t i = 0; i < run->op_count && late->response_ns; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!r->skipped && s->places[i] >= at->first && r->call_ns < late->end_ns && r->end_ns > start_ns)
            s->next_focus[s->next_focus_count++] =
                (focus_operation){s->places[i], r->arrive_ns, r->enter_ns, r->start_ns, r->end_ns};
    }
}

/* Keeps a response that is longer than the op's longest so far. */
static void keep(late_search *s, const late_stage *at, execution *e, size_t op, const latest *seen)
{
    latest *l = at->is_claim ? &s->claims[op] : &s->latest[op];
    latest kept = *seen;
    if (seen->response_ns <= max_i64(l->response_ns, s->latest[op].response_ns))
        return;
    kept.operation = seen->operation - at->first + at->kept_first;
    kept.execution = at->kept ? at->kept : e;
    kept.window = at->window;
    latest_set(l, &kept);
}

/* Keeps the responses of a run that are longer than those before. *best: the longest of the target. */
static void observe(late_search *s, const late_stage *at, execution *e, const gcast_run *run, size_t target,
                    latest *best)
{
    int64_t cutoff_ns = execution_cutoff_ns(at->f, e);
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        size_t operation = s->places[i], op = at->f->operations[operation].op;
        if (r->skipped || r->end_ns > cutoff_ns || operation < at->first || !gcast_kind_on_gpu(at->f->w->ops[op].kind))
            continue;
        latest seen = {.response_ns = gcast_response_ns(r), .end_ns = r->end_ns, .operation = operation};
        if (op == target && seen.response_ns > best->response_ns)
            *best = seen;
        keep(s, at, e, op, &seen);
    }
    find_focus(s, at, run, best);
}

/* Makes next_focus the focus. */
static void take_focus(late_search *s)
{
    focus_operation *taken = s->next_focus;
    s->next_focus = s->focus;
    s->focus = taken;
    s->focus_count = s->next_focus_count;
}

gcast_status late_try(late_search *s, const late_stage *at, execution *e, size_t target, latest *best, gcast_error *err)
{
    gcast_workload *w;
    gcast_run *run;
    gcast_error own;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.progress = may_go_on;
    options.progress_data = s;
    *best = (latest){0};
    gcast_status status = unrolled_create(at->f, e, INT64_MAX, &w, s->places, err);
    if (status != GCAST_OK)
        return status;
    s->executions++;
    s->operations += at->f->weight;
    s->windows += at->is_window;
    s->next_focus_count = 0;
    status = gcast_workload_simulate(w, s->gpu, &options, &run, &own);
    if (status == GCAST_OK) {
        s->simulated++;
        observe(s, at, e, run, target, best);
        if (at->look)
            at->look(at->look_data, run, s->places);
        gcast_run_free(run);
    }
    gcast_workload_free(w);
    if (status == GCAST_OK || s->stopped)
        return GCAST_OK;
    if (status == GCAST_INPUT) { /* a host waits for ever, or times do not fit */
        if (s->refusal.code == GCAST_OK)
            s->refusal = own;
        return GCAST_OK;
    }
    *err = own;
    return status;
}

/* By how much less late the next execution of a climb may be: now and then more than 0, so that the climb leaves local
 * maxima. */
static int64_t tolerance_of(late_search *s, const late_stage *at, int64_t response_ns)
{
    return at->is_window && draw_percent(&s->random, TOLERANT_PERCENT) ? draw_to(&s->random, response_ns / TOLERANCE)
                                                                       : 0;
}

gcast_status late_climb(late_search *s, const late_stage *at, size_t op, int max_failures, execution **current,
                        gcast_error *err)
{
    latest reached, next;
    gcast_status status = late_try(s, at, *current, op, &reached, err);
    int64_t longest_ns = reached.response_ns, enough_ns = late_enough_ns(s, op);
    take_focus(s);
    for (int failures = 0;
         status == GCAST_OK && failures < max_failures && longest_ns < enough_ns && late_has_budget(s); failures++) {
        execution *changed = execution_copy(at->f, *current);
        if (!changed)
            return gcast_error_set_memory(err);
        mutation_target target = {s->focus, s->focus_count, reached.operation};
        mutate(at->f, changed, &target, &s->random);
        status = late_try(s, at, changed, op, &next, err);
        if (next.response_ns > longest_ns)
            failures = 0;
        longest_ns = max_i64(longest_ns, next.response_ns);
        if (next.response_ns && next.response_ns >= reached.response_ns - tolerance_of(s, at, reached.response_ns)) {
            execution *replaced = *current;
            *current = changed;
            changed = replaced;
            reached = next;
            take_focus(s);
        }
        execution_release(changed);
    }
    return status;
}
