#include "analyze/witness/late_try.h"

#include <stdlib.h>

#include "analyze/witness/execution.h"
#include "analyze/witness/frame.h"
#include "analyze/witness/unrolled.h"
#include "base/minmax.h"
#include "gridcast/simulate.h"

#define WINDOWS_OF_ONE 4    /* executions of windows that count as one */
#define TOLERANT_PERCENT 10 /* changes in a window that may make it less late, */
#define TOLERANCE 64        /* by this part of the response */

/* Executions as they count for the limit. */
static uint64_t counted(const late_search *s)
{
    return s->executions - s->windows + s->windows / WINDOWS_OF_ONE;
}

static bool may_go_on(void *data, double fraction)
{
    late_search *s = data;
    const gcast_witness_options *o = s->options;
    (void)fraction;
    double by_time = o->max_ms > 0 ? 1 - (double)limit_left_ms(&s->limit) / (double)o->max_ms : 0;
    double by_count = o->max_executions ? (double)counted(s) / (double)o->max_executions : 0;
    double by_work = o->max_operations ? (double)s->operations / (double)o->max_operations : 0;
    double part = by_time > by_count ? by_time : by_count;
    part = part > by_work ? part : by_work;
    s->stopped = s->stopped || limit_passed(&s->limit) ||
                 (o->progress && !o->progress(o->progress_data, part < 0   ? 0
                                                                : part > 1 ? 1
                                                                           : part));
    return !s->stopped;
}

/* Is there time for what is kept for the end, at the pace so far? */
static bool has_time_left(const late_search *s)
{
    int64_t max_ms = s->options->max_ms > 0 ? s->options->max_ms : 60000, left_ms = limit_left_ms(&s->limit);
    double needed_ms = (double)(max_ms - left_ms) * (double)s->reserved / (double)max_u64(s->operations, 1);
    return (double)left_ms > 1.5 * needed_ms;
}

bool late_has_budget(late_search *s)
{
    const gcast_witness_options *o = s->options;
    return (!o->max_executions || counted(s) + s->reserved_executions < o->max_executions) &&
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

/* Lists the operations that were called and not complete for some time of as much as the late one took before its
 * release, up to its end. */
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

/* Keeps a response of an op that is longer than those before. */
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

/* Keeps responses that are longer than those seen before. *best is the longest of the target. */
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

/* Those of *next become those of *focus. */
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

/* By how much an execution that takes the place of another may be less late: now and then somewhat, so that a climb
 * leaves places from which no small change leads upwards. */
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
        mutation_apply(at->f, changed, &target, &s->random);
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
