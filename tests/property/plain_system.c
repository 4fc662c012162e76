/* A few tasks, or as many ops that run once, on one to three SMs that cost nothing besides their blocks: so bounds are
 * close, and what is missing in one is seen. Kernels of long blocks in several waves, and others above them that need
 * most of an SM. */
#include "property/system.h"
#include "support/builders.h"

#define MAX_TASKS 4

static gcast_op draw_kernel(support_random *r)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = "kernel";
    op.grid[0] = (uint32_t)support_between(r, 1, one_of(r, 2, 4, 12));
    op.block[0] = (uint32_t)one_of(r, 128, 256, 512, 640, 768, 1024);
    op.shape.registers = (int)one_of(r, 16, 16, 32, 64);
    op.min_ns = op.max_ns = support_between(r, 2, one_of(r, 10, 30, 60));
    if (percent(r, 60))
        op.min_ns = (op.max_ns * one_of(r, 3, 5, 8) + 9) / 10;
    return op;
}

/* How jobs are released. */
typedef enum releases { KNOWN, LATE, ONCE } releases;

static void add_job(support_random *r, gcast_workload *w, int stream, int64_t period_ns, releases how)
{
    gcast_error err;
    gcast_task task = {.name = "task", .stream = stream, .period_ns = period_ns * one_of(r, 1, 1, 1, 2)};
    task.deadline_ns = task.period_ns;
    task.offset_ns = percent(r, 30) ? 0 : support_between(r, 0, period_ns / 2);
    task.jitter_ns = how == LATE ? support_between(r, 0, period_ns / 8) : 0;
    if (how != ONCE)
        assert_true(support_add_task(w, &task, &err) >= 0);
    for (int64_t n = support_between(r, 1, 3); n > 0; n--) {
        gcast_op op = percent(r, 88) ? draw_kernel(r) : random_copy(r, 20);
        op.stream = stream;
        op.release_ns = how == ONCE ? task.offset_ns : 0;
        assert_true(support_add_op(w, &op, &err) >= 0);
    }
}

random_system plain_system_make(uint64_t seed)
{
    gcast_error err;
    support_random r = {seed * 0x9e3779b97f4a7c15 + 55};
    support_next(&r);
    int capability = (int)one_of(&r, 6, 8);
    gcast_gpu *gpu = support_gpu("plain", capability, 0, (int)support_between(&r, 1, 3), &err);
    assert_non_null(gpu);
    gpu->priority_levels = 3;
    gpu->connections = (int)one_of(&r, 0, 0, 0, 1, 2);
    gpu->switch_ns = one_of(&r, 0, 0, 0, 2, 9);
    gpu->register_quarters = percent(&r, 30);
    random_system s = {.g = {.gpu = gpu}, .workload = support_workload("plain", &err)};
    assert_non_null(s.workload);
    bool has_null = percent(&r, 15);
    releases how = (releases)one_of(&r, KNOWN, KNOWN, LATE, ONCE);
    int64_t period_ns = support_between(&r, how == ONCE ? 20 : 100, how == ONCE ? 200 : 600);
    for (int64_t t = 0, tasks = support_between(&r, 2, MAX_TASKS); t < tasks; t++) {
        gcast_stream stream = {.id = (int)t + 1, .priority = -(int)one_of(&r, 0, 0, 1, 2)};
        if (has_null)
            stream = (gcast_stream){.id = (int)t, .priority = t ? stream.priority : 0, .blocking = percent(&r, 60)};
        int index = support_add_stream(s.workload, stream, &err);
        assert_true(index >= 0);
        add_job(&r, s.workload, index, period_ns, how);
    }
    return s;
}
