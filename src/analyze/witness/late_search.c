/* The search for late executions: all longest and all shortest, drawn ones, then for each op, those first whose bound
 * is farthest from what was seen, changes of the execution in which it was latest, of which those are kept that are as
 * late or later. */
#include "analyze/witness/late_search.h"

#include <stdlib.h>

#include "analyze/witness/execution.h"
#include "analyze/witness/mutation.h"
#include "analyze/witness/unrolled.h"
#include "gridcast/simulate.h"

#define DRAWS 100       /* executions that are drawn first */
#define MAX_FAILURES 40 /* changes in a row that bring nothing, until another op is searched for */
#define MAX_RATIO 100   /* of bound over response that counts */
#define NO_TARGET SIZE_MAX

static bool may_go_on(void *data, double fraction)
{
    late_search *s = data;
    const gcast_witness_options *o = s->options;
    (void)fraction;
    double by_time = o->max_ms > 0 ? 1 - (double)limit_left_ms(&s->limit) / (double)o->max_ms : 0;
    double by_count = o->max_executions ? (double)s->executions / (double)o->max_executions : 0;
    double by_work = o->max_operations ? (double)s->operations / (double)o->max_operations : 0;
    double part = by_time > by_count ? by_time : by_count;
    part = part > by_work ? part : by_work;
    s->stopped = s->stopped || limit_passed(&s->limit) ||
                 (o->progress && !o->progress(o->progress_data, part < 0   ? 0
                                                                : part > 1 ? 1
                                                                           : part));
    return !s->stopped;
}

static bool has_budget(late_search *s)
{
    const gcast_witness_options *o = s->options;
    return (!o->max_executions || s->executions < o->max_executions) &&
           (!o->max_operations || s->operations < o->max_operations) && may_go_on(s, 0);
}

/* Lists the operations that were called and not complete for some time of as much as the late one took before its
 * release, up to its end. */
static void find_focus(late_search *s, const gcast_run *run, const latest *late)
{
    int64_t start_ns = late->end_ns - 2 * late->response_ns;
    s->next_focus_count = 0;
    for (size_t i = 0; i < run->op_count && late->response_ns; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!r->skipped && r->call_ns < late->end_ns && r->end_ns > start_ns)
            s->next_focus[s->next_focus_count++] = s->places[i];
    }
}

/* Keeps responses that are longer than those seen before. *best is the longest of the target. */
static void observe(late_search *s, execution *e, const gcast_run *run, size_t target, latest *best)
{
    int64_t cutoff_ns = execution_cutoff_ns(s->f, e);
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        size_t operation = s->places[i], op = s->f->operations[operation].op;
        int64_t response_ns = gcast_response_ns(r);
        if (r->skipped || r->end_ns > cutoff_ns || !gcast_kind_on_gpu(s->f->w->ops[op].kind))
            continue;
        if (op == target && response_ns > best->response_ns)
            *best = (latest){.response_ns = response_ns, .end_ns = r->end_ns, .operation = operation};
        latest *l = &s->latest[op];
        if (response_ns <= l->response_ns)
            continue;
        execution_release(l->execution);
        *l = (latest){response_ns, r->end_ns, operation, execution_hold(e)};
    }
    find_focus(s, run, best);
}

/* Those of *next become those of *focus. */
static void take_focus(late_search *s)
{
    size_t *taken = s->next_focus;
    s->next_focus = s->focus;
    s->focus = taken;
    s->focus_count = s->next_focus_count;
}

/* Simulates an execution. *best, where there is a target, is the longest response of that op. */
static gcast_status try_execution(late_search *s, execution *e, size_t target, latest *best, gcast_error *err)
{
    gcast_workload *w;
    gcast_run *run;
    gcast_error own;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.progress = may_go_on;
    options.progress_data = s;
    *best = (latest){0};
    gcast_status status = unrolled_create(s->f, e, INT64_MAX, &w, s->places, err);
    if (status != GCAST_OK)
        return status;
    s->executions++;
    s->operations += s->f->weight;
    s->next_focus_count = 0;
    status = gcast_workload_simulate(w, s->gpu, &options, &run, &own);
    if (status == GCAST_OK) {
        s->simulated++;
        observe(s, e, run, target, best);
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

/* Tries an execution that is not needed afterwards; NULL: there was no memory for it. */
static gcast_status try_once(late_search *s, execution *e, gcast_error *err)
{
    latest unused;
    if (!e)
        return gcast_error_set_memory(err);
    gcast_status status = has_budget(s) ? try_execution(s, e, NO_TARGET, &unused, err) : GCAST_OK;
    execution_release(e);
    return status;
}

/* The op is wanted, and is not seen as late as is enough. */
static bool is_searched(const late_search *s, size_t op)
{
    int64_t enough_ns = s->options->enough_ns ? s->options->enough_ns[op] : INT64_MAX;
    return s->is_wanted[op] && s->latest[op].response_ns < enough_ns;
}

static bool any_searched(const late_search *s)
{
    for (size_t i = 0; i < s->f->w->op_count; i++)
        if (is_searched(s, i))
            return true;
    return false;
}

static execution *drawn(late_search *s)
{
    execution *e = execution_plain(s->f, true);
    if (e)
        execution_draw(s->f, e, &s->random);
    return e;
}

static gcast_status try_plain(late_search *s, gcast_error *err)
{
    gcast_status status = try_once(s, execution_plain(s->f, true), err);
    if (status == GCAST_OK && !s->f->is_fixed)
        status = try_once(s, execution_plain(s->f, false), err);
    for (int i = 0; status == GCAST_OK && !s->f->is_fixed && i < DRAWS && any_searched(s) && has_budget(s); i++)
        status = try_once(s, drawn(s), err);
    return status;
}

/* Changes an execution, *current, as long as that makes the op later. */
static gcast_status climb(late_search *s, size_t op, execution **current, gcast_error *err)
{
    latest reached, next;
    gcast_status status = try_execution(s, *current, op, &reached, err);
    take_focus(s);
    for (int failures = 0; status == GCAST_OK && failures < MAX_FAILURES && is_searched(s, op) && has_budget(s);
         failures++) {
        execution *changed = execution_copy(s->f, *current);
        if (!changed)
            return gcast_error_set_memory(err);
        mutation_target target = {s->focus, s->focus_count, reached.operation};
        mutation_apply(s->f, changed, &target, &s->random);
        status = try_execution(s, changed, op, &next, err);
        if (next.response_ns > reached.response_ns)
            failures = 0;
        if (next.response_ns >= reached.response_ns && next.response_ns) {
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

/* How much there may be to find: of a deadline that is open twice as much. */
static double promise_of(const late_search *s, size_t op)
{
    const gcast_workload *w = s->f->w;
    int64_t seen_ns = s->latest[op].response_ns, bound_ns = s->options->enough_ns ? s->options->enough_ns[op] : 0;
    if (!seen_ns)
        return 1e30;
    int64_t deadline_ns = w->ops[op].task == GCAST_ONCE ? 0 : w->tasks[w->ops[op].task].deadline_ns;
    bool is_open = deadline_ns && w->ops[op].release_ns + seen_ns <= deadline_ns;
    double ratio = bound_ns == INT64_MAX ? MAX_RATIO : (double)bound_ns / (double)seen_ns;
    return (ratio < MAX_RATIO ? ratio : MAX_RATIO) * (is_open ? 2 : 1);
}

/* Puts the ops that are searched for into s->sequence, those that promise most first; the number of them. */
static size_t find_sequence(late_search *s)
{
    size_t count = 0;
    for (size_t op = 0; op < s->f->w->op_count; op++) {
        if (!is_searched(s, op))
            continue;
        size_t place = count++;
        for (double promise = promise_of(s, op); place && promise_of(s, s->sequence[place - 1]) < promise; place--)
            s->sequence[place] = s->sequence[place - 1];
        s->sequence[place] = op;
    }
    return count;
}

gcast_status late_search_run(late_search *s, gcast_error *err)
{
    gcast_status status = try_plain(s, err);
    if (s->f->is_fixed || !s->simulated)
        return status;
    for (uint64_t round = 0; status == GCAST_OK && any_searched(s) && has_budget(s); round++) {
        size_t count = find_sequence(s);
        for (size_t i = 0; i < count && status == GCAST_OK; i++) {
            size_t op = s->sequence[i];
            if (!is_searched(s, op) || !has_budget(s))
                continue;
            execution *seen = s->latest[op].execution;
            execution *current = seen && round % 3 < 2 ? execution_copy(s->f, seen) : drawn(s);
            if (!current)
                return gcast_error_set_memory(err);
            status = climb(s, op, &current, err);
            execution_release(current);
        }
    }
    return status;
}
