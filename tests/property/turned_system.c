/* Kernels of a warp or two with many registers, which start as others give back shared memory, and small ones above
 * them in between, which move the SMs' next quarter: so fewer are resident than an empty GPU holds, even when all those
 * above are over. Small kernels behind them see how long they wait. */
#include "property/system.h"
#include "support/builders.h"

typedef struct turned_draft {
    support_random *r;
    const gcast_gpu *gpu;
    gcast_workload *w;
    bool has_tasks;
    int64_t period_ns;
} turned_draft;

static int add_stream(turned_draft *d, int id, int priority)
{
    gcast_error err;
    int stream = support_add_stream(d->w, (gcast_stream){.id = id, .priority = priority}, &err);
    assert_true(stream >= 0);
    return stream;
}

/* Adds a kernel that runs once, or a task of this one kernel. */
static void add(turned_draft *d, gcast_op op, int stream, int64_t release_ns)
{
    gcast_error err;
    op.stream = stream;
    op.label = "kernel";
    if (percent(d->r, 40))
        op.min_ns = (op.max_ns * one_of(d->r, 5, 7, 9) + 9) / 10;
    if (d->has_tasks) {
        gcast_task task = {.name = "task", .stream = stream, .period_ns = d->period_ns, .deadline_ns = d->period_ns};
        task.offset_ns = release_ns;
        assert_true(support_add_task(d->w, &task, &err) >= 0);
    } else {
        op.release_ns = release_ns;
    }
    assert_true(support_add_op(d->w, &op, &err) >= 0);
}

static gcast_op kernel(uint32_t blocks, uint32_t warps, int registers, int64_t max_ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.grid[0] = blocks;
    op.block[0] = warps * 32;
    op.shape.registers = registers;
    op.min_ns = op.max_ns = max_ns;
    return op;
}

/* So much of an SM's shared memory, in percent, what is reserved included. */
static int64_t smem(const turned_draft *d, int64_t percent_of)
{
    return d->gpu->limits.smem_per_sm * percent_of / 100 - d->gpu->limits.smem_reserved;
}

static void add_holders(turned_draft *d, uint32_t sms)
{
    for (int64_t n = support_between(d->r, 1, 2), id = 1; n > 0; n--, id++) {
        gcast_op op = kernel(sms, 1, 8, support_between(d->r, 50, 300));
        op.shape.dynamic_smem = smem(d, support_between(d->r, 12, 34));
        add(d, op, add_stream(d, (int)id, 0), 0);
    }
}

static void add_wide(turned_draft *d, uint32_t sms)
{
    uint32_t blocks = sms * (uint32_t)one_of(d->r, 1, 2, 2, 2, 3) + (uint32_t)one_of(d->r, 0, 1, 1, 2);
    gcast_op op = kernel(blocks, (uint32_t)one_of(d->r, 1, 1, 1, 2), (int)one_of(d->r, 136, 168, 208, 216, 224, 248),
                         support_between(d->r, 500, 1000));
    op.shape.dynamic_smem = smem(d, support_between(d->r, 20, 33));
    add(d, op, add_stream(d, 10, 0), support_between(d->r, 0, 20));
}

static void add_above(turned_draft *d, uint32_t sms)
{
    int streams[] = {add_stream(d, 20, -1), add_stream(d, 21, -(int)one_of(d->r, 1, 2))};
    int64_t release_ns = 0;
    for (int64_t n = support_between(d->r, 1, 5); n > 0; n--) {
        release_ns += support_between(d->r, 10, 150);
        uint32_t blocks = percent(d->r, 70) ? sms : (uint32_t)support_between(d->r, 1, 2 * sms);
        add(d, kernel(blocks, (uint32_t)one_of(d->r, 1, 2, 3, 3, 5), 8, support_between(d->r, 5, 20)),
            streams[percent(d->r, 30)], release_ns);
    }
}

static void add_watchers(turned_draft *d)
{
    int stream = add_stream(d, 30, 0);
    int64_t release_ns = 100;
    for (int64_t n = support_between(d->r, 1, 4); n > 0; n--) {
        release_ns += support_between(d->r, 20, 300);
        add(d, kernel(1, 1, 8, support_between(d->r, 5, 20)), stream, release_ns);
    }
}

random_system turned_system_make(uint64_t seed)
{
    gcast_error err;
    support_random r = {seed * 0x9e3779b97f4a7c15 + 99};
    support_next(&r);
    uint32_t sms = (uint32_t)one_of(&r, 1, 2, 4, 12, 16, 24, 32);
    gcast_gpu *gpu = support_gpu("turned", 8, 0, (int)sms, &err);
    assert_non_null(gpu);
    gpu->register_quarters = true;
    gpu->priority_levels = 3;
    random_system s = {.g = {.gpu = gpu}, .workload = support_workload("turned", &err)};
    assert_non_null(s.workload);
    turned_draft d = {&r, gpu, s.workload, percent(&r, 50), one_of(&r, 3000, 10000)};
    add_holders(&d, sms);
    add_wide(&d, sms);
    add_above(&d, sms);
    add_watchers(&d);
    return s;
}
