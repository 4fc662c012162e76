/* Periodic tasks that keep a GPU busy: kernels of mixed shapes and copies, one stream per task mostly, a few
 * priorities, with periods such that all kernels, one after the other, take 40 to 105 % of the time. */
#include <math.h>

#include "property/system.h"
#include "simulate/blocks/sm.h"
#include "support/builders.h"

#define MAX_TASKS 5
#define MAX_JOB_OPS 4

typedef struct busy_draft {
    support_random *r;
    gcast_gpu *gpu;
    gcast_op ops[MAX_TASKS][MAX_JOB_OPS];
    int op_count[MAX_TASKS];
    int64_t period[MAX_TASKS];
    int tasks;
} busy_draft;

static gcast_op draw_kernel(busy_draft *d)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    generate_shape(d->r, d->gpu, percent(d->r, 40), &op);
    op.grid[0] = (uint32_t)support_between(d->r, 1, one_of(d->r, 3, 12, 40));
    op.min_ns = op.max_ns = support_between(d->r, 1, one_of(d->r, 5, 20, 60));
    if (percent(d->r, 60))
        op.min_ns = (op.max_ns * one_of(d->r, 5, 7, 7, 9) + 9) / 10;
    op.label = "kernel";
    return op;
}

gcast_op random_copy(support_random *r, int64_t max_ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.direction = percent(r, 50) ? GCAST_H2D : GCAST_D2H;
    op.bytes = 1;
    op.min_ns = op.max_ns = support_between(r, 1, max_ns);
    op.label = "copy";
    return op;
}

/* How long the kernel takes if its blocks fill the GPU. */
static double work_of(const busy_draft *d, const gcast_op *op)
{
    if (op->kind != GCAST_KIND_KERNEL)
        return 0;
    gcast_op measured = *op;
    measured.blocks = (uint64_t)op->grid[0];
    sm_demand demand = sm_demand_of(d->gpu, &measured);
    return (double)measured.blocks * (double)op->max_ns / (demand.max_blocks * (double)d->gpu->sms);
}

/* Periods are small multiples of one, which is as long as the load wants. */
static void draw_periods(busy_draft *d)
{
    double load = 0;
    int64_t multiple[MAX_TASKS];
    for (int t = 0; t < d->tasks; t++) {
        multiple[t] = one_of(d->r, 1, 1, 2, 2, 3, 4);
        for (int i = 0; i < d->op_count[t]; i++)
            load += work_of(d, &d->ops[t][i]) / (double)multiple[t];
    }
    double base = load * 100 / (double)support_between(d->r, 40, 105);
    for (int t = 0; t < d->tasks; t++)
        d->period[t] = multiple[t] * (int64_t)fmax(ceil(base), 1);
}

static void draw_tasks(busy_draft *d)
{
    d->tasks = (int)support_between(d->r, 2, MAX_TASKS);
    for (int t = 0; t < d->tasks; t++) {
        d->op_count[t] = (int)support_between(d->r, 1, MAX_JOB_OPS);
        for (int i = 0; i < d->op_count[t]; i++)
            d->ops[t][i] = percent(d->r, 80) ? draw_kernel(d) : random_copy(d->r, 15);
    }
    draw_periods(d);
}

/* What no bound covers, or what makes every system the same, is left out of the GPU. */
static void simplify(busy_draft *d)
{
    gcast_gpu *gpu = d->gpu;
    gpu->limits.resident_grids = 0;
    gpu->noise_ns = 0;
    gpu->connections = (int)one_of(d->r, 0, 0, 0, 1, 2, 3, 4);
    gpu->priority_levels = (int)one_of(d->r, 1, 2, 3, 6);
    if (percent(d->r, 50))
        gpu->turn_ns = 0;
    if (percent(d->r, 50))
        gpu->starved_ns = 0;
}

static void build(busy_draft *d, gcast_workload *w)
{
    gcast_error err;
    bool in_phase = percent(d->r, 50), jitter = percent(d->r, 30);
    int streams = percent(d->r, 85) ? d->tasks : (int)support_between(d->r, 1, d->tasks);
    for (int s = 0; s < streams; s++)
        assert_true(
            support_add_stream(w, (gcast_stream){.id = s + 1, .priority = -(int)one_of(d->r, 0, 0, 1, 2)}, &err) >= 0);
    for (int t = 0; t < d->tasks; t++) {
        gcast_task task = {.name = "task", .stream = t % streams, .period_ns = d->period[t]};
        task.deadline_ns = task.period_ns;
        task.offset_ns = in_phase ? 0 : support_between(d->r, 0, task.period_ns);
        task.jitter_ns = jitter ? support_between(d->r, 0, task.period_ns / 4) : 0;
        assert_true(support_add_task(w, &task, &err) >= 0);
        for (int i = 0; i < d->op_count[t]; i++) {
            d->ops[t][i].stream = task.stream;
            assert_true(support_add_op(w, &d->ops[t][i], &err) >= 0);
        }
    }
}

random_system busy_system_make(uint64_t seed)
{
    gcast_error err;
    support_random r = {seed * 0x9e3779b97f4a7c15 + 77};
    support_next(&r);
    random_system s = {.g = {.gpu = generate_gpu(&r)}, .any_order = percent(&r, 20)};
    busy_draft d = {.r = &r, .gpu = s.g.gpu};
    simplify(&d);
    draw_tasks(&d);
    s.workload = support_workload("busy", &err);
    assert_non_null(s.workload);
    build(&d, s.workload);
    return s;
}
