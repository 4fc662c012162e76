/* Hosts that wait for each other's barriers: workloads that never end, or may never
 * end, and that no method answers them. Also calls that are never made, or made too
 * late. */
#include <string.h>

#include "model/workload/barriers.h"
#include "property/hand.h"
#include "support/builders.h"

static int host(fixture *f, const char *name)
{
    int h = support_add_host(f->w, name, &f->err);
    assert_true(h >= 0);
    return h;
}

static gcast_op barrier(int host, int number)
{
    gcast_op op = host_op(GCAST_KIND_BARRIER, host);
    op.barrier = number;
    return op;
}

static gcast_op skipped(gcast_op op, int64_t ns)
{
    op.skip_ns = ns;
    return op;
}

/* A kernel whose duration is a range, so that exact does not apply. */
static gcast_op ranged(fixture *f, int host)
{
    gcast_op op = kernel(support_get_stream(f->w, 1, &f->err), 0, 1, 32, 10);
    op.min_ns = 5;
    op.host = host;
    return op;
}

static void assert_never_ends(fixture *f, const char *path)
{
    bool may_wait;
    gcast_run *run;
    assert_int_equal(barriers_check(f->w, &may_wait, &f->err), GCAST_INPUT);
    assert_string_equal(f->err.path, path);
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, NULL, &run, &f->err), GCAST_INPUT);
    for (int m = 0; m < GCAST_METHODS; m++) {
        gcast_analysis *a;
        assert_int_equal(gcast_workload_analyze(f->w, f->gpu, (gcast_method)m, NULL, &a, &f->err), GCAST_INPUT);
        assert_non_null(strstr(f->err.message, "never ends"));
        assert_string_equal(f->err.path, path);
    }
}

static gcast_analysis *bound(fixture *f, int64_t horizon)
{
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.horizon_ns = horizon;
    assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_BOUND, &options, &a, &f->err), &f->err);
    return a;
}

static void one_host_twice(void **state)
{
    fixture *f = *state;
    int a = host(f, "a");
    add(f, barrier(a, 1));
    add(f, barrier(a, 1));
    add(f, ranged(f, a));
    assert_never_ends(f, "/ops/0");
}

static void two_hosts_crosswise(void **state)
{
    fixture *f = *state;
    int a = host(f, "a"), b = host(f, "b");
    add(f, ranged(f, a));
    add(f, barrier(a, 1));
    add(f, barrier(b, 2));
    add(f, barrier(a, 2));
    add(f, barrier(b, 1));
    assert_never_ends(f, "/ops/1");
}

/* A barrier without a host waits for one that is never called. */
static void behind_others(void **state)
{
    fixture *f = *state;
    int a = host(f, "a");
    add(f, barrier(GCAST_NO_HOST, 3));
    add(f, barrier(a, 1));
    add(f, barrier(a, 1));
    add(f, barrier(a, 3));
    assert_never_ends(f, "/ops/0");
}

/* Numbers of barriers only identify them: they may be as large as possible, or negative. */
static void any_numbers(void **state)
{
    fixture *f = *state;
    int a = host(f, "a"), b = host(f, "b");
    add(f, barrier(a, INT32_MAX));
    add(f, barrier(a, INT32_MIN));
    add(f, barrier(b, INT32_MAX));
    add(f, ranged(f, b));
    add(f, barrier(b, INT32_MIN));
    run(f);
    assert_ends(f, 0, 0, 0, 10, 0);
    gcast_analysis *r = bound(f, 0);
    assert_true(r->complete);
    assert_int_equal(r->responses[0].worst_ns, 10);
    gcast_analysis_free(r);
}

/* Whether b is late for its second barrier depends on the duration of its kernel. */
static void skipped_by_times(void **state)
{
    fixture *f = *state;
    int a = host(f, "a"), b = host(f, "b");
    gcast_op k = ranged(f, b);
    bool may_wait;
    k.host_waits = true;
    add(f, barrier(a, 1));
    add(f, barrier(a, 2));
    add(f, k);
    add(f, skipped(barrier(b, 2), 8));
    add(f, barrier(b, 1));
    assert_ok(barriers_check(f->w, &may_wait, &f->err), &f->err);
    assert_true(may_wait);
    gcast_analysis *r = bound(f, 0);
    assert_false(r->complete);
    assert_non_null(strstr(r->why_not, "skipped"));
    gcast_analysis_free(r);
    run(f); /* the longest: it ends */
    gcast_run *shortest;
    f->options.durations = GCAST_DURATIONS_MIN;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, &f->options, &shortest, &f->err), GCAST_INPUT);
}

/* A host that a skipped call lets go on is skipped in turn, and lets another go on, in any order of hosts. */
static void skips_one_after_the_other(void **state)
{
    fixture *f = *state;
    int a = host(f, "a"), b = host(f, "b");
    gcast_op late = host_op(GCAST_KIND_MALLOC, b);
    late.release_ns = 40;
    add(f, barrier(GCAST_NO_HOST, 0));
    add(f, barrier(a, 2));
    add(f, skipped(host_op(GCAST_KIND_MALLOC, a), 20));
    add(f, barrier(a, 0));
    add(f, skipped(late, 10));
    add(f, barrier(b, 2));
    run(f);
    assert_ends(f, 40, 40, -1, -1, -1, -1);
}

static void never_called(void **state)
{
    fixture *f = *state;
    int a = host(f, "a");
    gcast_op late = ranged(f, a);
    late.release_ns = 100;
    add(f, ranged(f, a));
    add(f, skipped(late, 50));
    add(f, ranged(f, a));
    gcast_analysis *r = bound(f, 0);
    assert_true(r->complete);
    for (int i = 0; i < 3; i++)
        assert_int_equal(r->responses[i].never_called, i > 0);
    assert_int_equal(r->responses[0].worst_ns, 10);
    assert_int_equal(r->responses[1].worst_ns, 0);
    gcast_analysis_free(r);
}

static void after_the_horizon(void **state)
{
    fixture *f = *state;
    gcast_op k = kernel(stream(f, 1, 0, false), 0, 1, 128, 10);
    gcast_task t = {.name = "late", .period_ns = 1000, .deadline_ns = 1000, .offset_ns = 5000};
    assert_true(support_add_task(f->w, &t, &f->err) >= 0);
    add(f, k);
    for (int m = 0; m < GCAST_METHODS; m++) {
        gcast_analysis *a;
        gcast_analyze_options options = gcast_analyze_options_default();
        options.horizon_ns = 5000;
        assert_ok(gcast_workload_analyze(f->w, f->gpu, (gcast_method)m, &options, &a, &f->err), &f->err);
        assert_true(!a->complete || a->responses[0].never_called);
        assert_int_equal(a->complete, m != GCAST_METHOD_EXPLORE);
        gcast_analysis_free(a);
        options.horizon_ns = 5001;
        assert_ok(gcast_workload_analyze(f->w, f->gpu, (gcast_method)m, &options, &a, &f->err), &f->err);
        assert_true(a->complete);
        assert_false(a->responses[0].never_called);
        gcast_analysis_free(a);
    }
}

/* The simulator has no times for these, so the bound has no answer. */
static void calls_that_are_too_late(void **state)
{
    fixture *f = *state;
    int a = host(f, "a");
    gcast_run *run;
    for (int i = 0; i < 4; i++) {
        gcast_op k = ranged(f, a);
        k.delay_ns = INT64_MAX / 4;
        add(f, k);
    }
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, NULL, &run, &f->err), GCAST_INPUT);
    gcast_analysis *r = bound(f, 0);
    assert_false(r->complete);
    assert_non_null(strstr(r->why_not, "2^60"));
    gcast_analysis_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(one_host_twice), HAND_CASE(two_hosts_crosswise), HAND_CASE(behind_others),
        HAND_CASE(any_numbers),    HAND_CASE(skipped_by_times),    HAND_CASE(skips_one_after_the_other),
        HAND_CASE(never_called),   HAND_CASE(after_the_horizon),   HAND_CASE(calls_that_are_too_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
