/* Systems in which something is always on its way, and some tasks begin periods after others: small kernels and copies
 * in few streams and connections, and a copy the other way that covers the rest of each period. */
#include "property/system.h"
#include "support/builders.h"

#define PERIOD_NS 60
#define MAX_OPS 3

/* Kernels of tasks that begin late put copies of others in an order that they did not have before. */
static void add_task(support_random *r, gcast_workload *w, int stream, int64_t offset_ns)
{
    gcast_error err;
    gcast_task task = {
        .name = "task", .stream = stream, .period_ns = PERIOD_NS, .deadline_ns = PERIOD_NS, .offset_ns = offset_ns};
    int64_t release_ns = 0;
    assert_true(support_add_task(w, &task, &err) >= 0);
    for (int64_t i = support_between(r, 2, MAX_OPS); i > 0; i--) {
        gcast_op op = random_copy(r, 14);
        if (percent(r, offset_ns < PERIOD_NS ? 40 : 80)) {
            op = gcast_op_default(GCAST_KIND_KERNEL);
            op.label = "kernel";
            op.block[0] = 32;
            op.min_ns = op.max_ns = support_between(r, 1, 12);
        } else {
            op.direction = GCAST_H2D;
        }
        op.stream = percent(r, 50) ? stream : (int)support_between(r, 0, (int64_t)w->stream_count - 2);
        op.release_ns = release_ns;
        release_ns += support_between(r, 0, 4);
        assert_true(support_add_op(w, &op, &err) >= 0);
    }
}

/* The copy that is there when nothing else is. */
static void add_cover(support_random *r, gcast_workload *w)
{
    gcast_error err;
    gcast_op op = random_copy(r, 1);
    gcast_task task = {.name = "cover",
                       .stream = (int)w->stream_count - 1,
                       .period_ns = PERIOD_NS,
                       .deadline_ns = PERIOD_NS,
                       .offset_ns = support_between(r, 0, 20)};
    op.direction = GCAST_D2H;
    op.stream = task.stream;
    op.min_ns = op.max_ns = support_between(r, PERIOD_NS / 2, PERIOD_NS - 5);
    assert_true(support_add_task(w, &task, &err) >= 0);
    assert_true(support_add_op(w, &op, &err) >= 0);
}

random_system late_system_make(uint64_t seed)
{
    gcast_error err;
    support_random r = {seed * 0x9e3779b97f4a7c15 + 78};
    support_next(&r);
    random_system s = {.g = {.gpu = support_gpu("late", 6, 2, 2, &err)}};
    assert_non_null(s.g.gpu);
    s.g.gpu->copy_engines = 2;
    s.g.gpu->connections = (int)one_of(&r, 0, 1, 1, 2);
    s.workload = support_workload("late", &err);
    assert_non_null(s.workload);
    int streams = (int)support_between(&r, 2, 3);
    for (int i = 0; i <= streams; i++)
        assert_true(support_add_stream(s.workload, (gcast_stream){.id = i + 1}, &err) >= 0);
    for (int64_t tasks = support_between(&r, 2, 3), t = 0; t < tasks; t++)
        add_task(&r, s.workload, (int)support_between(&r, 0, streams - 1),
                 support_between(&r, 0, 8) + PERIOD_NS * (t ? one_of(&r, 0, 1, 2) : 0));
    add_cover(&r, s.workload);
    return s;
}
