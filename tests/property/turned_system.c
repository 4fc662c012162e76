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
    bool is_close; /* sizes and times leave little room */
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
    int count = d->is_close ? 2 : (int)support_between(d->r, 1, 2);
    for (int n = 0; n < count; n++) {
        int64_t max_ns = d->is_close ? 100 * (n + 1) : support_between(d->r, 50, 300);
        gcast_op op = kernel(sms, 1, 8, max_ns);
        op.shape.dynamic_smem = smem(d, d->is_close ? support_between(d->r, 17, 18) : support_between(d->r, 12, 34));
        add(d, op, add_stream(d, n + 1, 0), 0);
    }
}

static void add_wide(turned_draft *d, uint32_t sms)
{
    uint32_t blocks = sms * (d->is_close ? 2 : (uint32_t)one_of(d->r, 1, 2, 2, 2, 3));
    blocks += d->is_close ? 1 : (uint32_t)one_of(d->r, 0, 1, 1, 2);
    uint32_t warps = d->is_close ? 1 : (uint32_t)one_of(d->r, 1, 1, 1, 2);
    int registers = (int)(d->is_close ? one_of(d->r, 208, 216, 216, 224) : one_of(d->r, 136, 168, 208, 248));
    gcast_op op = kernel(blocks, warps, registers, support_between(d->r, 500, 1000));
    op.shape.dynamic_smem = smem(d, d->is_close ? 33 : support_between(d->r, 20, 33));
    add(d, op, add_stream(d, 10, 0), support_between(d->r, 0, 20));
}

static void add_above(turned_draft *d, uint32_t sms)
{
    int first = add_stream(d, 20, -1), second = add_stream(d, 21, -(int)one_of(d->r, 1, 2));
    int64_t release_ns = 0;
    for (int64_t n = support_between(d->r, 1, 5); n > 0; n--) {
        release_ns += d->is_close ? support_between(d->r, 30, 90) : support_between(d->r, 10, 150);
        uint32_t blocks = percent(d->r, d->is_close ? 95 : 70) ? sms : (uint32_t)support_between(d->r, 1, 2 * sms);
        uint32_t warps = (uint32_t)(d->is_close ? one_of(d->r, 3, 3, 3, 1) : one_of(d->r, 1, 2, 3, 5));
        gcast_op op = kernel(blocks, warps, 8, support_between(d->r, 5, 20));
        add(d, op, percent(d->r, 30) ? second : first, release_ns);
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
    uint32_t sms = (uint32_t)one_of(&r, 1, 2, 4, 16, 24, 24, 32);
    gcast_gpu *gpu = support_gpu("turned", 8, 0, (int)sms, &err);
    assert_non_null(gpu);
    gpu->register_quarters = true;
    gpu->priority_levels = 3;
    random_system s = {.g = {.gpu = gpu}, .workload = support_workload("turned", &err)};
    assert_non_null(s.workload);
    turned_draft d = {.r = &r, .gpu = gpu, .w = s.workload};
    d.has_tasks = percent(&r, 50);
    d.is_close = percent(&r, 70);
    d.period_ns = one_of(&r, 3000, 10000);
    add_holders(&d, sms);
    add_wide(&d, sms);
    add_above(&d, sms);
    add_watchers(&d);
    return s;
}
