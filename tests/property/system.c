#include "property/system.h"

#include <stdlib.h>

#include "model/workload/jobs.h"
#include "support/builders.h"

#define MAX_OPS 64

/* What a copy of a workload changes. */
typedef struct changes {
    support_random *r;
    int64_t stretch; /* of periods */
    bool jitter;     /* draw some */
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

static void copy_op(gcast_workload *copy, const gcast_workload *w, size_t i, const changes *c, size_t *original)
{
    gcast_error err;
    gcast_op op = changed(c, w->ops[i]);
    int index = support_add_op(copy, &op, &err);
    assert_true(index >= 0);
    if (original)
        original[index] = i;
}

static void copy_task(gcast_workload *copy, const gcast_workload *w, size_t t, const changes *c, size_t *original)
{
    gcast_error err;
    gcast_task task = w->tasks[t];
    task.period_ns *= c->stretch;
    if (c->jitter)
        task.jitter_ns = percent(c->r, 40) ? 0 : task.period_ns * one_of(c->r, 1, 5, 10, 10, 20) / 10;
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
    return copy;
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
    s.workload = copy_changed(s.g.workload, &c, NULL);
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
    return copy_changed(w, &c, original);
}

/* How late a job is: on time, as late as can be, or between; one style per execution. */
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
    default:
        return support_between(&r, 0, t->jitter_ns);
    }
}

/* Releases of all operations, with jobs as late as drawn; to be freed. */
static int64_t *late_releases(const gcast_workload *w, support_random *r, int64_t horizon, size_t *count)
{
    gcast_error err;
    gcast_run_op *ops;
    int style = (int)support_between(r, 0, 3);
    uint64_t seed = support_next(r);
    assert_ok(jobs_horizon(w, &horizon, &err), &err);
    assert_ok(jobs_expand(w, horizon, &ops, count, &err), &err);
    int64_t *releases = malloc((*count + 1) * sizeof *releases);
    assert_non_null(releases);
    for (size_t i = 0; i < *count; i++) {
        int task = w->ops[ops[i].op].task;
        releases[i] = ops[i].release_ns;
        if (task != GCAST_ONCE)
            releases[i] += lateness(style, seed, &w->tasks[task], &ops[i]);
    }
    free(ops);
    return releases;
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
    int64_t *releases = late_releases(e.workload, &r, options.horizon_ns, &options.release_count);
    options.releases = releases;
    options.noise_ns = percent(&r, 80) ? s->g.gpu->noise_ns : 0;
    options.noise_seed = support_next(&r);
    assert_ok(gcast_workload_simulate(e.workload, s->g.gpu, &options, &e.run, &err), &err);
    free(releases);
    return e;
}

void execution_free(execution *e)
{
    gcast_run_free(e->run);
    gcast_workload_free(e->workload);
    free(e->original);
}
