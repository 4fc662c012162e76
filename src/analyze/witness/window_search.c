/* Scans a hyperperiod for late jobs and idle times, chooses windows around jobs, climbs in them, and confirms what was
 * seen in windows that only claim to begin idle. */
#include "analyze/witness/window_search.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/witness/execution.h"
#include "analyze/witness/frame.h"
#include "base/integers.h"
#include "model/workload/workload.h"

#define MAX_SCAN_WEIGHT 500000                /* weight of a scan */
#define BUDGET_PART 8                         /* a scan may take one part in so many of the allowed operations */
#define MAX_HORIZON_NS (WORKLOAD_MAX_NS / 64) /* keeps sums of a few times from overflowing */
#define MAX_WINDOW_WEIGHT 4000                /* weight of a window */
#define WANTED_WEIGHT 1000                    /* weight of a window that begins earlier than necessary */
#define MAX_FAILURES 100                      /* failures in a row that end a climb from the best execution */
#define FEW_FAILURES 40                       /* failures in a row that end other climbs */
#define DRAWS 20                              /* random executions, of which the latest starts a climb */
#define MAX_UNCONFIRMED 6 /* wrong claims in a row after which an op is not searched for in windows */
#define CONFIRMING_PART 4 /* during climbs, confirmations may take one part in so many of the operations so far */
#define RESERVED_PART 4   /* confirmations at the end may reserve one part in so many of the budget */

/* Windows need periodic tasks with known phases, and a horizon that the caller leaves open. */
static bool is_possible(const late_search *s)
{
    const frame *f = s->f;
    return f->w->task_count && !f->has_sporadic && !f->any_phase && !f->is_fixed && !s->options->horizon_ns &&
           !s->options->hyperperiods;
}

/* The end of a hyperperiod after the largest offset, or the latest time that is affordable. */
static int64_t choose_horizon(const late_search *s)
{
    uint64_t max_operations = s->options->max_operations;
    uint64_t max_weight = max_operations ? min_u64(MAX_SCAN_WEIGHT, max_operations / BUDGET_PART) : MAX_SCAN_WEIGHT;
    int64_t low = 0, end_ns = frame_hyperperiods_end(s->f, 1);
    if (frame_weight_of(s->f, 0, end_ns) <= max_weight)
        return end_ns;
    for (int64_t high = end_ns; high - low > 1;) {
        int64_t middle = low + (high - low) / 2;
        *(frame_weight_of(s->f, 0, middle) <= max_weight ? &low : &high) = middle;
    }
    return low;
}

/* Looks at the run of a scan. */
typedef struct scanner {
    scan *made;           /* the result */
    const frame *f;       /* its frame */
    const gcast_gpu *gpu; /* its gaps */
    scan_tops *tops;      /* by op: its late jobs */
    int64_t *unit_end_ns; /* by unit: end of its last operation; NULL: no idle times are wanted */
} scanner;

/* Inserts a late job. Equal responses mostly come from the same situation, so one of them is enough. */
static void offer(scan_tops *tops, int64_t response_ns, uint32_t job)
{
    size_t place = 0;
    while (place < SCAN_TOP && tops->at[place].response_ns > response_ns)
        place++;
    if (place == SCAN_TOP || tops->at[place].response_ns == response_ns)
        return;
    memmove(&tops->at[place + 1], &tops->at[place], (SCAN_TOP - place - 1) * sizeof tops->at[0]);
    tops->at[place] = (scan_job){response_ns, job};
}

static void find_idle_times(scanner *x)
{
    const gcast_gpu *g = x->gpu;
    int64_t gap_ns = max_i64(max_i64(g->stream_gap_ns, g->event_gap_ns), max_i64(g->copy_gap_ns, g->handover_ns));
    int64_t busy_ns = 0, last_ns = -1;
    for (size_t i = 0; i < x->f->once_count; i++)
        busy_ns = max_i64(busy_ns, x->unit_end_ns[i]);
    for (size_t i = x->f->once_count; i < x->f->unit_count; i++) {
        const frame_unit *u = &x->f->units[i];
        const gcast_task *t = &x->f->w->tasks[u->task];
        int64_t release_ns = t->offset_ns + u->job * t->period_ns;
        if (release_ns > last_ns && (!i || busy_ns + gap_ns <= release_ns))
            x->made->idle_ns[x->made->idle_count++] = release_ns;
        last_ns = release_ns;
        busy_ns = max_i64(busy_ns, x->unit_end_ns[i]);
    }
}

static void look(void *data, const gcast_run *run, const size_t *places)
{
    scanner *x = data;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const frame_operation *o = &x->f->operations[places[i]];
        if (x->unit_end_ns)
            x->unit_end_ns[o->unit] = max_i64(x->unit_end_ns[o->unit], r->end_ns);
        if (!r->skipped && gcast_response_ns(r) > 0)
            offer(&x->tops[o->op], gcast_response_ns(r), o->job);
    }
    if (x->unit_end_ns)
        find_idle_times(x);
}

/* Simulates with everything longest or shortest. Responses are no claims, since the scan begins with the first job. */
static gcast_status scan_plain(late_search *s, scanner *x, frame *f, bool is_longest, gcast_error *err)
{
    latest unused;
    late_stage at = {.f = f, .window = f, .look = look, .look_data = x};
    execution *e = execution_plain(f, is_longest);
    if (!e)
        return gcast_error_set_memory(err);
    gcast_status status = late_has_budget(s) ? late_try(s, &at, e, NO_TARGET, &unused, err) : GCAST_OK;
    execution_release(e);
    return status;
}

static gcast_status scan_frame(late_search *s, scan *made, frame *f, gcast_error *err)
{
    made->idle_ns = malloc((f->unit_count + 1) * sizeof *made->idle_ns);
    made->longest = calloc(f->w->op_count + 1, sizeof *made->longest);
    made->shortest = calloc(f->w->op_count + 1, sizeof *made->shortest);
    int64_t *unit_end_ns = calloc(f->unit_count + 1, sizeof *unit_end_ns);
    gcast_status status = GCAST_OK;
    if (!made->idle_ns || !made->longest || !made->shortest || !unit_end_ns || !late_reserve(s, f->operation_count))
        status = gcast_error_set_memory(err);
    scanner longest = {.made = made, .f = f, .gpu = s->gpu, .tops = made->longest};
    scanner shortest = {.made = made, .f = f, .gpu = s->gpu, .tops = made->shortest, .unit_end_ns = unit_end_ns};
    if (status == GCAST_OK)
        status = scan_plain(s, &longest, f, true, err);
    if (status == GCAST_OK)
        status = scan_plain(s, &shortest, f, false, err);
    free(unit_end_ns);
    return status;
}

/* Scans a hyperperiod, or as much of it as is affordable, with everything longest and with everything shortest. */
static gcast_status scan_run(late_search *s, scan *made, gcast_error *err)
{
    frame *f;
    *made = (scan){0};
    if (!is_possible(s))
        return GCAST_OK;
    made->hyperperiod_ns = choose_horizon(s);
    made->horizon_ns = max_i64(made->hyperperiod_ns, s->f->end_ns);
    if (made->horizon_ns > MAX_HORIZON_NS) {
        made->horizon_ns = 0;
        return GCAST_OK;
    }
    gcast_status status = frame_cut(s->f, &(frame_part){.end_ns = made->horizon_ns}, &f, err);
    if (status != GCAST_OK)
        return status;
    status = scan_frame(s, made, f, err);
    frame_release(f);
    if (!made->idle_count)
        made->horizon_ns = 0; /* it was not simulated */
    return status;
}

static void scan_free(scan *made)
{
    free(made->idle_ns);
    free(made->longest);
    free(made->shortest);
    *made = (scan){0};
}

/* A request for a window around a job. */
typedef struct window_wish {
    size_t op;           /* index in the workload */
    uint32_t job;        /* number in its task */
    int64_t back_ns;     /* the window should begin at least so long before its release */
    int64_t response_ns; /* ends up to so long after its release count */
} window_wish;

/* The index of the last idle time up to time_ns, or of the first one. */
static size_t last_idle_until(const scan *scanned, int64_t time_ns)
{
    size_t low = 0, high = scanned->idle_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(scanned->idle_ns[middle] <= time_ns ? &low : &high) = middle;
    }
    return low;
}

/* Makes the window for a job, which begins at an idle time. *out is NULL if no window is small enough. */
static gcast_status job_window_create(const frame *f, const scan *scanned, const window_wish *wish, frame **out,
                                      gcast_error *err)
{
    const gcast_op *op = &f->w->ops[wish->op];
    const gcast_task *t = &f->w->tasks[op->task];
    int64_t release_ns = t->offset_ns + wish->job * t->period_ns;
    int64_t end_ns = release_ns + op->release_ns + t->jitter_ns + wish->response_ns;
    size_t last = last_idle_until(scanned, release_ns), idle = last_idle_until(scanned, release_ns - wish->back_ns);
    *out = NULL;
    while (idle < last && frame_weight_of(f, scanned->idle_ns[idle], end_ns) > WANTED_WEIGHT)
        idle += (last - idle + 1) / 2;
    int64_t start_ns = scanned->idle_ns[idle];
    if (start_ns > release_ns || frame_weight_of(f, start_ns, end_ns) > MAX_WINDOW_WEIGHT)
        return GCAST_OK;
    frame_part part = {.start_ns = start_ns, .open_ns = start_ns, .end_ns = end_ns, .with_first = true};
    return frame_cut(f, &part, out, err);
}

gcast_status window_search_begin(window_search *windows, late_search *s, gcast_error *err)
{
    *windows = (window_search){.s = s};
    windows->failures = calloc(s->f->w->op_count + 1, sizeof *windows->failures);
    return windows->failures ? scan_run(s, &windows->scan, err) : gcast_error_set_memory(err);
}

void window_search_free(window_search *windows)
{
    scan_free(&windows->scan);
    free(windows->failures);
    *windows = (window_search){0};
}

bool window_search_applies(const window_search *windows, size_t op)
{
    return windows->scan.horizon_ns && windows->s->f->w->ops[op].task != GCAST_ONCE &&
           windows->failures[op] < MAX_UNCONFIRMED && windows->s->latest[op].response_ns;
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

/* The execution from which a climb begins. */
typedef enum window_start { FROM_BEST, FROM_LONGEST, FROM_SHORTEST, FROM_DRAWN } window_start;

/* Number of a task's jobs in the scan's hyperperiod, at least 1. */
static int64_t jobs_of(const window_search *windows, const gcast_task *t)
{
    int64_t end_ns = windows->scan.hyperperiod_ns;
    return end_ns <= t->offset_ns ? 1 : div_up(end_ns - t->offset_ns, t->period_ns);
}

static uint32_t draw_job(window_search *windows, const gcast_task *t)
{
    return (uint32_t)draw_to(&windows->s->random, jobs_of(windows, t) - 1);
}

/* A job of task t that meets a random job of a random task: the next one from that job's release on, or the one before.
 * *back_ns becomes at least the time between the two. So jobs of rare tasks are met, too. */
static uint32_t draw_meeting(window_search *windows, const gcast_task *t, int64_t *back_ns)
{
    const gcast_workload *w = windows->s->f->w;
    draw *d = &windows->s->random;
    const gcast_task *other = &w->tasks[draw_index(d, w->task_count)];
    int64_t release_ns = other->offset_ns + draw_job(windows, other) * other->period_ns;
    int64_t next = release_ns <= t->offset_ns ? 0 : div_up(release_ns - t->offset_ns, t->period_ns);
    int64_t job = min_i64(max_i64(next - draw_percent(d, 25), 0), jobs_of(windows, t) - 1);
    *back_ns = max_i64(*back_ns, t->offset_ns + job * t->period_ns - release_ns);
    return (uint32_t)job;
}

/* How long before the release of the job its window should begin: 0, up to two responses, as late jobs end busy times
 * that began earlier, or up to two periods of some task. */
static int64_t draw_back_ns(late_search *s, int64_t response_ns)
{
    const gcast_workload *w = s->f->w;
    draw *d = &s->random;
    if (draw_percent(d, 20))
        return 0;
    int64_t period_ns = w->tasks[draw_index(d, w->task_count)].period_ns;
    return draw_to(d, draw_percent(d, 70) ? 2 * response_ns : 2 * period_ns);
}

/* How long after its release an op may end in a window: somewhat later than was seen, now and then much later. */
static int64_t draw_reach_ns(late_search *s, size_t op, int64_t seen_ns)
{
    int64_t far_ns = max_i64(3 * seen_ns, seen_ns + s->f->w->tasks[s->f->w->ops[op].task].period_ns);
    return min_i64(draw_percent(&s->random, 70) ? seen_ns + seen_ns / 2 : far_ns, late_enough_ns(s, op));
}

/* Chooses the job for a window: that of the best execution, one that is late in the scan, one that meets a job of
 * another task, or any. */
static window_wish draw_wish(window_search *windows, size_t op, window_start *start)
{
    late_search *s = windows->s;
    draw *d = &s->random;
    const gcast_task *t = &s->f->w->tasks[s->f->w->ops[op].task];
    const latest *best = best_of(s, op);
    const scan_tops *tops = draw_percent(d, 70) ? &windows->scan.longest[op] : &windows->scan.shortest[op];
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
        wish.job = draw_percent(d, 70) ? draw_meeting(windows, t, &wish.back_ns) : draw_job(windows, t);
    return wish;
}

/* Makes the execution from which a climb begins. */
static execution *start_of(window_search *windows, size_t op, const frame *f, window_start start)
{
    execution *e = execution_plain(f, start == FROM_LONGEST);
    const latest *best = best_of(windows->s, op);
    if (e && start == FROM_DRAWN)
        execution_draw(f, e, &windows->s->random);
    if (e && start == FROM_BEST)
        execution_take(frame_of(windows->s, best), best->execution, f, e);
    return e;
}

/* Tries several random executions of a window, and puts the latest of them into *current. */
static gcast_status draw_several(window_search *windows, size_t op, const late_stage *at, execution **current,
                                 gcast_error *err)
{
    int64_t reached_ns = 0;
    gcast_status status = GCAST_OK;
    for (int i = 0; i < DRAWS && status == GCAST_OK && late_is_searched(windows->s, op) && late_has_budget(windows->s);
         i++) {
        latest best;
        execution *e = start_of(windows, op, at->f, FROM_DRAWN);
        if (!e)
            return gcast_error_set_memory(err);
        status = late_try(windows->s, at, e, op, &best, err);
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

static uint64_t cost_of(const window_search *windows, size_t op)
{
    return frame_weight_of(windows->s->f, 0, windows->s->claims[op].window->end_ns);
}

gcast_status window_search_confirm(window_search *windows, size_t op, gcast_error *err)
{
    late_search *s = windows->s;
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
        windows->confirming += whole->weight;
        if (status == GCAST_OK)
            status = late_try(s, &at, e, NO_TARGET, &unused, err);
        windows->failures[op] = s->latest[op].response_ns >= claim.response_ns ? 0 : windows->failures[op] + 1;
        execution_release(e);
        frame_release(whole);
    }
    latest_clear(&claim);
    return status;
}

/* Confirms the claim for an op if that is affordable now. Then reserves operations for all open claims. */
static gcast_status settle(window_search *windows, size_t op, gcast_error *err)
{
    late_search *s = windows->s;
    gcast_status status = GCAST_OK;
    bool is_affordable =
        is_claimed(s, op) && (s->claims[op].response_ns >= late_enough_ns(s, op) ||
                              windows->confirming + cost_of(windows, op) <= s->operations / CONFIRMING_PART);
    if (is_affordable && late_has_budget(s))
        status = window_search_confirm(windows, op, err);
    s->reserved = s->reserved_executions = 0;
    for (size_t i = 0; i < s->f->w->op_count; i++)
        if (late_is_searched(s, i) && is_claimed(s, i)) {
            s->reserved += cost_of(windows, i);
            s->reserved_executions++;
        }
    if (s->options->max_executions)
        s->reserved_executions = min_u64(s->reserved_executions, s->options->max_executions / RESERVED_PART);
    if (s->options->max_operations)
        s->reserved = min_u64(s->reserved, s->options->max_operations / RESERVED_PART);
    return status;
}

gcast_status window_search_climb(window_search *windows, size_t op, gcast_error *err)
{
    late_search *s = windows->s;
    window_start start;
    frame *window;
    window_wish wish = draw_wish(windows, op, &start);
    gcast_status status = job_window_create(s->f, &windows->scan, &wish, &window, err);
    if (status != GCAST_OK || !window)
        return status;
    execution *current = start_of(windows, op, window, start);
    if (!current || !late_reserve(s, window->operation_count)) {
        status = gcast_error_set_memory(err);
    } else {
        size_t first = frame_first_open(window);
        late_stage at = {.f = window, .window = window, .first = first, .kept_first = first, .is_window = true};
        at.is_claim = window->first_open > 0 || window->open_ns > windows->scan.idle_ns[0] || s->f->once_count;
        status = start == FROM_DRAWN ? draw_several(windows, op, &at, &current, err) : GCAST_OK;
        if (status == GCAST_OK)
            status = late_climb(s, &at, op, start == FROM_BEST ? MAX_FAILURES : FEW_FAILURES, &current, err);
    }
    execution_release(current);
    frame_release(window);
    return status == GCAST_OK ? settle(windows, op, err) : status;
}
