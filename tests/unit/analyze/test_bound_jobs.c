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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
