#include "property/system.h"

#include <stdlib.h>

#include "model/workload/jobs.h"
#include "model/workload/workload.h"
#include "property/late_jobs.h"
#include "support/builders.h"

#define MAX_OPS 64
#define ROUND 3 /* of seven systems this one has round numbers */

/* What a copy of a workload changes. */
typedef struct changes {
    support_random *r;
    int64_t stretch; /* of periods */
    bool jitter;     /* draw some */
    int64_t step;    /* releases of jobs are multiples of this, so that they often meet; 0: any */
    bool no_free;
    bool extremes;       /* durations at an end of their range, op by op */
    const size_t *order; /* of ops that run once; NULL: as they are */
    const size_t *tasks;
} changes;

static gcast_op changed(const changes *c, gcast_op op)
{
    if (c->no_free && op.kind == GCAST_KIND_FREE)
        op.kind = GCAST_KIND_MALLOC;
    if (c->extremes && percent(c->r, 60))
        op.min_ns = op.max_ns = percent(c->r, 50) ? op.min_ns : op.max_ns;
    return op;
}

/* Sets what ops are after; they are in another order than those of w. */
static void copy_after(gcast_workload *copy, const gcast_workload *w, const size_t *original)
{
    uint32_t place[MAX_OPS] = {0}, after[MAX_OPS];
    for (size_t i = 0; i < copy->op_count; i++)
        place[original[i]] = (uint32_t)i;
    for (size_t i = 0; i < copy->op_count; i++) {
        const gcast_op *op = &w->ops[original[i]];
        for (size_t k = 0; k < op->after_count; k++)
            after[k] = place[op->after[k]];
        assert_true(workload_set_after(copy, i, after, op->after_count));
    }
}

static void copy_op(gcast_workload *copy, const gcast_workload *w, size_t i, const changes *c, size_t *original)
{
    gcast_error err;
    gcast_op op = changed(c, w->ops[i]);
    int index = support_add_op(copy, &op, &err);
    assert_true(index >= 0);
    original[index] = i;
}

static void copy_task(gcast_workload *copy, const gcast_workload *w, size_t t, const changes *c, size_t *original)
{
    gcast_error err;
    gcast_task task = w->tasks[t];
    task.period_ns *= c->stretch;
    if (c->jitter)
        task.jitter_ns = percent(c->r, 40) ? 0 : task.period_ns * one_of(c->r, 1, 5, 10, 10, 20) / 10;
    if (c->step) {
        task.period_ns = (task.period_ns + c->step - 1) / c->step * c->step;
        task.offset_ns -= task.offset_ns % c->step;
        task.jitter_ns -= task.jitter_ns % c->step;
    }
    assert_true(support_add_task(copy, &task, &err) >= 0);
    for (size_t i = 0; i < task.op_count; i++)
        copy_op(copy, w, task.first_op + i, c, original);
}

static gcast_workload *copy_changed(const gcast_workload *w, const changes *c, size_t *original)
{
    gcast_error err;
    gcast_workload *copy = support_workload(w->name, &err);
    assert_non_null(copy);
    gcast_workload_set_partition(copy, w->partition_sms);
    gcast_workload_set_connections(copy, w->connections);
    for (size_t i = 0; i < w->stream_count; i++)
        assert_true(support_add_stream(copy, w->streams[i], &err) >= 0);
    for (size_t i = 0; i < w->host_count; i++)
        assert_true(support_add_host(copy, w->hosts[i], &err) >= 0);
    for (size_t i = 0; i < w->mask_count; i++)
        assert_true(support_add_mask(copy, &w->masks[i], &err) >= 0);
    for (size_t i = 0; i < w->once_count; i++)
        copy_op(copy, w, c->order ? c->order[i] : i, c, original);
    for (size_t i = 0; i < w->task_count; i++)
        copy_task(copy, w, c->tasks ? c->tasks[i] : i, c, original);
    copy_after(copy, w, original);
    return copy;
}

gcast_workload *random_system_ordered(const random_system *s, const size_t *order, const size_t *tasks,
                                      size_t *original)
{
    return copy_changed(s->workload, &(changes){.stretch = 1, .order = order, .tasks = tasks}, original);
}

random_system random_system_make(uint64_t seed)
{
    random_system s = {.g = generate(seed)};
    support_random r = {seed ^ 0x5bd1e995};
    support_next(&r);
    gcast_error err;
    if (s.g.workload->gpu) { /* so that it can be changed */
        s.g.gpu = support_gpu_copy(s.g.workload->gpu, &err);
        assert_non_null(s.g.gpu);
    }
    if (percent(&r, 80))
        s.g.gpu->limits.resident_grids = 0;
    changes c = {.r = &r, .stretch = one_of(&r, 1, 3, 10, 10, 30, 100), .jitter = true, .no_free = percent(&r, 90)};
    if (seed % 7 == ROUND)
        c.step = one_of(&(support_random){seed}, 2, 5, 10, 25);
    s.workload = copy_changed(s.g.workload, &c, (size_t[MAX_OPS]){0});
    for (size_t i = 0; i < s.workload->task_count; i++) {
        support_random own = {seed * 31 + i};
        support_next(&own);
        ((gcast_task *)s.workload->tasks)[i].sporadic = percent(&own, 20);
    }
    s.any_order = percent(&r, 50);
    s.g.gpu->noise_ns = percent(&r, 30) ? support_between(&r, 1, 20) : 0;
    return s;
}

void random_system_free(random_system *s)
{
    gcast_workload_free(s->workload);
    generated_free(&s->g);
}

/* Shuffle those of n places that may move among themselves; NULL: all may. */
static void shuffle(support_random *r, size_t *order, size_t n, const bool *moves)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t)support_between(r, 0, (int64_t)i), x = order[i];
        if (moves && (!moves[i] || !moves[j]))
            continue;
        order[i] = order[j];
        order[j] = x;
    }
}

static gcast_workload *drawn_workload(const random_system *s, support_random *r, size_t *original)
{
    const gcast_workload *w = s->workload;
    size_t order[MAX_OPS], tasks[MAX_OPS];
    bool moves[MAX_OPS];
    assert_true(w->op_count <= MAX_OPS);
    for (size_t i = 0; i < w->once_count; i++) {
        order[i] = i;
        moves[i] = w->ops[i].host == GCAST_NO_HOST;
    }
    for (size_t i = 0; i < w->task_count; i++)
        tasks[i] = i;
    changes c = {.r = r, .stretch = 1, .extremes = percent(r, 50)};
    if (s->any_order) {
        shuffle(r, order, w->once_count, moves);
        shuffle(r, tasks, w->task_count, NULL);
        c.order = order;
        c.tasks = tasks;
    }
    gcast_error err;
    gcast_workload *drawn = copy_changed(w, &c, original);
    if (gcast_workload_check(drawn, &err) == GCAST_OK)
        return drawn;
    gcast_workload_free(drawn); /* in this order an op is called before one that it is after */
    c.order = NULL;
    return copy_changed(w, &c, original);
}

/* How late a job is: on time, as late as can be, or between, also by round numbers; one style per execution. */
static int64_t lateness(int style, uint64_t seed, const gcast_task *t, const gcast_run_op *o)
{
    support_random r = {seed + 0x9e3779b97f4a7c15u * (1 + (uint64_t)t->first_op) + 0xbf58476d1ce4e5b9u * (1 + o->job)};
    support_next(&r);
    switch (style) {
    case 0:
        return 0;
    case 1:
        return o->job == 0 ? t->jitter_ns : 0; /* the first two come close together */
    case 2:
        return percent(&r, 50) ? t->jitter_ns : 0;
    case 4: /* releases of tasks with round numbers meet */
        return support_between(&r, 0, t->jitter_ns / 5) * 5;
    default:
        return support_between(&r, 0, t->jitter_ns);
    }
}

/* How much later than with the minimum distance a job of a sporadic task is released; what its jobs lag behind never
 * decreases. */
static int64_t extra_distance(uint64_t seed, const gcast_task *t, const gcast_run_op *o)
{
    support_random r = {seed ^ 0x51ed270b0fb2d3c7u * (1 + (uint64_t)t->first_op)};
    int64_t sum = 0;
    for (uint32_t job = 0; t->sporadic && job <= o->job; job++) {
        support_next(&r);
        sum += percent(&r, 60) ? 0 : support_between(&r, 0, t->period_ns);
    }
    return sum;
}

/* Releases of all operations, with jobs as late as drawn; to be freed. */
static int64_t *late_releases(const gcast_workload *w, support_random *r, const gcast_run_op *ops, size_t count)
{
    int style = (int)support_between(r, 0, 3);
    uint64_t seed = support_next(r);
    style = seed % 8 == 0 ? 4 : style;
    int64_t *releases = malloc((count + 1) * sizeof *releases);
    assert_non_null(releases);
    for (size_t i = 0; i < count; i++) {
        int task = w->ops[ops[i].op].task;
        releases[i] = ops[i].release_ns;
        if (task != GCAST_ONCE)
            releases[i] +=
                lateness(style, seed, &w->tasks[task], &ops[i]) + extra_distance(seed, &w->tasks[task], &ops[i]);
    }
    return releases;
}

/* Latencies of all operations, each in its range: most at an end of it, one style per execution; to be freed. */
static int64_t *drawn_latencies(const random_system *s, const gcast_workload *w, support_random *r, int64_t horizon,
                                size_t *count)
{
    gcast_error err;
    gcast_run_op *ops;
    int style = (int)support_between(r, 0, 4), late_stream = (int)support_between(r, 0, (int64_t)w->stream_count - 1);
    assert_ok(jobs_horizon(w, &horizon, &err), &err);
    assert_ok(jobs_expand(w, horizon, &ops, count, &err), &err);
    int64_t *latencies = malloc((*count + 1) * sizeof *latencies);
    assert_non_null(latencies);
    for (size_t i = 0; i < *count; i++) {
        const gcast_op *op = &w->ops[ops[i].op];
        bool is_kernel = op->kind == GCAST_KIND_KERNEL;
        int64_t least = is_kernel ? s->g.gpu->launch_latency_ns : s->g.gpu->copy_latency_ns;
        int64_t longest = is_kernel ? s->launch_max_ns : s->copy_max_ns;
        bool is_late = style == 0   ? percent(r, 50)
                       : style == 1 ? percent(r, 10)
                       : style == 2 ? op->stream == late_stream
                                    : percent(r, 90);
        latencies[i] = style == 3 ? support_between(r, least, longest) : is_late ? longest : least;
    }
    free(ops);
    return latencies;
}

/* Lets jobs be as late as drawn: in the options, or, where that changes their order, as ops that run once. */
static void make_late(execution *e, support_random *r, gcast_simulate_options *options, int64_t **releases)
{
    gcast_error err;
    gcast_run_op *ops;
    size_t count;
    int64_t horizon_ns = options->horizon_ns;
    assert_ok(jobs_horizon(e->workload, &horizon_ns, &err), &err);
    assert_ok(jobs_expand(e->workload, horizon_ns, &ops, &count, &err), &err);
    *releases = late_releases(e->workload, r, ops, count);
    size_t *order = malloc((count + 1) * sizeof *order);
    assert_non_null(order);
    if (late_jobs_order(e->workload, ops, *releases, count, order)) {
        options->releases = *releases;
        options->release_count = count;
        free(order);
        free(ops);
        return;
    }
    gcast_workload *late = late_jobs_workload(e->workload, ops, *releases, count, order);
    for (size_t i = 0; i < count; i++)
        order[i] = e->original[ops[order[i]].op];
    gcast_workload_free(e->workload);
    free(e->original);
    free(ops);
    e->workload = late;
    e->original = order;
}

execution execute(const random_system *s, uint64_t seed)
{
    gcast_error err;
    int64_t hyperperiod;
    support_random r = {seed};
    support_next(&r);
    execution e = {.original = calloc(s->workload->op_count + 1, sizeof *e.original)};
    assert_non_null(e.original);
    e.workload = drawn_workload(s, &r, e.original);
    gcast_simulate_options options = gcast_simulate_options_default();
    options.durations = (gcast_durations)one_of(&r, GCAST_DURATIONS_MAX, GCAST_DURATIONS_MIN, GCAST_DURATIONS_RANDOM,
                                                GCAST_DURATIONS_RANDOM);
    options.seed = support_next(&r);
    if (percent(&r, 30) && gcast_workload_hyperperiod(e.workload, &hyperperiod))
        options.horizon_ns = 3 * hyperperiod + 200;
    int64_t *releases;
    make_late(&e, &r, &options, &releases);
    options.noise_ns = percent(&r, 80) ? s->g.gpu->noise_ns : 0;
    options.noise_seed = support_next(&r);
    int64_t *latencies = NULL;
    if (s->launch_max_ns || s->copy_max_ns) {
        options.latencies = latencies = drawn_latencies(s, e.workload, &r, options.horizon_ns, &options.latency_count);
    }
    assert_ok(gcast_workload_simulate(e.workload, s->g.gpu, &options, &e.run, &err), &err);
    free(latencies);
    free(releases);
    return e;
}

void execution_free(execution *e)
{
    gcast_run_free(e->run);
    gcast_workload_free(e->workload);
    free(e->original);
}
