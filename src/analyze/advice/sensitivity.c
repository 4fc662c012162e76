/* How far durations and periods may go with all deadlines met, and which op each deadline
 * waits for.
 *
 * Where the judge is monotonic the limit is found to the nanosecond by halving. Where it only
 * covers shorter durations, halving finds one that is safe. Otherwise (a simulation of one
 * schedule: with less work it may end later, Graham 1969) no answer says anything about
 * another duration, so it is tried in steps, and periods are left alone. */
#include <stdlib.h>

#include "analyze/advice/judge.h"
#include "analyze/time_limit.h"
#include "base/arena.h"
#include "model/workload/edit.h"

#define STEPS 1000 /* of a hundredth each: up to eleven times the duration */

typedef struct owned_sensitivity {
    gcast_sensitivity s; /* first, so that a gcast_sensitivity is its handle */
    arena memory;
    gcast_growth *growths;
    gcast_least_period *periods;
    gcast_slack *slacks;
} owned_sensitivity;

typedef struct inquiry {
    owned_sensitivity *o;
    gcast_judge judge;
    gcast_analyze_options options; /* the judge's */
    int64_t max_ms;                /* for one analysis, as it was asked for */
    const gcast_workload *w;
    const gcast_gpu *gpu;
    gcast_workload *copy; /* that is changed, one thing at a time */
    gcast_judgement verdict;
    int64_t *ends; /* by task */
    time_limit limit;
    gcast_status status;
    gcast_error *err;
} inquiry;

static bool over(const inquiry *q)
{
    return q->status != GCAST_OK || limit_passed(&q->limit);
}

static bool meets(inquiry *q)
{
    int64_t left = limit_left_ms(&q->limit);
    q->options.max_ms = left < q->max_ms ? left : q->max_ms;
    if (q->status == GCAST_OK)
        q->status = judge_ends(&q->judge, q->copy, q->gpu, &q->verdict, q->ends, q->err);
    q->o->s.analyses++;
    return q->status == GCAST_OK && q->verdict.known && q->verdict.meets;
}

typedef bool try_fn(inquiry *q, size_t which, int64_t ns);

static bool try_duration(inquiry *q, size_t op, int64_t ns)
{
    workload_stretch_op(q->copy, op, &q->w->ops[op], ns);
    return meets(q);
}

static bool try_period(inquiry *q, size_t task, int64_t ns)
{
    workload_set_period(q->copy, task, ns);
    return meets(q);
}

/* The last value that does between one that does and one that does not. False: out of time. */
static bool halve(inquiry *q, try_fn *try, size_t which, int64_t yes, int64_t no, int64_t *last)
{
    while (yes - no > 1 || no - yes > 1) {
        int64_t middle = yes + (no - yes) / 2;
        if (over(q))
            return false;
        if (try(q, which, middle))
            yes = middle;
        else
            no = middle;
    }
    *last = yes;
    return true;
}

/* From `from` on, double until try answers `wanted`; *before is the last that did not. */
static bool twice(inquiry *q, try_fn *try, size_t which, bool wanted, int64_t from, int64_t *before, int64_t *at)
{
    for (*before = from; *before <= WORKLOAD_MAX_NS / 2 && !over(q); *before = *at) {
        *at = 2 * *before;
        if (try(q, which, *at) == wanted)
            return true;
    }
    return false;
}

static gcast_limit longest_duration(inquiry *q, size_t op, int64_t longest, bool now, int64_t *most)
{
    int64_t yes = 1, no = longest;
    gcast_limit found = q->judge.monotonic ? GCAST_LIMIT_EXACT : GCAST_LIMIT_SAFE;
    if (now && !twice(q, try_duration, op, false, longest, &yes, &no))
        return over(q) ? GCAST_LIMIT_UNKNOWN : GCAST_LIMIT_NONE;
    if (!now && (longest == 1 || !try_duration(q, op, 1)))
        return GCAST_LIMIT_NEVER;
    return halve(q, try_duration, op, yes, no, most) ? found : GCAST_LIMIT_UNKNOWN;
}

/* Up in hundredths, until the first that does not do. */
static gcast_limit tried_duration(inquiry *q, size_t op, int64_t longest, bool now, int64_t *most)
{
    if (!now)
        return GCAST_LIMIT_UNKNOWN;
    *most = longest;
    for (int step = 1; step <= STEPS && longest <= WORKLOAD_MAX_NS / (100 + STEPS); step++) {
        int64_t ns = longest * (100 + step) / 100;
        if (over(q))
            return GCAST_LIMIT_UNKNOWN;
        if (!try_duration(q, op, ns))
            break;
        *most = ns;
    }
    return GCAST_LIMIT_TRIED;
}

static gcast_limit least_period(inquiry *q, size_t task, int64_t period, bool now, int64_t *least)
{
    int64_t yes = period, no = 0;
    if (!q->judge.monotonic)
        return GCAST_LIMIT_UNKNOWN;
    if (!now && !twice(q, try_period, task, true, period, &no, &yes))
        return over(q) ? GCAST_LIMIT_UNKNOWN : GCAST_LIMIT_NEVER;
    return halve(q, try_period, task, yes, no, least) ? GCAST_LIMIT_EXACT : GCAST_LIMIT_UNKNOWN;
}

static void find_growths(inquiry *q, bool now)
{
    for (size_t i = 0; i < q->w->op_count; i++) {
        const gcast_op *op = &q->w->ops[i];
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        gcast_growth g = {.op = i, .longest_ns = workload_longest_block(op), .limit = GCAST_LIMIT_UNKNOWN};
        if (!over(q))
            g.limit = q->judge.covers_shorter || q->judge.monotonic
                          ? longest_duration(q, i, g.longest_ns, now, &g.max_allowed_ns)
                          : tried_duration(q, i, g.longest_ns, now, &g.max_allowed_ns);
        workload_stretch_op(q->copy, i, op, g.longest_ns);
        g.permille = (int64_t)((__int128)g.max_allowed_ns * 1000 / g.longest_ns);
        q->o->growths[q->o->s.growth_count++] = g;
    }
}

static void find_periods(inquiry *q, bool now)
{
    for (size_t k = 0; k < q->w->task_count; k++) {
        gcast_least_period p = {.task = k, .period_ns = q->w->tasks[k].period_ns, .limit = GCAST_LIMIT_UNKNOWN};
        if (!over(q))
            p.limit = least_period(q, k, p.period_ns, now, &p.least_ns);
        workload_set_period(q->copy, k, p.period_ns);
        q->o->periods[q->o->s.period_count++] = p;
    }
}

/* For each op: with it gone, is any deadline better off than with any other op gone? */
static void find_slacks(inquiry *q)
{
    gcast_slack *slacks = q->o->slacks;
    for (size_t k = 0; k < q->w->task_count; k++)
        if (q->w->tasks[k].deadline_ns)
            slacks[q->o->s.slack_count++] =
                (gcast_slack){.task = k, .end_ns = q->ends[k], .op = SIZE_MAX, .without_ns = q->ends[k]};
    for (size_t i = 0; i < q->w->op_count && !over(q); i++) {
        const gcast_op *op = &q->w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        try_duration(q, i, 1);
        workload_stretch_op(q->copy, i, op, workload_longest_block(op));
        for (size_t n = 0; n < q->o->s.slack_count && q->status == GCAST_OK; n++)
            if (q->ends[slacks[n].task] < slacks[n].without_ns) {
                slacks[n].without_ns = q->ends[slacks[n].task];
                slacks[n].op = i;
            }
    }
}

/* A judge who does not look at phases is monotonic, but sees less: not where that hides that deadlines are met. */
static void be_monotonic(inquiry *q, bool now)
{
    if (!q->judge.monotonic || over(q))
        return;
    q->options.any_phase = true;
    q->options.any_phase = q->judge.monotonic = meets(q) == now;
}

static void find_all(inquiry *q)
{
    gcast_sensitivity *s = &q->o->s;
    bool now = meets(q);
    if (q->status != GCAST_OK)
        return;
    if (!q->verdict.known || !q->verdict.deadlines) {
        const char *why = q->verdict.known ? "no task has a deadline" : q->verdict.why;
        s->why_not = arena_strdup(&q->o->memory, why);
        q->status = s->why_not ? GCAST_OK : gcast_error_set_memory(q->err);
        return;
    }
    find_slacks(q);
    be_monotonic(q, now);
    find_growths(q, now);
    find_periods(q, now);
}

gcast_status gcast_judge_find_sensitivity(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                                          int64_t max_ms, gcast_sensitivity **out, gcast_error *err)
{
    inquiry q = {.judge = *judge,
                 .options = judge->options ? *judge->options : gcast_analyze_options_default(),
                 .w = w,
                 .gpu = gpu,
                 .limit = limit_from_now(max_ms),
                 .err = err,
                 .status = gcast_workload_check(w, err)};
    owned_sensitivity *o = q.status == GCAST_OK ? calloc(1, sizeof *o) : NULL;
    if (!o)
        return q.status == GCAST_OK ? gcast_error_set_memory(err) : q.status;
    q.o = o;
    q.judge.options = &q.options;
    q.max_ms = q.options.max_ms > 0 ? q.options.max_ms : INT64_MAX;
    o->s.memory = o;
    o->s.growths = o->growths = arena_alloc_array(&o->memory, w->op_count + 1, sizeof *o->growths);
    o->s.periods = o->periods = arena_alloc_array(&o->memory, w->task_count + 1, sizeof *o->periods);
    o->s.slacks = o->slacks = arena_alloc_array(&o->memory, w->task_count + 1, sizeof *o->slacks);
    q.ends = arena_alloc_array(&o->memory, w->task_count + 1, sizeof *q.ends);
    q.copy = gcast_workload_copy(w, err);
    if (!o->growths || !o->periods || !o->slacks || !q.ends || !q.copy)
        q.status = gcast_error_set_memory(err);
    else
        find_all(&q);
    gcast_workload_free(q.copy);
    if (q.status == GCAST_OK)
        *out = &o->s;
    else
        gcast_sensitivity_free(&o->s);
    return q.status;
}

void gcast_sensitivity_free(gcast_sensitivity *s)
{
    if (!s)
        return;
    owned_sensitivity *o = s->memory;
    arena_free(&o->memory);
    free(o);
}
