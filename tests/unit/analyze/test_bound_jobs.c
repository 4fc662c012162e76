/* Lemma 10 of docs/bound.md by hand: small systems in which it is exact. */
#include "unit/analyze/by_bound.h"

/* Released together, each kernel fills the GPU: they go in the order in which they enter, which the second kernels do
 * when the first of their job has ended (lemma 10). */
static void jobs_in_order(void **state)
{
    fixture *f = *state;
    add_task(f, stream(f, 1, 0, false), 100, 0);
    add(f, kernel(0, 0, 8, 512, 10));
    add(f, kernel(0, 0, 8, 512, 10));
    add_task(f, stream(f, 2, 0, false), 200, 0);
    add(f, kernel(1, 0, 8, 512, 20));
    add(f, kernel(1, 0, 8, 512, 20));
    assert_worst(analyze(f, false), 10, 40, 30, 60);
}

/* The kernel of the second task is behind both of the first one in the only connection. */
static void jobs_in_one_connection(void **state)
{
    fixture *f = *state;
    f->gpu->connections = 1;
    add_task(f, stream(f, 1, 0, false), 100, 0);
    add(f, kernel(0, 0, 8, 512, 10));
    add(f, kernel(0, 0, 8, 512, 10));
    add_task(f, stream(f, 2, 0, false), 100, 0);
    add(f, kernel(1, 0, 8, 512, 20));
    assert_worst(analyze(f, false), 10, 20, 40);
}

/* The third task joins the connection of the first one, the one not joined for longest, and is behind its second
 * kernel: that enters when the first has ended, behind the kernel of the second task. */
static void jobs_in_two_connections(void **state)
{
    fixture *f = *state;
    f->gpu->connections = 2;
    add_task(f, stream(f, 1, 0, false), 1000, 0);
    add(f, kernel(0, 0, 8, 512, 10));
    add(f, kernel(0, 0, 8, 512, 10));
    add_task(f, stream(f, 2, 0, false), 1000, 0);
    add(f, kernel(1, 0, 8, 512, 20));
    add_task(f, stream(f, 3, 0, false), 1000, 0);
    add(f, kernel(2, 0, 8, 512, 40));
    assert_worst(analyze(f, false), 10, 40, 30, 80);
}

/* The task below has more work than time, and no bound. Those above are followed job by job, after a block from below.
 */
static void jobs_above_others(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    add_task(f, stream(f, 1, -1, false), 100, 0);
    add(f, kernel(0, 0, 8, 512, 10));
    add_task(f, stream(f, 2, -1, false), 200, 0);
    add(f, kernel(1, 0, 8, 512, 20));
    add_task(f, stream(f, 3, 0, false), 100, 1000);
    add(f, kernel(2, 0, 32, 512, 30));
    assert_worst(analyze(f, false), 40, 60, GCAST_NO_BOUND);
}

/* The copy of the second task takes long only in jobs that are called with the first task, and the copy of the third
 * task never meets these. A copy from below may always be there. */
static void copies_above_others(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    add_task(f, stream(f, 1, -1, false), 200, 0);
    add(f, kernel(0, 0, 8, 512, 30));
    add_task(f, stream(f, 2, -1, false), 100, 0);
    add(f, kernel(1, 0, 8, 512, 10));
    add(f, copy(1, 0, GCAST_H2D, 10));
    add_task_at(f, stream(f, 3, -1, false), 200, 0, 150);
    add(f, copy(2, 0, GCAST_H2D, 20));
    add_task_at(f, stream(f, 4, -1, false), 200, 0, 120);
    add(f, kernel(3, 0, 8, 512, 60));
    add_task(f, stream(f, 5, 0, false), 100, 1000);
    add(f, copy(4, 0, GCAST_H2D, 5));
    add(f, kernel(4, 0, 80, 512, 10));
    assert_worst(analyze(f, false), 40, 50, 65, 25, 70, GCAST_NO_BOUND, GCAST_NO_BOUND);
}

/* The two levels that have a bound have copies only: each may wait for the other, and for the gap behind it. */
static void copies_of_two_levels(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 3;
    f->gpu->copy_gap_ns = 4;
    f->gpu->copy_latency_ns = 10;
    add_task(f, stream(f, 1, -2, false), 200, 0);
    add(f, copy(0, 0, GCAST_D2H, 14));
    add_task(f, stream(f, 2, -1, false), 200, 0);
    add(f, copy(1, 0, GCAST_D2H, 12));
    add_task(f, stream(f, 3, 0, false), 100, 1000);
    add(f, kernel(2, 0, 80, 512, 10));
    assert_worst(analyze(f, true), 40, 40, GCAST_NO_BOUND);
}

/* Some call is always on its way (lemma 11). When the last kernel is called, that of the first stream and the second
 * one of the second stream have not entered: in the only connection it is behind the latter. Responses are 80, 90, 110
 * and 100. */
static void never_over_in_one_connection(void **state)
{
    fixture *f = *state;
    f->gpu->connections = 1;
    f->gpu->launch_latency_ns = 40;
    add_task_at(f, stream(f, 1, 0, false), 100, 0, 20);
    add(f, kernel(0, 0, 8, 512, 40));
    add_task_at(f, stream(f, 2, 0, false), 100, 0, 30);
    add(f, kernel(1, 0, 8, 512, 20));
    add(f, kernel(1, 0, 8, 512, 20));
    add_task_at(f, stream(f, 3, 0, false), 100, 0, 50);
    add(f, kernel(2, 0, 8, 512, 10));
    assert_worst(analyze(f, false), 80, 100, 120, 110);
}

/* Is any response of the simulation up to a horizon longer than its bound, of what ends by then, or where no job is
 * released later? */
static bool passes_a_bound(fixture *f, int64_t horizon_ns, bool is_last)
{
    gcast_run *run;
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_simulate_options simulated = gcast_simulate_options_default();
    bool passes = false;
    options.horizon_ns = is_last ? horizon_ns : 0;
    simulated.horizon_ns = horizon_ns;
    assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_BOUND, &options, &a, &f->err), &f->err);
    assert_true(a->complete);
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &simulated, &run, &f->err), &f->err);
    for (size_t i = 0; i < run->op_count; i++)
        for (size_t n = 0; n < a->response_count; n++)
            passes = passes || (a->responses[n].op == run->ops[i].op && (is_last || run->ops[i].end_ns <= horizon_ns) &&
                                gcast_response_ns(&run->ops[i]) > a->responses[n].worst_ns);
    gcast_run_free(run);
    gcast_analysis_free(a);
    return passes;
}

/* Some call is always on its way, and the second task begins in the third period. From then on the long copy is behind
 * its kernels, and so behind the short one; before, it keeps the short one waiting, which takes 17 and not 11. */
static void never_over_and_begun_late(void **state)
{
    fixture *f = *state;
    f->gpu->connections = 1;
    f->gpu->copy_engines = 2;
    int first = stream(f, 1, 0, false), second = stream(f, 2, 0, false), third = stream(f, 3, 0, false);
    add_task(f, first, 20, 0);
    add(f, kernel(first, 0, 1, 32, 10));
    add(f, copy(first, 1, GCAST_H2D, 2));
    add(f, copy(second, 4, GCAST_H2D, 12));
    add_task_at(f, first, 20, 0, 42);
    add(f, kernel(first, 0, 1, 32, 1));
    add(f, kernel(second, 1, 1, 32, 1));
    add_task_at(f, third, 20, 0, 8);
    add(f, copy(third, 0, GCAST_D2H, 15));
    assert_false(passes_a_bound(f, 80, false));
}

/* Copies of the third task are called before the copy of the first one that is in their stream, and keep it back. Where
 * no job is released from 126 on, they are not there: it comes before the long copy, which takes 24 and not 23. */
static void no_more_jobs(void **state)
{
    fixture *f = *state;
    f->gpu->connections = 1;
    f->gpu->copy_engines = 2;
    int first = stream(f, 1, 0, false), second = stream(f, 2, 0, false), third = stream(f, 3, 0, false);
    add_task_at(f, first, 60, 0, 65);
    add(f, copy(first, 0, GCAST_H2D, 2));
    add(f, copy(second, 3, GCAST_H2D, 6));
    add(f, kernel(first, 5, 1, 32, 7));
    add_task_at(f, second, 60, 0, 3);
    add(f, kernel(second, 0, 1, 32, 9));
    add(f, copy(first, 4, GCAST_H2D, 8));
    add(f, copy(first, 5, GCAST_H2D, 11));
    add_task_at(f, second, 60, 0, 66);
    add(f, copy(second, 0, GCAST_H2D, 5));
    add(f, copy(second, 0, GCAST_H2D, 12));
    add(f, copy(second, 0, GCAST_H2D, 11));
    add_task_at(f, third, 60, 0, 19);
    add(f, copy(third, 0, GCAST_D2H, 41));
    assert_false(passes_a_bound(f, 126, true));
    assert_false(passes_a_bound(f, 126, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(jobs_in_order),
        HAND_CASE(jobs_in_one_connection),
        HAND_CASE(jobs_in_two_connections),
        HAND_CASE(jobs_above_others),
        HAND_CASE(copies_above_others),
        HAND_CASE(copies_of_two_levels),
        HAND_CASE(never_over_in_one_connection),
        HAND_CASE(never_over_and_begun_late),
        HAND_CASE(no_more_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
