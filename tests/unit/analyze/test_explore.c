/* Method explore on hand-made systems, whose executions are few enough to be counted out. */
#include <string.h>

#include "property/hand.h"
#include "support/builders.h"

typedef struct analyzed {
    fixture *f;
    gcast_analyze_options options;
    gcast_analysis *a;
} analyzed;

static int setup(void **state)
{
    static analyzed t;
    void *f;
    if (hand_setup(&f))
        return -1;
    t = (analyzed){.f = f, .options = gcast_analyze_options_default()};
    t.options.max_ms = 1000000000;
    t.options.coarse = true; /* the search over jobs, however small the system is */
    *state = &t;
    return 0;
}

static int teardown(void **state)
{
    analyzed *t = *state;
    gcast_analysis_free(t->a);
    return hand_teardown((void **)&t->f);
}

static void explore(analyzed *t)
{
    gcast_analysis_free(t->a);
    t->a = NULL;
    assert_ok(gcast_workload_analyze(t->f->w, t->f->gpu, GCAST_METHOD_EXPLORE, &t->options, &t->a, &t->f->err),
              &t->f->err);
}

/* The best and the worst response of each op, one op after the other. */
#define assert_responses(t, ...)                                                                                       \
    do {                                                                                                               \
        const int64_t want[] = {__VA_ARGS__};                                                                          \
        explore(t);                                                                                                    \
        assert_string_equal((t)->a->why_not ? (t)->a->why_not : "", "");                                               \
        assert_true((t)->a->complete);                                                                                 \
        assert_int_equal(2 * (t)->a->response_count, sizeof want / sizeof *want);                                      \
        for (size_t i_ = 0; i_ < (t)->a->response_count; i_++) {                                                       \
            assert_int_equal((t)->a->responses[i_].best_ns, want[2 * i_]);                                             \
            assert_int_equal((t)->a->responses[i_].worst_ns, want[2 * i_ + 1]);                                        \
        }                                                                                                              \
    } while (0)

#define assert_gives_up(t, words)                                                                                      \
    do {                                                                                                               \
        explore(t);                                                                                                    \
        assert_false((t)->a->complete);                                                                                \
        assert_non_null(strstr((t)->a->why_not, words));                                                               \
        for (size_t i_ = 0; i_ < (t)->a->response_count; i_++)                                                         \
            assert_true((t)->a->responses[i_].worst_ns == GCAST_NO_BOUND);                                             \
    } while (0)

static gcast_op ranged(int stream, int64_t release, uint32_t blocks, int64_t min, int64_t max)
{
    gcast_op op = kernel(stream, release, blocks, 1024, max); /* four slots */
    op.min_ns = min;
    return op;
}

static void task(analyzed *t, int stream, int64_t offset, int64_t period, int64_t jitter)
{
    gcast_task task = {.name = "task", .stream = stream, .offset_ns = offset, .period_ns = period, .jitter_ns = jitter};
    assert_true(support_add_task(t->f->w, &task, &t->f->err) >= 0);
}

static void one_kernel_takes_waves(void **state)
{
    analyzed *t = *state;
    stream(t->f, 1, 0, false);
    add(t->f, ranged(0, 5, 10, 6, 7));
    assert_responses(t, 18, 21);
    assert_int_equal(t->a->states, 2);
}

/* Three waves of a million blocks are as quick as of ten. */
static void many_blocks_are_no_more_work(void **state)
{
    analyzed *t = *state;
    stream(t->f, 1, 0, false);
    stream(t->f, 2, 0, false);
    add(t->f, ranged(0, 0, 1, 1000000000, 2000000000));
    add(t->f, ranged(1, 0, 2000000001, 6, 7));
    assert_responses(t, 1000000000, 2000000000, 3250000002, 4000000004);
}

/* Which kernel is first in the queue depends on how late the first task is released. */
static void jitter_turns_the_order_round(void **state)
{
    analyzed *t = *state;
    stream(t->f, 1, 0, false);
    stream(t->f, 2, 0, false);
    t->options.horizon_ns = 50;
    task(t, 0, 10, 100, 5);
    add(t->f, ranged(0, 0, 4, 20, 20));
    task(t, 1, 12, 100, 0);
    add(t->f, ranged(1, 0, 4, 30, 30));
    /* The second task's kernel is first if the first task is released at 13 or later. */
    assert_responses(t, 20, 49, 30, 50);
}

/* The second kernel of stream 1 is before that of stream 2 only if the first one is short. */
static void shorter_block_makes_a_later_end(void **state)
{
    analyzed *t = *state;
    gcast_simulate_options longest = gcast_simulate_options_default();
    gcast_run *run;
    stream(t->f, 1, 0, false);
    stream(t->f, 2, 0, false);
    gcast_workload_set_partition(t->f->w, 1);
    gcast_op ops[] = {ranged(0, 0, 1, 3, 5), ranged(0, 0, 1, 10, 10), ranged(1, 4, 1, 1, 1)};
    for (size_t i = 0; i < 3; i++) {
        ops[i].shape.dynamic_smem = 40000; /* one slot in all */
        add(t->f, ops[i]);
    }
    assert_ok(gcast_workload_simulate(t->f->w, t->f->gpu, &longest, &run, &t->f->err), &t->f->err);
    assert_int_equal(gcast_response_ns(&run->ops[2]), 2);
    gcast_run_free(run);
    /* The best of the last one is 2. The search by intervals says 1: it does not keep that a slot comes free when the
     * stream's kernel ends. */
    assert_responses(t, 3, 5, 13, 16, 1, 11);
    t->options.coarse = false;
    assert_responses(t, 3, 5, 13, 16, 2, 11);
}

/* A2: once a kernel of a higher level has entered, its blocks start first; blocks that are resident go on. */
static void higher_level_cuts_in(void **state)
{
    analyzed *t = *state;
    t->f->gpu->priority_levels = 2;
    stream(t->f, 1, 0, false);
    stream(t->f, 2, -1, false);
    t->options.horizon_ns = 50;
    task(t, 0, 0, 100, 0);
    add(t->f, ranged(0, 0, 8, 10, 10));
    task(t, 1, 5, 100, 10);
    add(t->f, ranged(1, 0, 4, 3, 3));
    /* If it enters at 10 or before, it starts before the second wave; from 11 on it starts after it. */
    assert_responses(t, 20, 23, 3, 12);
}

static void copies_are_before_kernels_of_their_stream(void **state)
{
    analyzed *t = *state;
    gcast_op in = copy(0, 0, GCAST_H2D, 4), other = copy(1, 1, GCAST_H2D, 2);
    in.min_ns = 3;
    stream(t->f, 1, 0, false);
    stream(t->f, 2, 0, false);
    t->f->gpu->stream_gap_ns = 1;
    add(t->f, in);
    add(t->f, ranged(0, 0, 4, 5, 6));
    add(t->f, other);
    assert_responses(t, 3, 4, 9, 11, 4, 5);
}

/* The example of the thesis in all 24 orders: as the simulator has it in the worst of them. */
static void any_order_is_the_worst_of_all_orders(void **state)
{
    analyzed *t = *state;
    static const int64_t ns[4] = {4, 6, 6, 5};
    static const uint32_t blocks[4] = {2, 7, 2, 5};
    int64_t best[4] = {99, 99, 99, 99}, worst[4] = {0};
    for (int order = 0; order < 256; order++) {
        int op[4] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
        if ((1 << op[0] | 1 << op[1] | 1 << op[2] | 1 << op[3]) != 15)
            continue;
        gcast_run *run;
        gcast_workload *w = support_workload("order", &t->f->err);
        for (int i = 0; i < 4; i++) {
            gcast_op k = kernel(support_get_stream(w, i + 1, &t->f->err), 0, blocks[op[i]], 512, ns[op[i]]);
            assert_true(support_add_op(w, &k, &t->f->err) >= 0);
        }
        assert_ok(gcast_workload_simulate(w, t->f->gpu, NULL, &run, &t->f->err), &t->f->err);
        for (int i = 0; i < 4; i++) {
            best[op[i]] = run->ops[i].end_ns < best[op[i]] ? run->ops[i].end_ns : best[op[i]];
            worst[op[i]] = run->ops[i].end_ns > worst[op[i]] ? run->ops[i].end_ns : worst[op[i]];
        }
        gcast_run_free(run);
        gcast_workload_free(w);
    }
    for (int i = 0; i < 4; i++) {
        stream(t->f, i + 1, 0, false);
        add(t->f, kernel(i, 0, blocks[i], 512, ns[i]));
    }
    assert_responses(t, 4, 4, 10, 10, 12, 12, 11, 11);
    t->options.any_order = true;
    assert_responses(t, best[0], worst[0], best[1], worst[1], best[2], worst[2], best[3], worst[3]);
}

/* 40 factorial orders: the last kernel starts when all slots have done the work of all others. */
static void bursts_are_bounded_by_work(void **state)
{
    analyzed *t = *state;
    t->options.any_order = true;
    for (int i = 0; i < 40; i++) {
        stream(t->f, i + 1, 0, false);
        add(t->f, ranged(i, 0, 4, 9, 10));
    }
    explore(t);
    assert_true(t->a->complete);
    assert_int_equal(t->a->states, 2);
    for (size_t i = 0; i < 40; i++) {
        assert_int_equal(t->a->responses[i].best_ns, 9);
        assert_in_range(t->a->responses[i].worst_ns, 400,
                        407); /* the bound counts up to 7.5 ns of idle slots before a kernel's last block */
    }
}

/* Copies of one engine wait for each other, in whatever order they arrive. */
static void bursts_of_copies_hold_up_the_next(void **state)
{
    analyzed *t = *state;
    t->options.any_order = true;
    t->options.max_states = 200;
    for (int i = 0; i < 5; i++) {
        stream(t->f, i + 1, 0, false);
        add(t->f, copy(i, i / 4, GCAST_H2D, 10));
    }
    assert_responses(t, 10, 40, 10, 40, 10, 40, 10, 40, 49, 49);
}

static void tasks_are_judged_for_ever(void **state)
{
    analyzed *t = *state;
    stream(t->f, 1, 0, false);
    stream(t->f, 2, 0, false);
    task(t, 0, 0, 20, 0);
    add(t->f, ranged(0, 0, 4, 5, 8));
    task(t, 1, 3, 40, 4);
    add(t->f, ranged(1, 0, 4, 6, 6));
    assert_responses(t, 5, 8, 6, 11);
    gcast_workload_set_duration(t->f->w, t->f->w->ops[0].label, 30);
    assert_gives_up(t, "grow without bound");
    t->options.horizon_ns = 20;
    explore(t);
    assert_true(t->a->complete);
    assert_non_null(strstr(t->a->assumptions[t->a->assumption_count - 1], "released before 20 ns"));
}

static void late_jobs_may_never_leave_it_idle(void **state)
{
    analyzed *t = *state;
    stream(t->f, 1, 0, false);
    task(t, 0, 0, 20, 15);
    add(t->f, ranged(0, 0, 4, 5, 8));
    assert_gives_up(t, "may be busy at every release");
}

static void hosts_that_never_wait_are_followed(void **state)
{
    analyzed *t = *state;
    gcast_op op = ranged(0, 0, 4, 5, 6);
    op.host = support_add_host(t->f->w, "host", &t->f->err);
    op.delay_ns = 3;
    stream(t->f, 1, 0, false);
    add(t->f, op); /* at 3 */
    add(t->f, op); /* at 6 */
    assert_responses(t, 5, 6, 7, 9);
    op.host_waits = true;
    add(t->f, op);
    assert_gives_up(t, "host_waits");
}

/* Blocks of different shapes of which 32 fit on an SM, whatever they are, are one pool. */
static void shapes_that_fit_alike_are_a_pool(void **state)
{
    analyzed *t = *state;
    stream(t->f, 1, 0, false);
    stream(t->f, 2, 0, false);
    t->f->gpu->register_quarters = false;
    add(t->f, kernel(0, 0, 64, 32, 10));
    add(t->f, kernel(1, 0, 1, 64, 10));
    assert_responses(t, 10, 10, 20, 20);
    assert_non_null(strstr(t->a->assumptions[t->a->assumption_count - 1], "slots of a pool"));
    t->f->gpu->register_quarters = true; /* two warps may leave quarters that are not alike */
    explore(t);
    assert_null(strstr(t->a->assumptions[t->a->assumption_count - 1], "slots of a pool"));
}

static bool stop(void *data, double fraction)
{
    (void)data, (void)fraction;
    return false;
}

static void limits_end_in_unknown(void **state)
{
    analyzed *t = *state;
    gcast_analyze_options defaults = t->options;
    t->options.any_order = true;
    for (int i = 0; i < 4; i++) {
        stream(t->f, i + 1, 0, false); /* two of a stream are no burst */
        add(t->f, ranged(i, 0, 1, 9, 10));
        add(t->f, ranged(i, 0, 2, 9, 10));
    }
    t->options.max_states = 20;
    assert_gives_up(t, "more than 20 states");
    t->options.max_states = 0;
    t->options.max_bytes = 1;
    assert_gives_up(t, "bytes");
    t->options.max_bytes = 0;
    t->options.progress = stop;
    assert_gives_up(t, "stopped");
    t->options = defaults;
    explore(t);
    assert_true(t->a->complete);
}

static void refuses_times_that_overflow(void **state)
{
    analyzed *t = *state;
    stream(t->f, 1, 0, false);
    add(t->f, ranged(0, 0, 1u << 30, 1, INT64_C(1) << 40));
    assert_gives_up(t, "64-bit");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(one_kernel_takes_waves),
        CASE(many_blocks_are_no_more_work),
        CASE(jitter_turns_the_order_round),
        CASE(shorter_block_makes_a_later_end),
        CASE(higher_level_cuts_in),
        CASE(copies_are_before_kernels_of_their_stream),
        CASE(any_order_is_the_worst_of_all_orders),
        CASE(bursts_are_bounded_by_work),
        CASE(bursts_of_copies_hold_up_the_next),
        CASE(tasks_are_judged_for_ever),
        CASE(late_jobs_may_never_leave_it_idle),
        CASE(hosts_that_never_wait_are_followed),
        CASE(shapes_that_fit_alike_are_a_pool),
        CASE(limits_end_in_unknown),
        CASE(refuses_times_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
