/* Executions in which tasks are late: what is seen, and what follows for verdicts. */
#include "analyze/system/late_runs.h"
#include "unit/analyze/limited.h"

/* A bound beyond the deadline that an execution reaches, one that is kept, and a task without a bound. */
static void test_verdicts(void **state)
{
    (void)state;
    gcast_error err;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core"), full = add_core(m, "full");
    int high = add_simple(m, core, 2, 10, 4), low = add_simple(m, core, 1, 20, 5);
    int kept = add_simple(m, full, 2, 10, 6), late = add_simple(m, full, 1, 10, 5);
    made_task(m, high)->deadline_ns = 4;
    made_task(m, low)->deadline_ns = 8;
    made_task(m, kept)->deadline_ns = 6;
    made_task(m, late)->deadline_ns = 200;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_int_equal(a->tasks[low].seen_in, SYS_NONE);
    assert_int_equal(a->tasks[low].verdict, GCAST_DEADLINE_OPEN);
    assert_int_equal(a->tasks[late].worst_ns, SYS_UNBOUNDED);
    assert_ok(system_look_for_late(a, false, &err), &err);
    assert_int_equal(a->tasks[high].verdict, GCAST_DEADLINE_MET);
    assert_int_equal(a->tasks[high].seen_ns, 4);
    assert_int_equal(a->tasks[low].verdict, GCAST_DEADLINE_MISSED);
    assert_int_equal(a->tasks[low].seen_ns, 9);
    assert_int_equal(a->tasks[low].worst_ns, 9);
    assert_int_equal(a->tasks[low].seen_in, 0);
    assert_true(a->tried[0].longest);
    assert_int_equal(a->tasks[kept].verdict, GCAST_DEADLINE_MET);
    /* 11 of 10 are asked for: until the horizon it lags behind more and more, and no response goes beyond that */
    assert_int_equal(a->tried[0].horizon_ns, 640);
    assert_true(a->tasks[late].seen_ns <= 640 && a->tasks[late].seen_ns > 60);
    assert_int_equal(a->tasks[late].verdict, GCAST_DEADLINE_OPEN);
    free_both(s, a);
}

/* A job that has not ended when its deadline passes has missed it, though it never ends in what is looked at. */
static void test_unfinished(void **state)
{
    (void)state;
    gcast_error err;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 2, 10, 10);
    int starved = add_simple(m, core, 1, 10, 1);
    made_task(m, starved)->deadline_ns = 100;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_ok(system_look_for_late(a, false, &err), &err);
    assert_int_equal(a->tasks[starved].verdict, GCAST_DEADLINE_MISSED);
    assert_int_equal(a->tasks[starved].seen_ns, a->tried[0].horizon_ns);
    assert_false(a->all_met);
    free_both(s, a);
}

/* A bound that an execution passes is no bound: that is told, not hidden. */
static void test_wrong_bound(void **state)
{
    (void)state;
    gcast_error err;
    make_system *m = make_system_new(NULL);
    add_simple(m, add_core(m, "core"), 1, 10, 3);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    ((sys_task_answer *)a->tasks)->worst_ns = 2;
    assert_int_equal(system_look_for_late(a, false, &err), GCAST_INTERNAL);
    assert_non_null(strstr(err.message, "please report it with this file"));
    free_both(s, a);
}

/* The same for chains: the second task reads at 3 what the first has written then, and has written at 5. */
static void test_wrong_chains(void **state)
{
    (void)state;
    gcast_error err;
    for (int i = 0; i < 3; i++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "core"), one = add_simple(m, core, 2, 10, 3), two = add_simple(m, core, 1, 10, 2);
        add_chain(m, "chain", (const int[]){one, two}, 2);
        sys_system *s = make_system_done(m);
        sys_answer *a = analyzed(s, NULL);
        sys_latency *l = &((sys_chain_answer *)a->chains)->by[GCAST_COMMUNICATION_IMPLICIT];
        if (i)
            *(i == 1 ? &l->first_worst_ns : &l->age_worst_ns) = 4;
        assert_int_equal(system_look_for_late(a, false, &err), i ? GCAST_INTERNAL : GCAST_OK);
        free_both(s, a);
    }
}

/* The low task (1 to 5, 2 to 3) under one of 4 in 10, all released at 0. Its first step runs from 4 to 9, its second
 * from 9 to 10 and 14 to 16 with the longest times. With the shortest: 4 to 5, 5 to 7. */
static void test_limits(void **state)
{
    (void)state;
    gcast_error err;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core"), high = add_simple(m, core, 2, 10, 4), low = add_periodic(m, "low", core, 1, 40);
    add_run(m, low, 1, 5);
    add_run(m, low, 2, 3);
    const sys_span first = {low, 0, 1, false}, second = {low, 1, 2, false}, inside = {low, 0, 1, true};
    add_span_limit(m, "0", &second, 1, SYS_NO_LIMIT, 6);
    add_span_limit(m, "1", &second, 1, SYS_NO_LIMIT, 7);
    add_span_limit(m, "2", &first, 1, 2, SYS_NO_LIMIT);
    add_span_limit(m, "3", &inside, 1, 2, SYS_NO_LIMIT);
    add_response_limit(m, "4", low, 8);
    add_delay_limit(m, "5", EVENT(high, SYS_AT_END, 0), EVENT(low, SYS_AT_END, 1), SYS_NO_LIMIT, 30);
    add_delay_limit(m, "6", EVENT(low, SYS_AT_START, 0), EVENT(low, SYS_AT_END, 1), SYS_NO_LIMIT, 11);
    made_limit(m, 6)->mapping = SYS_MAPPING_ONE_TO_ONE;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    for (int i = 0; i < 7; i++)
        assert_int_equal(a->limits[i].verdict, i == 1 ? GCAST_DEADLINE_MET : GCAST_DEADLINE_OPEN);
    assert_ok(system_look_for_late(a, false, &err), &err);
    assert_int_equal(a->limits[0].verdict, GCAST_DEADLINE_MISSED);
    assert_int_equal(a->limits[0].seen_ns, 7);
    assert_true(a->tried[a->limits[0].seen_in].longest);
    assert_int_equal(a->limits[1].verdict, GCAST_DEADLINE_MET);
    assert_int_equal(a->limits[2].verdict, GCAST_DEADLINE_MISSED);
    assert_int_equal(a->limits[2].seen_ns, 1);
    assert_true(a->tried[a->limits[2].seen_in].shortest);
    assert_int_equal(a->limits[3].verdict, GCAST_DEADLINE_OPEN);
    assert_int_equal(a->limits[4].verdict, GCAST_DEADLINE_MISSED);
    assert_int_equal(a->limits[4].seen_ns, 7);
    assert_int_equal(a->limits[5].verdict, GCAST_DEADLINE_MISSED); /* from 24 to 56, in the longest case */
    assert_int_equal(a->limits[5].seen_ns, 32);
    assert_int_equal(a->limits[6].verdict, GCAST_DEADLINE_MISSED); /* from 4 to 16 */
    assert_int_equal(a->limits[6].seen_ns, 12);
    ((sys_limit_answer *)a->limits)[1].worst_ns = 6;
    assert_int_equal(system_look_for_late(a, false, &err), GCAST_INTERNAL);
    assert_non_null(strstr(err.message, "limit 1: 7 ns in an execution, beyond its bounds from 2 to 6 ns"));
    free_both(s, a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),     cmocka_unit_test(test_unfinished), cmocka_unit_test(test_wrong_bound),
        cmocka_unit_test(test_wrong_chains), cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
