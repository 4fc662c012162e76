/* What tests of kernels that launch kernels share: a parent, its children, and their run. The GPU has 2 SMs of 2048
 * threads; a launch takes 100 ns and 10 ns for each launch of the warp; all else costs nothing unless a test says so.
 * Launchers decide 200 ns after the start of their block, so that a single child is in its stream at 310, and three of
 * one warp are at 330. */
#ifndef TESTS_UNIT_LAUNCH_SCENE_H
#define TESTS_UNIT_LAUNCH_SCENE_H

#include "property/hand.h"

#define AT 200
#define CHILD_NS 300
#define ITEM_NS 7

/* A parent, what it launches, and their run. */
typedef struct scene {
    fixture *f;
    gcast_launches launches;
    gcast_op child;
    gcast_run *run;
} scene;

static inline scene scene_of(void **state)
{
    scene x = {.f = *state, .launches = gcast_launches_default()};
    gcast_gpu *gpu = x.f->gpu;
    gpu->child_launch_ns = 100;
    gpu->child_step_ns = 10;
    gpu->child_call_ns = gpu->child_call_step_ns = gpu->child_refused_ns = gpu->child_service_ns = 0;
    gpu->child_call_service_ns = gpu->child_end_ns = 0;
    gpu->child_pool = gpu->child_queues = gpu->child_forget = gpu->child_level = 0;
    gpu->child_pool_grows = gpu->child_sync = 1;
    gpu->spawn_window_ns = 100;
    x.child = gcast_op_default(GCAST_KIND_KERNEL);
    x.child.label = "child";
    x.child.block[0] = 32;
    x.child.min_ns = x.child.max_ns = CHILD_NS;
    x.launches.at_ns = AT;
    x.launches.item_ns = ITEM_NS;
    return x;
}

/* A parent of `blocks` blocks of 32 threads. */
static inline void add_parent(scene *x, int64_t release, uint32_t blocks, int64_t ns)
{
    gcast_op op = kernel(stream(x->f, (int)x->f->w->stream_count + 1, 0, false), release, blocks, 32, ns);
    x->launches.child = &x->child;
    op.label = "parent";
    op.launches = &x->launches;
    add(x->f, op);
}

/* One block whose first threads have these items. */
#define PARENT(x, ns, ...)                                                                                             \
    do {                                                                                                               \
        static const uint32_t items_[] = {__VA_ARGS__};                                                                \
        (x)->launches.items = items_;                                                                                  \
        (x)->launches.item_count = sizeof items_ / sizeof *items_;                                                     \
        add_parent(x, 0, 1, ns);                                                                                       \
    } while (0)

/* Simulates without and with a record, which must give the same ends and sums. */
static inline void simulate(scene *x)
{
    fixture *f = x->f;
    gcast_run *plain;
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &plain, &f->err), &f->err);
    f->options.record_blocks = true;
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &x->run, &f->err), &f->err);
    assert_int_equal(plain->child_count, 0);
    for (size_t i = 0; i < plain->op_count; i++)
        assert_int_equal(plain->ops[i].end_ns, x->run->ops[i].end_ns);
    assert_memory_equal(plain->launches, x->run->launches, sizeof *plain->launches);
    assert_memory_equal(plain->series, x->run->series, sizeof *plain->series);
    gcast_run_free(plain);
}

static inline const gcast_run_op *child_op(const scene *x, size_t i)
{
    assert_true(i < x->run->child_count);
    return &x->run->ops[x->run->op_count + i];
}

#define assert_children(x, field, ...)                                                                                 \
    do {                                                                                                               \
        const int64_t want_[] = {__VA_ARGS__};                                                                         \
        assert_int_equal((x)->run->child_count, sizeof want_ / sizeof *want_);                                         \
        for (size_t i_ = 0; i_ < sizeof want_ / sizeof *want_; i_++)                                                   \
            assert_int_equal(child_op(x, i_)->field, want_[i_]);                                                       \
    } while (0)

#endif
