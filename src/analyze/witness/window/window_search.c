#include "analyze/witness/window/window_search.h"

#include <stdlib.h>

#include "analyze/witness/execution.h"
#include "analyze/witness/frame.h"
#include "analyze/witness/window/job_window.h"
#include "base/minmax.h"

#define MAX_FAILURES 100  /* changes in a row that bring nothing, until a climb from the best ends */
#define DRAWS 20          /* of which the latest is where a climb begins that begins with a drawn one */
#define FEW_FAILURES 40   /* the same of other climbs */
#define MAX_UNCONFIRMED 6 /* claims in a row that do not hold, until an op is not searched for in windows */
#define CONFIRMING_PART 4 /* the part of all operations that confirmations may take while there are climbs */
#define RESERVED_PART 4   /* the part of all operations that is kept for those at the end */

gcast_status window_search_begin(window_search *x, late_search *s, gcast_error *err)
{
    *x = (window_search){.s = s};
    x->failures = calloc(s->f->w->op_count + 1, sizeof *x->failures);
    return x->failures ? scan_run(s, &x->scan, err) : gcast_error_set_memory(err);
}

void window_search_free(window_search *x)
{
    scan_free(&x->scan);
    free(x->failures);
    *x = (window_search){0};
}

bool window_search_applies(const window_search *x, size_t op)
{
    return x->scan.horizon_ns && x->s->f->w->ops[op].task != GCAST_ONCE && x->failures[op] < MAX_UNCONFIRMED &&
           x->s->latest[op].response_ns;
}

/* The latest of an op, claimed or seen. */
static const latest *best_of(const late_search *s, size_t op)
{
    return s->claims[op].response_ns > s->latest[op].response_ns ? &s->claims[op] : &s->latest[op];
}

static const frame *frame_of(const late_search *s, const latest *l)
{
    return l->window ? l->window : s->f;
}

/* Where a climb begins. */
typedef enum window_start { FROM_BEST, FROM_LONGEST, FROM_SHORTEST, FROM_DRAWN } window_start;

static int64_t jobs_of(const window_search *x, const gcast_task *t)
{
    int64_t end_ns = x->scan.hyperperiod_ns;
    return end_ns <= t->offset_ns ? 1 : div_up(end_ns - t->offset_ns, t->period_ns);
}

/* Any job. */
static uint32_t draw_job(window_search *x, const gcast_task *t)
{
    return (uint32_t)draw_to(&x->s->random, jobs_of(x, t) - 1);
}

/* The job that comes with or next after a job of any task, or the one before that; *back_ns is at least the time
 * between the two. So those of rare tasks are met as well. */
static uint32_t draw_meeting(window_search *x, const gcast_task *t, int64_t *back_ns)
{
    const gcast_workload *w = x->s->f->w;
    draw *d = &x->s->random;
    const gcast_task *other = &w->tasks[draw_index(d, w->task_count)];
    int64_t release_ns = other->offset_ns + draw_job(x, other) * other->period_ns;
    int64_t next = release_ns <= t->offset_ns ? 0 : div_up(release_ns - t->offset_ns, t->period_ns);
    int64_t job = min_i64(max_i64(next - draw_percent(d, 25), 0), jobs_of(x, t) - 1);
    *back_ns = max_i64(*back_ns, t->offset_ns + job * t->period_ns - release_ns);
    return (uint32_t)job;
}

/* How long before the release of the job its window begins: not, by some responses, as busy times that end late begin
 * before, or by up to two periods of any task. */
static int64_t draw_back_ns(late_search *s, int64_t response_ns)
{
    const gcast_workload *w = s->f->w;
    draw *d = &s->random;
    if (draw_percent(d, 20))
        return 0;
    int64_t period_ns = w->tasks[draw_index(d, w->task_count)].period_ns;
    return draw_to(d, draw_percent(d, 70) ? 2 * response_ns : 2 * period_ns);
}

/* Up to how long after its release an op may end in a window: somewhat later than it was seen, now and then much later.
 */
static int64_t draw_reach_ns(late_search *s, size_t op, int64_t seen_ns)
{
    int64_t far_ns = max_i64(3 * seen_ns, seen_ns + s->f->w->tasks[s->f->w->ops[op].task].period_ns);
    return min_i64(draw_percent(&s->random, 70) ? seen_ns + seen_ns / 2 : far_ns, late_enough_ns(s, op));
}

/* Chooses a window for an op: around the job of the best, one that is late in a scan, one that meets another, or any.
 */
static window_wish draw_wish(window_search *x, size_t op, window_start *start)
{
    late_search *s = x->s;
    draw *d = &s->random;
    const gcast_task *t = &s->f->w->tasks[s->f->w->ops[op].task];
    const latest *best = best_of(s, op);
    const scan_tops *tops = draw_percent(d, 70) ? &x->scan.longest[op] : &x->scan.shortest[op];
    size_t top = min_size(draw_index(d, SCAN_TOP), draw_index(d, SCAN_TOP));
    window_wish wish = {.op = op,
                        .job = frame_of(s, best)->operations[best->operation].job,
                        .back_ns = draw_back_ns(s, best->response_ns),
                        .response_ns = draw_reach_ns(s, op, best->response_ns)};
    *start = FROM_BEST;
    if (draw_percent(d, 70))
        return wish;
    *start = draw_percent(d, 35) ? FROM_LONGEST : draw_percent(d, 25) ? FROM_SHORTEST : FROM_DRAWN;
    if (draw_percent(d, 15))
        return wish;
    if (draw_percent(d, 60) && tops->at[top].response_ns)
        wish.job = tops->at[top].job;
    else
        wish.job = draw_percent(d, 70) ? draw_meeting(x, t, &wish.back_ns) : draw_job(x, t);
    return wish;
}

static execution *start_of(window_search *x, size_t op, const frame *f, window_start start)
{
    execution *e = execution_plain(f, start == FROM_LONGEST);
    const latest *best = best_of(x->s, op);
    if (e && start == FROM_DRAWN)
        execution_draw(f, e, &x->s->random);
    if (e && start == FROM_BEST)
        execution_take(frame_of(x->s, best), best->execution, f, e);
    return e;
}

/* Draws several executions of a window, and puts the latest of them into *current. */
static gcast_status draw_several(window_search *x, size_t op, const late_stage *at, execution **current,
                                 gcast_error *err)
{
    int64_t reached_ns = 0;
    gcast_status status = GCAST_OK;
    for (int i = 0; i < DRAWS && status == GCAST_OK && late_is_searched(x->s, op) && late_has_budget(x->s); i++) {
        latest best;
        execution *e = start_of(x, op, at->f, FROM_DRAWN);
        if (!e)
            return gcast_error_set_memory(err);
        status = late_try(x->s, at, e, op, &best, err);
        if (best.response_ns > reached_ns) {
            execution *replaced = *current;
            *current = e;
            e = replaced;
            reached_ns = best.response_ns;
        }
        execution_release(e);
    }
    return status;
}

static bool is_claimed(const late_search *s, size_t op)
{
    return s->claims[op].response_ns > s->latest[op].response_ns;
}

static uint64_t cost_of(const window_search *x, size_t op)
{
    return frame_weight_of(x->s->f, 0, x->s->claims[op].window->end_ns);
}

gcast_status window_search_confirm(window_search *x, size_t op, gcast_error *err)
{
    late_search *s = x->s;
    latest claim = {0}, unused;
    frame *whole;
    if (is_claimed(s, op))
        latest_set(&claim, &s->claims[op]);
    latest_clear(&s->claims[op]);
    if (!claim.execution)
        return GCAST_OK;
    frame_part part = {.open_ns = claim.window->open_ns, .end_ns = claim.window->end_ns};
    gcast_status status = frame_cut(s->f, &part, &whole, err);
    execution *e = NULL;
    if (status == GCAST_OK) {
        e = execution_whole(whole, claim.window, claim.execution);
        status = e && late_reserve(s, whole->operation_count) ? GCAST_OK : gcast_error_set_memory(err);
        late_stage at = {.f = whole,
                         .window = claim.window,
                         .kept = claim.execution,
                         .first = frame_first_open(whole),
                         .kept_first = frame_first_open(claim.window)};
        x->confirming += whole->weight;
        if (status == GCAST_OK)
            status = late_try(s, &at, e, NO_TARGET, &unused, err);
        x->failures[op] = s->latest[op].response_ns >= claim.response_ns ? 0 : x->failures[op] + 1;
        execution_release(e);
        frame_release(whole);
    }
    latest_clear(&claim);
    return status;
}

/* Confirms what is claimed of an op where that is affordable now; else operations are kept for it. */
static gcast_status settle(window_search *x, size_t op, gcast_error *err)
{
    late_search *s = x->s;
    gcast_status status = GCAST_OK;
    bool is_affordable = is_claimed(s, op) && (s->claims[op].response_ns >= late_enough_ns(s, op) ||
                                               x->confirming + cost_of(x, op) <= s->operations / CONFIRMING_PART);
    if (is_affordable && late_has_budget(s))
        status = window_search_confirm(x, op, err);
    s->reserved = s->reserved_executions = 0;
    for (size_t i = 0; i < s->f->w->op_count; i++)
        if (late_is_searched(s, i) && is_claimed(s, i)) {
            s->reserved += cost_of(x, i);
            s->reserved_executions++;
        }
    if (s->options->max_executions)
        s->reserved_executions = min_u64(s->reserved_executions, s->options->max_executions / RESERVED_PART);
    if (s->options->max_operations)
        s->reserved = min_u64(s->reserved, s->options->max_operations / RESERVED_PART);
    return status;
}

gcast_status window_search_climb(window_search *x, size_t op, gcast_error *err)
{
    late_search *s = x->s;
    window_start start;
    frame *window;
    window_wish wish = draw_wish(x, op, &start);
    gcast_status status = job_window_create(s->f, &x->scan, &wish, &window, err);
    if (status != GCAST_OK || !window)
        return status;
    execution *current = start_of(x, op, window, start);
    if (!current || !late_reserve(s, window->operation_count)) {
        status = gcast_error_set_memory(err);
    } else {
        size_t first = frame_first_open(window);
        late_stage at = {.f = window, .window = window, .first = first, .kept_first = first, .is_window = true};
        at.is_claim = window->first_open > 0 || window->open_ns > x->scan.idle_ns[0] || s->f->once_count;
        status = start == FROM_DRAWN ? draw_several(x, op, &at, &current, err) : GCAST_OK;
        if (status == GCAST_OK)
            status = late_climb(s, &at, op, start == FROM_BEST ? MAX_FAILURES : FEW_FAILURES, &current, err);
    }
    execution_release(current);
    frame_release(window);
    return status == GCAST_OK ? settle(x, op, err) : status;
}
