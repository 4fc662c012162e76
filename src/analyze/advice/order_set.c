/* Ops may change places that have no host and are released once and at one time, as calls due at one time are made in
 * the order of the workload. An order that a stream or the NULL stream gives is what the program means, and stays. */
#include "analyze/advice/order_set.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/advice/judge/judge.h"
#include "base/checked.h"
#include "base/minmax.h"
#include "model/workload/edit.h"

static bool is_movable(const gcast_op *op)
{
    return op->host == GCAST_NO_HOST && gcast_kind_on_gpu(op->kind);
}

bool order_same_time(const order_set *s, size_t place, size_t other)
{
    return s->w->ops[s->places[place]].release_ns == s->w->ops[s->places[other]].release_ns;
}

bool order_depends(const order_set *s, size_t a, size_t b)
{
    const gcast_stream *x = &s->w->streams[s->w->ops[a].stream], *y = &s->w->streams[s->w->ops[b].stream];
    bool null_orders = (x->id == 0 && (y->id == 0 || y->blocking)) || (y->id == 0 && x->blocking);
    return a < b && (x == y || null_orders);
}

bool order_interchangeable(const order_set *s, size_t a, size_t b)
{
    const gcast_op *x = &s->w->ops[a], *y = &s->w->ops[b];
    const gcast_block_shape *p = &x->shape, *q = &y->shape;
    bool same_shape = p->threads == q->threads && p->registers == q->registers && p->static_smem == q->static_smem &&
                      p->dynamic_smem == q->dynamic_smem && p->barriers == q->barriers;
    return same_shape && x->blocks == y->blocks && x->mask == y->mask && x->max_ns == y->max_ns && !x->block_ns &&
           !y->block_ns;
}

/* `used`: by stream, all false. */
static bool is_fifo(const order_set *s, bool *used)
{
    const gcast_workload *w = s->w;
    if (w->task_count || s->count != w->op_count)
        return false;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        const gcast_stream *x = &w->streams[op->stream], *first = &w->streams[w->ops[0].stream];
        if (op->kind != GCAST_KIND_KERNEL || op->release_ns != w->ops[0].release_ns || op->skip_ns != GCAST_NEVER ||
            x->id == 0 || x->priority != first->priority || x->process != first->process)
            return false;
        if (used[op->stream])
            return false;
        used[op->stream] = true;
    }
    return true;
}

/* An op that may move. */
typedef struct movable_op {
    int64_t release_ns;
    size_t op; /* of the workload */
} movable_op;

static int by_release(const void *a, const void *b)
{
    const movable_op *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Keeps the ops that can change places with another one, released at the same time. */
static void keep_movable(order_set *s, const movable_op *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((i && all[i - 1].release_ns == all[i].release_ns) ||
            (i + 1 < n && all[i + 1].release_ns == all[i].release_ns))
            s->places[s->count++] = all[i].op;
}

bool order_collect(order_set *s)
{
    const gcast_workload *w = s->w;
    s->places = arena_alloc_array(s->memory, w->once_count + 1, sizeof *s->places);
    s->best = arena_alloc_array(s->memory, w->once_count + 1, sizeof *s->best);
    s->worst = arena_alloc_array(s->memory, w->once_count + 1, sizeof *s->worst);
    movable_op *all = arena_alloc_array(s->memory, w->once_count + 1, sizeof *all);
    bool *used = arena_alloc_array(s->memory, w->stream_count + 1, sizeof *used);
    size_t n = 0;
    if (!s->places || !s->best || !s->worst || !all || !used)
        return false;
    for (size_t i = 0; i < w->once_count; i++)
        if (is_movable(&w->ops[i]))
            all[n++] = (movable_op){w->ops[i].release_ns, i};
    qsort(all, n, sizeof *all, by_release);
    keep_movable(s, all, n);
    s->is_fifo = is_fifo(s, used);
    return true;
}

/* How many jobs missed their deadline; the ops of a job are next to each other in a run. */
static int64_t late_jobs(const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    const gcast_run_op *last = NULL;
    int64_t late_count = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = &w->ops[r->op];
        if (op->task == GCAST_ONCE || judge_in_time(&w->tasks[op->task], r->end_ns - (r->release_ns - op->release_ns)))
            continue;
        late_count += !last || last->job != r->job || w->ops[last->op].task != op->task;
        last = r;
    }
    return late_count;
}

static int64_t value_of(const gcast_run *run, gcast_goal goal)
{
    int64_t longest = 0, total = 0;
    if (goal == GCAST_GOAL_MAKESPAN)
        return run->end_ns;
    if (goal == GCAST_GOAL_LATE)
        return late_jobs(run);
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t response = gcast_response_ns(&run->ops[i]);
        if (!gcast_kind_on_gpu(run->workload->ops[run->ops[i].op].kind) || response < 0)
            continue;
        longest = max_i64(response, longest);
        if (!checked_add(total, response, &total))
            total = INT64_MAX;
    }
    return goal == GCAST_GOAL_TOTAL ? total : longest;
}

bool order_may_continue(order_set *s)
{
    const gcast_order_options *o = &s->options;
    double fraction = o->max_runs ? (double)s->runs / (double)o->max_runs : 0;
    if (o->max_runs && s->runs >= o->max_runs)
        s->why_stopped = "it has made as many simulations as it may";
    else if (limit_passed(&s->limit))
        s->why_stopped = "it has taken as long as it may";
    else if (o->progress && !o->progress(o->progress_data, fraction))
        s->why_stopped = "it was stopped";
    return !s->why_stopped;
}

static void keep_extremes(order_set *s, const size_t *order, int64_t value)
{
    if (s->runs == 1)
        s->given_value = value;
    if (s->runs == 1 || value < s->best_value) {
        s->best_value = value;
        memcpy(s->best, order, s->count * sizeof *order);
    }
    if (s->runs == 1 || value > s->worst_value) {
        s->worst_value = value;
        memcpy(s->worst, order, s->count * sizeof *order);
    }
}

static bool in_time(void *data, double fraction)
{
    order_set *s = data;
    (void)fraction;
    if (limit_passed(&s->limit))
        s->why_stopped = "it has taken as long as it may";
    return !s->why_stopped;
}

bool order_simulate(order_set *s, const size_t *order, gcast_run **run, int64_t *value)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *simulated;
    options.horizon_ns = s->options.horizon_ns;
    options.record_blocks = run != NULL;
    for (size_t i = 0; i < s->count; i++)
        workload_put_op(s->copy, s->places[i], &s->w->ops[order[i]]);
    options.progress = in_time;
    options.progress_data = s;
    if (s->runs && !order_may_continue(s))
        return false;
    s->status = gcast_workload_simulate(s->copy, s->gpu, &options, &simulated, s->err);
    if (s->status != GCAST_OK && s->why_stopped) { /* by in_time */
        s->status = GCAST_OK;
        return false;
    }
    if (s->status != GCAST_OK) {
        s->why_stopped = "a simulation failed";
        return false;
    }
    s->runs++;
    *value = value_of(simulated, s->options.goal);
    keep_extremes(s, order, *value);
    if (run)
        *run = simulated;
    else
        gcast_run_free(simulated);
    return true;
}
