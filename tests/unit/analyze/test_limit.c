/* Every loop that can take long reads the clock. The clock of these tests jumps by a second each time it is read, so
 * that a limit passes when it is read first, or for the second, fifth or twentieth time. Soon after that the analysis
 * must end, on systems that take minutes and more without a limit. Processor time is measured, and a minute is allowed
 * for what takes seconds. */
#include "analyze/time_limit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gridcast/advice.h"
#include "property/hand.h"
#include "support/builders.h"

#define MANY_BLOCKS 20000
#define ENOUGH (60 * (double)CLOCKS_PER_SEC)

static int64_t clock_ms;
static long reads;

static int64_t jumps(void)
{
    reads++;
    return clock_ms += 1000;
}

/* A limit that passes when the clock is read for the n-th time. */
static int64_t limit_of_reads(long n)
{
    clock_ms = reads = 0;
    return n * 1000 - 500;
}

#define EACH_LOOK(n)                                                                                                   \
    for (long all_[] = {1, 2, 5, 20}, *at_ = all_, n = *at_; at_ < all_ + 4; n = ++at_ < all_ + 4 ? *at_ : 0)

static gcast_analyze_options options_of_reads(long n)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    options.max_ms = limit_of_reads(n);
    return options;
}

static int setup(void **state)
{
    clock_ms = reads = 0;
    limit_test_clock = jumps;
    if (hand_setup(state) != 0)
        return -1;
    fixture *f = *state;
    f->gpu->limits.resident_grids = 0;
    f->gpu->priority_levels = 3;
    for (int i = 0; i < 8; i++)
        stream(f, i + 1, 0, false);
    return 0;
}

static int teardown(void **state)
{
    limit_test_clock = NULL;
    return hand_teardown(state);
}

static gcast_op ranged(int stream, uint32_t blocks, uint32_t threads)
{
    gcast_op op = kernel(stream, 0, blocks, threads, 1000);
    op.min_ns = 500;
    return op;
}

static void gives_up(fixture *f, gcast_method method, bool any_order, const char *why)
{
    EACH_LOOK(n)
    {
        gcast_analyze_options options = options_of_reads(n);
        gcast_analysis *a;
        clock_t begin = clock();
        options.any_order = any_order;
        assert_ok(gcast_workload_analyze(f->w, f->gpu, method, &options, &a, &f->err), &f->err);
        assert_true((double)(clock() - begin) < ENOUGH);
        assert_false(a->complete);
        assert_non_null(strstr(a->why_not, why));
        assert_true(reads < n + 10);
        gcast_analysis_free(a);
    }
}

static void the_clock(void **state)
{
    (void)state;
    limit_test_clock = NULL;
    time_limit l = limit_from_now(INT64_MAX);
    assert_false(limit_passed(&l));
    assert_true(limit_left_ms(&l) > INT64_MAX / 2);
    limit_test_clock = jumps;
    l = limit_from_now(2500);
    assert_false(limit_passed(&l));
    assert_false(limit_passed(&l));
    assert_true(limit_passed(&l));
    assert_int_equal(limit_left_ms(&l), 1);
    l = limit_from_now(0); /* a minute */
    assert_int_equal(limit_left_ms(&l), 59000);
}

static void bound_of_many_kernels(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < MANY_BLOCKS; i++)
        add(f, ranged(i % 8, 2, 256));
    gives_up(f, GCAST_METHOD_BOUND, false, "reached its time limit");
}

static void bound_of_many_hosts(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < MANY_BLOCKS; i++) {
        gcast_op k = ranged(i % 8, 2, 256), b = host_op(GCAST_KIND_BARRIER, 0), s = host_op(GCAST_KIND_SYNC, 0);
        k.host = b.host = s.host = support_add_host(f->w, "host", &f->err);
        k.host_waits = i % 2;
        add(f, k);
        add(f, b);
        add(f, s);
        add(f, k);
    }
    gives_up(f, GCAST_METHOD_BOUND, false, "reached its time limit");
}

/* Busy periods in which a trillion jobs may be late. What is known when the limit passes is kept. */
static void bound_of_late_jobs(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        gcast_task t = {.name = "task", .period_ns = i ? 1500 : 500, .jitter_ns = i ? INT64_C(1) << 50 : 0};
        assert_true(support_add_task(f->w, &t, &f->err) >= 0);
        add(f, kernel(0, 0, 1, 32, i ? 10 : 20));
    }
    EACH_LOOK(n)
    {
        gcast_analyze_options options = options_of_reads(n);
        gcast_analysis *a;
        clock_t begin = clock();
        assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_BOUND, &options, &a, &f->err), &f->err);
        assert_true((double)(clock() - begin) < ENOUGH);
        assert_true(reads < n + 10);
        gcast_analysis_free(a);
    }
}

static void explore_of_a_pool(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < MANY_BLOCKS; i++)
        add(f, ranged(i % 8, 2, 256));
    gives_up(f, GCAST_METHOD_EXPLORE, false, "reached its time limit");
}

static void explore_by_events(void **state)
{
    static const uint32_t threads[] = {64, 96, 256, 512};
    fixture *f = *state;
    for (int i = 0; i < 15000; i++)
        add(f, ranged(i % 8, 2, threads[i % 4]));
    gives_up(f, GCAST_METHOD_EXPLORE, false, "reached its time limit");
}

static void explore_of_a_burst(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < MANY_BLOCKS; i++)
        add(f, ranged(stream(f, 100 + i, 0, false), 2, 256));
    gives_up(f, GCAST_METHOD_EXPLORE, true, "reached its time limit");
}

/* A single step of the simulation goes through all these blocks one by one. */
static void exact_of_many_blocks(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 100; i++)
        add(f, kernel(i % 8, 0, 2000000000, 256, 1000 + i));
    gives_up(f, GCAST_METHOD_EXACT, false, "reached its time limit");
}

static void orders(fixture *f, gcast_goal goal)
{
    EACH_LOOK(n)
    {
        gcast_advise_options options = gcast_advise_options_default();
        gcast_advice *a;
        clock_t begin = clock();
        options.sensitivity = options.levels = false;
        options.orders = true;
        options.max_ms = limit_of_reads(n);
        options.goal = goal;
        assert_ok(gcast_workload_advise(f->w, f->gpu, &options, &a, &f->err), &f->err);
        assert_true((double)(clock() - begin) < ENOUGH);
        assert_non_null(a->orders->stopped);
        assert_true(a->orders->runs <= (uint64_t)n && reads < n + 10);
        gcast_advice_free(a);
    }
}

static void orders_of_many_streams(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < MANY_BLOCKS; i++)
        add(f, kernel(stream(f, 100 + i, 0, false), 0, 2, 256, 1000));
    orders(f, GCAST_GOAL_MAKESPAN);
}

/* No move is allowed, so that nothing is simulated on the way. */
static void orders_of_one_stream(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < MANY_BLOCKS; i++)
        add(f, kernel(0, 0, 2, 256, 1000));
    orders(f, GCAST_GOAL_TOTAL);
}

static void add_tasks(fixture *f, int count)
{
    for (int i = 0; i < count; i++) {
        gcast_task t = {.name = "task", .period_ns = 1000000000, .deadline_ns = 1000000000};
        t.stream = stream(f, 100 + i, 0, false);
        assert_true(support_add_task(f->w, &t, &f->err) >= 0);
        add(f, ranged(t.stream, 2, 256));
    }
}

static void priorities(void **state)
{
    fixture *f = *state;
    add_tasks(f, MANY_BLOCKS);
    EACH_LOOK(n)
    {
        gcast_advise_options options = gcast_advise_options_default();
        gcast_advice *a;
        clock_t begin = clock();
        options.sensitivity = false;
        options.max_ms = limit_of_reads(n);
        assert_ok(gcast_workload_advise(f->w, f->gpu, &options, &a, &f->err), &f->err);
        assert_true((double)(clock() - begin) < ENOUGH);
        assert_non_null(a->levels->why_not);
        assert_non_null(strstr(a->levels->why_not, "reached its time limit"));
        assert_false(a->levels->found || a->levels->none);
        gcast_advice_free(a);
    }
}

static void sensitivity(void **state)
{
    fixture *f = *state;
    add_tasks(f, MANY_BLOCKS / 4);
    EACH_LOOK(n)
    {
        gcast_advise_options options = gcast_advise_options_default();
        gcast_advice *a;
        clock_t begin = clock();
        options.levels = false;
        options.max_ms = limit_of_reads(n);
        assert_ok(gcast_workload_advise(f->w, f->gpu, &options, &a, &f->err), &f->err);
        assert_true((double)(clock() - begin) < ENOUGH);
        assert_non_null(a->sensitivity->why_not);
        gcast_advice_free(a);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_clock),
        CASE(bound_of_many_kernels),
        CASE(bound_of_many_hosts),
        CASE(bound_of_late_jobs),
        CASE(explore_of_a_pool),
        CASE(explore_by_events),
        CASE(explore_of_a_burst),
        CASE(exact_of_many_blocks),
        CASE(orders_of_many_streams),
        CASE(orders_of_one_stream),
        CASE(priorities),
        CASE(sensitivity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
