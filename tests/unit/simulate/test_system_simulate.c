/* Executions of systems: hand-made cases for each rule of cores. */
#include "support/expect_run.h"
#include "support/make_system.h"
#include "support/support.h"

static void test_preemption(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A");
    int low = add_periodic(m, "low", core, 1, 20);
    int high = add_periodic(m, "high", core, 2, 10);
    add_run(m, low, 6, 8);
    add_run(m, high, 2, 3);
    made_task(m, high)->offset_ns = 4;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, NULL);
    assert_int_equal(run->horizon_ns, 24); /* a hyperperiod after the offset */
    expect_job(run, low, 0, 0, 0, 11);
    expect_job(run, high, 0, 4, 4, 7);
    expect_job(run, high, 1, 14, 14, 17);
    assert_int_equal(run->slice_count, 5);
    assert_int_equal(run->slices[0].end_ns, 4);
    assert_int_equal(run->slices[2].start_ns, 7);
    expect_done(run, s);
}

/* Of equal priorities the one that was released first runs, then that of the lower index; it is not preempted by an
 * equal one. */
static void test_equal_priorities(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A");
    int a = add_periodic(m, "a", core, 1, 100), b = add_periodic(m, "b", core, 1, 100),
        c = add_periodic(m, "c", core, 1, 100), high = add_periodic(m, "high", core, 2, 100);
    for (int t = a; t <= high; t++)
        add_run(m, t, 10, 10);
    made_task(m, a)->offset_ns = made_task(m, b)->offset_ns = 2;
    made_task(m, high)->offset_ns = 4;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
    expect_slices(run, c, 0, "0-4 14-20");
    expect_slices(run, high, 0, "4-14");
    expect_slices(run, a, 0, "20-30");
    expect_slices(run, b, 0, "30-40");
    expect_done(run, s);
}

/* A job that was preempted comes after an equal one that was released before it. */
static void test_equal_after_preemption(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A"), other = add_core(m, "B");
    int first = add_periodic(m, "first", core, 1, 100), second = add_periodic(m, "second", core, 1, 100),
        high = add_periodic(m, "high", core, 2, 100), helper = add_triggered(m, "helper", other, 1);
    add_run(m, first, 2, 2);
    add_trigger(m, first, helper);
    add_wait(m, first, helper);
    add_run(m, first, 5, 5);
    add_run(m, helper, 3, 3);
    add_run(m, second, 10, 10);
    add_run(m, high, 1, 1);
    made_task(m, second)->offset_ns = 1;
    made_task(m, high)->offset_ns = 7;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
    expect_slices(run, second, 0, "2-7 13-18"); /* first is there again at 5 */
    expect_slices(run, first, 0, "0-2 8-13");
    expect_done(run, s);
}

/* One that is not preemptive runs to its wait or its end; a cooperative one to the end of its step. */
static void test_preemption_kinds(void **state)
{
    (void)state;
    static const struct {
        sys_preemption kind;
        const char *low, *high;
    } expected[] = {{SYS_PREEMPTIVE, "0-2 4-5 5-10 w10-12 w15-17 17-19", "2-4"},
                    {SYS_COOPERATIVE, "0-3 5-10 w10-12 15-17", "3-5"},
                    {SYS_NON_PREEMPTIVE, "0-3 3-8 w8-9 w11-12 15-17", "9-11"}};
    for (size_t i = 0; i < 3; i++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "A"), other = add_core(m, "B");
        int low = add_periodic(m, "low", core, 1, 100), high = add_periodic(m, "high", core, 2, 100),
            later = add_periodic(m, "later", core, 3, 100), helper = add_triggered(m, "helper", other, 1);
        add_run(m, low, 3, 3);
        add_trigger(m, low, helper);
        add_run(m, low, 5, 5);
        add_wait(m, low, helper);
        add_run(m, low, 2, 2);
        made_place(m, low)->busy = true;
        made_task(m, low)->preemption = expected[i].kind;
        add_run(m, helper, 12, 12);
        add_run(m, high, 2, 2);
        made_task(m, high)->offset_ns = expected[i].kind == SYS_NON_PREEMPTIVE ? 9 : 2;
        add_run(m, later, 3, 3);
        made_task(m, later)->offset_ns = 12;
        sys_system *s = make_system_done(m);
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
        expect_slices(run, low, 0, expected[i].low);
        expect_slices(run, high, 0, expected[i].high);
        expect_slices(run, later, 0, "12-15"); /* a wait can be preempted whatever the kind */
        expect_done(run, s);
    }
}

/* A row of steps is not preempted either, also where the first of them was already under way. */
static void test_not_preempted(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A");
    int low = add_periodic(m, "low", core, 1, 100), high = add_periodic(m, "high", core, 2, 100);
    add_run(m, low, 3, 3);
    add_run(m, low, 5, 5);
    made_task(m, low)->preemption = SYS_NON_PREEMPTIVE;
    add_run(m, high, 2, 2);
    made_task(m, high)->offset_ns = 1;
    made_task(m, high)->isr = true;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
    expect_slices(run, low, 0, "0-3 3-8");
    expect_job(run, high, 0, 1, 8, 10);
    expect_done(run, s);
}

/* Interrupts run before all tasks, whatever the numbers. */
static void test_interrupts(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A");
    int task = add_periodic(m, "task", core, 99, 100), isr = add_periodic(m, "isr", core, 1, 100);
    add_run(m, task, 10, 10);
    add_run(m, isr, 3, 3);
    made_task(m, isr)->isr = true;
    made_task(m, isr)->offset_ns = 4;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
    expect_slices(run, isr, 0, "4-7");
    expect_slices(run, task, 0, "0-4 7-13");
    expect_done(run, s);
}

/* A busy wait holds the core, but for tasks of higher priority; one that suspends leaves it to others. */
static void test_waits(void **state)
{
    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "A"), other = add_core(m, "B");
        int waits = add_periodic(m, "waits", core, 2, 100), low = add_periodic(m, "low", core, 1, 100),
            high = add_periodic(m, "high", core, 3, 100), helper = add_triggered(m, "helper", other, 1);
        add_run(m, waits, 2, 2);
        add_trigger(m, waits, helper);
        add_wait(m, waits, helper);
        add_run(m, waits, 3, 3);
        made_place(m, waits)->busy = busy;
        add_run(m, helper, 8, 8);
        add_run(m, low, 4, 4);
        add_run(m, high, 3, 3);
        made_task(m, high)->offset_ns = 8;
        sys_system *s = make_system_done(m);
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
        expect_job(run, helper, 0, 2, 2, 10);
        expect_slices(run, waits, 0, busy ? "0-2 w2-8 11-14" : "0-2 11-14");
        expect_slices(run, low, 0, busy ? "14-18" : "2-6");
        expect_done(run, s);
    }
}

/* A wait for a task of the same core: one of higher priority runs at once, so that a busy wait is over before it began;
 * a busy wait for one of lower priority is suspended. */
static void test_waits_for_same_core(void **state)
{
    (void)state;
    for (int64_t priority = 1; priority <= 3; priority++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "A");
        int waits = add_periodic(m, "waits", core, 2, 100), helper = add_triggered(m, "helper", core, priority);
        add_run(m, waits, 2, 2);
        add_trigger(m, waits, helper);
        add_wait(m, waits, helper);
        add_run(m, waits, 3, 3);
        made_place(m, waits)->busy = true;
        add_run(m, helper, 8, 8);
        sys_system *s = make_system_done(m);
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
        expect_slices(run, helper, 0, "2-10");
        expect_slices(run, waits, 0, "0-2 10-13");
        expect_done(run, s);
    }
}

/* Steps without time are done with the step before; on the same core the task of higher priority runs then. */
static void test_triggers(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A"), other = add_core(m, "B");
    int root = add_periodic(m, "root", core, 2, 100), high = add_triggered(m, "high", core, 3),
        low = add_triggered(m, "low", core, 1), away = add_triggered(m, "away", other, 1),
        rival = add_periodic(m, "rival", core, 9, 100);
    add_run(m, root, 4, 4);
    add_trigger(m, root, high);
    add_trigger(m, root, low);
    add_run(m, root, 0, 0);
    add_trigger(m, root, away);
    add_run(m, root, 2, 2);
    add_run(m, high, 3, 3);
    add_run(m, low, 3, 3);
    add_run(m, away, 5, 5);
    add_run(m, rival, 1, 1);
    made_task(m, rival)->offset_ns = 4;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 50});
    expect_job(run, away, 0, 4, 4, 9);
    expect_slices(run, rival, 0, "4-5");
    expect_job(run, high, 0, 4, 5, 8);
    expect_slices(run, root, 0, "0-4 8-10");
    expect_job(run, low, 0, 4, 10, 13);
    assert_int_equal(expect_the_job(run, low, 0)->root_release_ns, 0);
    expect_done(run, s);
}

/* A job waits until the one before it of its task has ended. */
static void test_jobs_in_order(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A"), other = add_core(m, "B");
    int root = add_periodic(m, "root", core, 1, 5), slow = add_triggered(m, "slow", other, 1);
    add_run(m, root, 1, 1);
    add_trigger(m, root, slow);
    add_run(m, slow, 7, 7);
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 15});
    expect_job(run, slow, 0, 1, 1, 8);
    expect_job(run, slow, 1, 6, 8, 15);
    expect_job(run, slow, 2, 11, 15, 22);
    assert_int_equal(run->end_ns, 22);
    expect_done(run, s);
}

/* Two tasks that hold their cores, each waiting for one that the other keeps from running: neither ends. */
static void test_never_ends(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core[2] = {add_core(m, "A"), add_core(m, "B")}, task[2], helper[2];
    for (int i = 0; i < 2; i++) {
        task[i] = add_periodic(m, i ? "b" : "a", core[i], 2, 100);
        helper[i] = add_triggered(m, i ? "for b" : "for a", core[1 - i], 1);
        add_run(m, task[i], 2, 2);
        add_trigger(m, task[i], helper[i]);
        add_wait(m, task[i], helper[i]);
        made_place(m, task[i])->busy = true;
        add_run(m, helper[i], 1, 1);
    }
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 250});
    for (int i = 0; i < 2; i++) {
        expect_job(run, task[i], 0, 0, 0, -1);
        expect_slices(run, task[i], 0, "0-2 w2-200");
        expect_job(run, helper[i], 0, 2, -1, -1);
        expect_job(run, task[i], 2, 200, -1, -1);
    }
    assert_int_equal(run->job_count, 8); /* the helpers of later jobs are never released */
    expect_done(run, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preemption),
        cmocka_unit_test(test_equal_priorities),
        cmocka_unit_test(test_equal_after_preemption),
        cmocka_unit_test(test_preemption_kinds),
        cmocka_unit_test(test_not_preempted),
        cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_waits_for_same_core),
        cmocka_unit_test(test_triggers),
        cmocka_unit_test(test_jobs_in_order),
        cmocka_unit_test(test_never_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
