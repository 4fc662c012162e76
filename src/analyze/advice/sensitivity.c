/* How long durations and how short periods may be with all deadlines met, and on which op
 * each deadline depends most. If the judge is monotonic, bisection finds the exact limit. If it only covers shorter
 * durations, bisection finds a safe limit. Otherwise (a simulation of one schedule may end later with less work: Graham
 * 1969) a result says nothing about other durations: these are tried in steps, and periods are not changed. */
#include <stdlib.h>

#include "analyze/advice/advise.h"
#include "analyze/time_limit.h"
#include "base/api.h"
#include "base/integers.h"
#include "change/variant.h"
#include "model/workload/workload.h"

#define MAX_STEPS 1000 /* of one hundredth each: up to eleven times the duration */

typedef struct inquiry {
    gcast_sensitivity *s;
    gcast_growth *growths;     /* s->growths */
    gcast_min_period *periods; /* s->periods */
    gcast_slack *slacks;       /* s->slacks */
    arena *memory;             /* of all that `s` points to */
    judge judge;               /* uses `options` */
    gcast_analyze_options options;
    bool widened;   /* to any phase, which the caller did not ask for: at the given offsets more may be met */
    int64_t max_ms; /* of one analysis, as the caller asked for */
    const gcast_workload *w;
    const gcast_gpu *gpu; /* NULL: the GPU of the workload */
    variant_base base;    /* the workload */
    variant copy;         /* one duration or period at a time is changed */
    judgement verdict;    /* of the last analysis */
    int64_t *ends;        /* by task: the latest end in the last analysis */
    time_limit limit;     /* of all analyses together */
    gcast_status status;
    gcast_error *err;
} inquiry;

static bool must_stop(const inquiry *q)
{
    return q->status != GCAST_OK || limit_passed(&q->limit);
}

/* Does the changed workload meet all deadlines? */
static bool meets(inquiry *q)
{
    q->options.max_ms = min_i64(limit_left_ms(&q->limit), q->max_ms);
    if (q->status == GCAST_OK)
        q->status = judge_ends(&q->judge, q->copy.w, q->gpu, &q->verdict, q->ends, q->err);
    q->s->analyses++;
    return q->status == GCAST_OK && q->verdict.known && q->verdict.meets;
}

/* Changes the op or task `index`; does the workload meet all deadlines then? */
typedef bool try_fn(inquiry *q, size_t index, int64_t ns);

static void set(inquiry *q, change_kind kind, size_t at, int64_t ns)
{
    if (q->status == GCAST_OK)
        q->status = variant_change(&q->copy, &(change){.kind = kind, .at = at, .value = ns}, q->err);
}

static bool try_duration(inquiry *q, size_t op, int64_t ns)
{
    set(q, CHANGE_DURATION, op, ns);
    return meets(q);
}

static bool try_period(inquiry *q, size_t task, int64_t ns)
{
    set(q, CHANGE_PERIOD, task, ns);
    return meets(q);
}

/* *last: the last value that meets all deadlines, from `yes`, which does, to `no`, which does not. False: no time. */
static bool bisect(inquiry *q, try_fn *try, size_t index, int64_t yes, int64_t no, int64_t *last)
{
    while (yes - no > 1 || no - yes > 1) {
        int64_t middle = yes + (no - yes) / 2;
        if (must_stop(q))
            return false;
        if (try(q, index, middle))
            yes = middle;
        else
            no = middle;
    }
    *last = yes;
    return true;
}

/* Doubles the value from `first` on until `try` returns `wanted`; *previous is the last value for which it did not. */
static bool double_until(inquiry *q, try_fn *try, size_t index, bool wanted, int64_t first, int64_t *previous,
                         int64_t *value)
{
    for (*previous = first; *previous <= WORKLOAD_MAX_NS / 2 && !must_stop(q); *previous = *value) {
        *value = 2 * *previous;
        if (try(q, index, *value) == wanted)
            return true;
    }
    return false;
}

static gcast_limit longest_duration(inquiry *q, size_t op, int64_t longest, bool met, int64_t *max_ns)
{
    int64_t yes = 1, no = longest;
    gcast_limit found = q->judge.monotonic && !q->widened ? GCAST_LIMIT_EXACT : GCAST_LIMIT_SAFE;
    if (met && !double_until(q, try_duration, op, false, longest, &yes, &no))
        return must_stop(q) ? GCAST_LIMIT_UNKNOWN : GCAST_LIMIT_NONE;
    if (!met && (longest == 1 || !try_duration(q, op, 1)))
        return q->widened ? GCAST_LIMIT_UNKNOWN : GCAST_LIMIT_NEVER;
    return bisect(q, try_duration, op, yes, no, max_ns) ? found : GCAST_LIMIT_UNKNOWN;
}

/* Tries longer durations in steps of a hundredth until a deadline is missed. */
static gcast_limit tried_duration(inquiry *q, size_t op, int64_t longest, bool met, int64_t *max_ns)
{
    if (!met)
        return GCAST_LIMIT_UNKNOWN;
    *max_ns = longest;
    for (int step = 1; step <= MAX_STEPS && longest <= WORKLOAD_MAX_NS / (100 + MAX_STEPS); step++) {
        int64_t ns = longest * (100 + step) / 100;
        if (must_stop(q))
            return GCAST_LIMIT_UNKNOWN;
        if (!try_duration(q, op, ns))
            break;
        *max_ns = ns;
    }
    return GCAST_LIMIT_TRIED;
}

static gcast_limit shortest_period(inquiry *q, size_t task, int64_t period, bool met, int64_t *min_ns)
{
    int64_t yes = period, no = 0;
    if (!q->judge.monotonic)
        return GCAST_LIMIT_UNKNOWN;
    if (!met && !double_until(q, try_period, task, true, period, &no, &yes))
        return must_stop(q) || q->widened ? GCAST_LIMIT_UNKNOWN : GCAST_LIMIT_NEVER;
    gcast_limit found = q->widened ? GCAST_LIMIT_SAFE : GCAST_LIMIT_EXACT;
    return bisect(q, try_period, task, yes, no, min_ns) ? found : GCAST_LIMIT_UNKNOWN;
}

static void find_growths(inquiry *q, bool met)
{
    for (size_t i = 0; i < q->w->op_count; i++) {
        const gcast_op *op = &q->w->ops[i];
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        gcast_growth g = {.op = i, .longest_ns = workload_longest_block(op), .limit = GCAST_LIMIT_UNKNOWN};
        if (!must_stop(q))
            g.limit = q->judge.covers_shorter || q->judge.monotonic
                          ? longest_duration(q, i, g.longest_ns, met, &g.max_allowed_ns)
                          : tried_duration(q, i, g.longest_ns, met, &g.max_allowed_ns);
        set(q, CHANGE_DURATION, i, g.longest_ns);
        g.permille = (int64_t)((__int128)g.max_allowed_ns * 1000 / g.longest_ns);
        q->growths[q->s->growth_count++] = g;
    }
}

static void find_periods(inquiry *q, bool met)
{
    for (size_t k = 0; k < q->w->task_count; k++) {
        gcast_min_period p = {.task = k, .period_ns = q->w->tasks[k].period_ns, .limit = GCAST_LIMIT_UNKNOWN};
        if (!must_stop(q))
            p.limit = shortest_period(q, k, p.period_ns, met, &p.min_ns);
        set(q, CHANGE_PERIOD, k, p.period_ns);
        q->periods[q->s->period_count++] = p;
    }
}

/* Finds for each deadline the op without which its task ends earliest. */
static void find_slacks(inquiry *q)
{
    gcast_slack *slacks = q->slacks;
    for (size_t k = 0; k < q->w->task_count; k++)
        if (q->w->tasks[k].deadline_ns)
            slacks[q->s->slack_count++] =
                (gcast_slack){.task = k, .end_ns = q->ends[k], .op = SIZE_MAX, .without_ns = q->ends[k]};
    for (size_t i = 0; i < q->w->op_count && !must_stop(q); i++) {
        const gcast_op *op = &q->w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        try_duration(q, i, 1);
        set(q, CHANGE_DURATION, i, workload_longest_block(op));
        for (size_t n = 0; n < q->s->slack_count && q->status == GCAST_OK; n++)
            if (q->ends[slacks[n].task] < slacks[n].without_ns) {
                slacks[n].without_ns = q->ends[slacks[n].task];
                slacks[n].op = i;
            }
    }
}

/* A judge is monotonic only for any phase, where bounds are longer: uses any phase if the verdict stays the same. What
 * is shown so holds at the given offsets, where more may be. */
static void use_any_phase(inquiry *q, bool met)
{
    if (!q->judge.monotonic || must_stop(q))
        return;
    bool given = q->options.any_phase;
    q->options.any_phase = true;
    bool same = meets(q) == met;
    q->options.any_phase = q->judge.monotonic = same;
    q->widened = same && !given && !q->judge.analyze; /* that has no phases */
}

static void find_all(inquiry *q)
{
    bool met = meets(q);
    if (q->status != GCAST_OK)
        return;
    if (!q->verdict.known || !q->verdict.deadlines) {
        const char *why = q->verdict.known ? "no task has a deadline" : q->verdict.why;
        q->s->why_not = arena_strdup(q->memory, why);
        q->status = q->s->why_not ? GCAST_OK : gcast_error_set_memory(q->err);
        return;
    }
    find_slacks(q);
    use_any_phase(q, met);
    find_growths(q, met);
    find_periods(q, met);
}

gcast_status sensitivity_find(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, int64_t max_ms,
                              arena *memory, gcast_sensitivity *s, gcast_error *err)
{
    *s = (gcast_sensitivity){0};
    inquiry q = {.s = s,
                 .growths = arena_alloc_array(memory, w->op_count + 1, sizeof *q.growths),
                 .periods = arena_alloc_array(memory, w->task_count + 1, sizeof *q.periods),
                 .slacks = arena_alloc_array(memory, w->task_count + 1, sizeof *q.slacks),
                 .memory = memory,
                 .judge = *j,
                 .options = gcast_analyze_options_default(),
                 .w = w,
                 .base = {.w = w},
                 .gpu = gpu,
                 .ends = arena_alloc_array(memory, w->task_count + 1, sizeof *q.ends),
                 .limit = limit_from_now(max_ms),
                 .err = err};
    q.status = options_copy(&q.options, sizeof q.options, j->options, "gcast_analyze_options", err);
    q.judge.options = &q.options;
    q.max_ms = q.options.max_ms > 0 ? q.options.max_ms : INT64_MAX;
    s->growths = q.growths;
    s->periods = q.periods;
    s->slacks = q.slacks;
    if (q.status == GCAST_OK && (!q.growths || !q.periods || !q.slacks || !q.ends))
        q.status = gcast_error_set_memory(err);
    if (q.status == GCAST_OK)
        q.status = variant_open(&q.base, &q.copy, err);
    if (q.status == GCAST_OK)
        find_all(&q);
    variant_free(&q.copy);
    return q.status;
}
