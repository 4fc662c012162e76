/* The search for late executions: all longest and all shortest, drawn ones, a scan of a hyperperiod; then for each op,
 * those first whose bound is farthest from what was seen, changes of the execution in which it was latest, of which
 * those are kept that are as late or later: in windows around late jobs, and of all operations. */
#include "analyze/witness/late_search.h"

#include "analyze/witness/execution.h"
#include "analyze/witness/window/window_search.h"
#include "base/minmax.h"

#define DRAWS 100       /* executions that are drawn first, */
#define MIN_DRAWS 30    /* or as many as this at least, */
#define COUNT_PART 2    /* and this part of all executions, */
#define WORK_PART 6     /* or this part of all operations */
#define MAX_FAILURES 40 /* changes in a row that bring nothing, until another op is searched for */
#define MAX_RATIO 100   /* of bound over response that counts */
#define WINDOW_PART 3   /* times as many operations are spent on climbs in windows as on others */

/* Tries an execution that is not needed afterwards; NULL: there was no memory for it. */
static gcast_status try_once(late_search *s, execution *e, gcast_error *err)
{
    latest unused;
    late_stage at = stage_of_frame(s);
    if (!e)
        return gcast_error_set_memory(err);
    gcast_status status = late_has_budget(s) ? late_try(s, &at, e, NO_TARGET, &unused, err) : GCAST_OK;
    execution_release(e);
    return status;
}

static bool any_searched(const late_search *s)
{
    for (size_t i = 0; i < s->f->w->op_count; i++)
        if (late_is_searched(s, i))
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

/* How many executions are drawn: a part of what may be tried. */
static uint64_t draws_of(const late_search *s)
{
    const gcast_witness_options *o = s->options;
    uint64_t by_count = o->max_executions ? o->max_executions / COUNT_PART : DRAWS;
    uint64_t by_work = o->max_operations ? o->max_operations / WORK_PART / max_u64(s->f->weight, 1) : DRAWS;
    return min_u64(DRAWS, max_u64(MIN_DRAWS, min_u64(by_count, by_work)));
}

static gcast_status try_plain(late_search *s, gcast_error *err)
{
    gcast_status status = try_once(s, execution_plain(s->f, true), err);
    if (status == GCAST_OK && !s->f->is_fixed)
        status = try_once(s, execution_plain(s->f, false), err);
    uint64_t draws = draws_of(s);
    for (uint64_t i = 0; status == GCAST_OK && !s->f->is_fixed && i < draws && any_searched(s) && late_has_budget(s);
         i++)
        status = try_once(s, drawn(s), err);
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
        if (!late_is_searched(s, op))
            continue;
        size_t place = count++;
        for (double promise = promise_of(s, op); place && promise_of(s, s->sequence[place - 1]) < promise; place--)
            s->sequence[place] = s->sequence[place - 1];
        s->sequence[place] = op;
    }
    return count;
}

/* Changes an execution of the frame: the latest of the op, or a drawn one. */
static gcast_status climb_in_frame(late_search *s, size_t op, uint64_t round, gcast_error *err)
{
    const latest *seen = &s->latest[op];
    late_stage at = stage_of_frame(s);
    execution *current = drawn(s);
    if (!current)
        return gcast_error_set_memory(err);
    if (seen->execution && round % 3 < 2) {
        if (seen->window) {
            execution_take(seen->window, seen->execution, s->f, current);
        } else {
            execution_release(current);
            current = execution_copy(s->f, seen->execution);
        }
    }
    gcast_status status = current ? late_climb(s, &at, op, MAX_FAILURES, &current, err) : gcast_error_set_memory(err);
    execution_release(current);
    return status;
}

/* What climbs of either kind have cost. */
typedef struct climb_costs {
    uint64_t in_windows; /* operations of climbs in windows */
    uint64_t in_frame;   /* and of others */
} climb_costs;

/* Climbs for an op, in a window where there are some and these have not yet had their part. */
static gcast_status climb(late_search *s, window_search *windows, size_t op, uint64_t round, climb_costs *costs,
                          gcast_error *err)
{
    uint64_t before = s->operations;
    gcast_status status = GCAST_OK;
    if (window_search_applies(windows, op) &&
        costs->in_windows < WINDOW_PART * (costs->in_frame + MAX_FAILURES * s->f->weight))
        status = window_search_climb(windows, op, err);
    costs->in_windows += s->operations - before;
    if (status != GCAST_OK || s->operations > before)
        return status;
    status = climb_in_frame(s, op, round, err);
    costs->in_frame += s->operations - before;
    return status;
}

static gcast_status search_by_op(late_search *s, window_search *windows, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    climb_costs costs = {0};
    for (uint64_t round = 0; status == GCAST_OK && any_searched(s) && late_has_budget(s); round++) {
        size_t count = find_sequence(s);
        for (size_t i = 0; i < count && status == GCAST_OK; i++)
            if (late_is_searched(s, s->sequence[i]) && late_has_budget(s))
                status = climb(s, windows, s->sequence[i], round, &costs, err);
    }
    s->reserved = s->reserved_executions = 0;
    size_t count = find_sequence(s);
    for (size_t i = 0; i < count && status == GCAST_OK && late_has_budget(s); i++)
        status = window_search_confirm(windows, s->sequence[i], err);
    return status;
}

gcast_status late_search_run(late_search *s, gcast_error *err)
{
    window_search windows;
    gcast_status status = late_reserve(s, s->f->operation_count) ? try_plain(s, err) : gcast_error_set_memory(err);
    if (status != GCAST_OK || s->f->is_fixed || !s->simulated)
        return status;
    status = window_search_begin(&windows, s, err);
    if (status == GCAST_OK)
        status = search_by_op(s, &windows, err);
    window_search_free(&windows);
    return status;
}
