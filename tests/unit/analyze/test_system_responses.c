/* Response times on cores, computed by hand: one rule each. */
#include "base/integers.h"
#include "unit/analyze/analyzed.h"

/* 1 of 4, 2 of 6, 3 of 12: 3 + 3 * 1 + 2 * 2 = 10. */
static void higher_priorities_interfere(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 1, 12, 3);
    add_simple(m, core, 3, 4, 1);
    add_simple(m, core, 2, 6, 2);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 10, 1, 3);
    assert_int_equal(a->tasks[0].computation_ns, 3);
    assert_int_equal(a->tasks[0].interference_ns, 7);
    assert_int_equal(a->tasks[0].limited_by, 2);
    assert_int_equal(a->tasks[1].limited_by, SYS_NONE);
    assert_true(a->cores[0].utilization > 0.83 && a->cores[0].utilization < 0.84);
    free_both(s, a);
}

/* Lehoczky's example: responses of the jobs are 114, 102, 116, 104, 118, 106, 94. */
static void a_later_job_may_be_the_latest(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 2, 70, 26);
    add_simple(m, core, 1, 100, 62);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 26, 118);
    assert_int_equal(a->tasks[1].own_worst_ns, 118);
    free_both(s, a);
}

/* A release that is 4 late, and one on time 6 later: 5 + 2 * 2. From its own release the task itself takes 9, from its
 * nominal one 1 more. Where phases are known that is never so: the second job of the other is there from 10 on. */
static void jitter_counts(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    int high = add_simple(m, core, 2, 10, 2), low = add_simple(m, core, 1, 30, 5);
    made_task(m, high)->jitter_ns = 4;
    made_task(m, low)->jitter_ns = 1;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 6, 8);
    system_answer_free(a);
    a = analyzed_anyhow(s);
    assert_worst_times(a, 6, 10);
    assert_int_equal(a->tasks[1].own_worst_ns, 9);
    assert_int_equal(a->tasks[1].release_max_ns, 1);
    free_both(s, a);
}

static void equal_priorities_interfere_both_ways(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 1, 20, 3);
    add_simple(m, core, 1, 20, 4);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 7, 7);
    free_both(s, a);
}

static void interrupts_go_first(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 9, 20, 3);
    int isr = add_simple(m, core, 1, 20, 4);
    made_task(m, isr)->isr = true;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 7, 4);
    free_both(s, a);
}

/* What cannot be preempted blocks with all its code, what is cooperative with its longest step. */
static void lower_tasks_block(void **state)
{
    (void)state;
    for (int cooperative = 0; cooperative < 2; cooperative++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "core");
        add_simple(m, core, 3, 20, 2);
        int low = add_simple(m, core, 1, 40, 5);
        add_run(m, low, 4, 4);
        made_task(m, low)->preemption = cooperative ? SYS_COOPERATIVE : SYS_NON_PREEMPTIVE;
        sys_system *s = make_system_done(m);
        sys_answer *a = analyzed(s, NULL);
        assert_int_equal(a->tasks[0].worst_ns, cooperative ? 7 : 11);
        assert_int_equal(a->tasks[0].blocking_ns, cooperative ? 5 : 9);
        assert_int_equal(a->tasks[0].limited_by, 1);
        assert_int_equal(a->tasks[1].worst_ns, 11);
        free_both(s, a);
    }
}

/* One that others never meet: their offsets are known. For any phase they may. */
static void offsets_keep_tasks_apart(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 2, 20, 5);
    int low = add_simple(m, core, 1, 40, 6);
    made_task(m, low)->offset_ns = 10;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 5, 6);
    system_answer_free(a);
    a = analyzed_anyhow(s);
    assert_worst_times(a, 5, 11);
    free_both(s, a);
}

/* A task on one core that lets a task on another run in its middle. */
static sys_system *two_cores(bool busy, bool waits)
{
    make_system *m = make_system_new(NULL);
    int left = add_core(m, "left"), right = add_core(m, "right");
    int task = add_periodic(m, "task", left, 2, 100), helper = add_triggered(m, "helper", right, 1);
    add_simple(m, left, 1, 100, 10);
    add_simple(m, right, 5, 50, 3);
    add_run(m, task, 4, 6);
    add_trigger(m, task, helper);
    add_run(m, task, 1, 1);
    if (waits)
        add_wait(m, task, helper);
    add_run(m, task, 2, 2);
    add_run(m, helper, 5, 8);
    made_place(m, task)->busy = busy;
    return make_system_done(m);
}

/* The helper is released at 4 to 6, and takes 8 + 3. The task goes on at 17 and ends at 19. The task below it runs
 * while it waits: 10 + 7 + 2, as the second burst may be there 9 after the release. */
static void a_wait_suspends(void **state)
{
    (void)state;
    sys_system *s = two_cores(false, true);
    sys_answer *a = analyzed_anyhow(s);
    assert_int_equal(a->tasks[1].release_min_ns, 4);
    assert_int_equal(a->tasks[1].release_max_ns, 6);
    assert_worst_times(a, 19, 17, 19, 3);
    assert_int_equal(a->tasks[0].best_ns, 4 + 5 + 2);
    assert_int_equal(a->tasks[0].waiting_ns, 10);
    assert_int_equal(a->tasks[0].limited_by, 1);
    assert_int_equal(a->tasks[0].steps[1].end_worst_ns, 6);
    assert_int_equal(a->tasks[0].steps[3].end_best_ns, 9);
    assert_int_equal(a->tasks[0].steps[3].end_worst_ns, 17);
    assert_int_equal(a->tasks[0].steps[3].alone_worst_ns, 10);
    assert_int_equal(a->tasks[0].steps[4].start_best_ns, 9);
    free_both(s, a);
}

/* The core is held: 10 + 6 + 1 + 10 + 2. */
static void a_busy_wait_holds_the_core(void **state)
{
    (void)state;
    sys_system *s = two_cores(true, true);
    sys_answer *a = analyzed_anyhow(s);
    assert_worst_times(a, 19, 17, 29, 3);
    assert_true(a->cores[0].utilization > 0.289 && a->cores[0].utilization < 0.291);
    free_both(s, a);
}

static void nobody_waits_for_a_task(void **state)
{
    (void)state;
    sys_system *s = two_cores(true, false);
    sys_answer *a = analyzed_anyhow(s);
    assert_worst_times(a, 9, 17, 19, 3);
    free_both(s, a);
}

/* Some code, then another task, which it waits for. */
static void run_and_wait(make_system *m, int task, int helper, int64_t time)
{
    add_run(m, task, time, time);
    add_trigger(m, task, helper);
    add_wait(m, task, helper);
}

/* A wait for a task of the same core that goes first, or in any order: the core runs that, and nothing counts twice. */
static void a_wait_on_the_same_core_counts_once(void **state)
{
    (void)state;
    for (int priority = 1; priority <= 2; priority++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "core"), task = add_periodic(m, "task", core, 1, 100);
        int helper = add_triggered(m, "helper", core, priority);
        run_and_wait(m, task, helper, 10);
        add_run(m, task, 5, 5);
        add_run(m, helper, 20, 20);
        add_simple(m, core, 3, 50, 7);
        sys_system *s = make_system_done(m);
        sys_answer *a = analyzed_anyhow(s);
        assert_worst_times(a, 42, 44, 7); /* 10 + 20 + 5, and the third task once */
        free_both(s, a);
    }
}

/* The same with a task that does not go first, in a wait that is called busy: that would never end. */
static void a_wait_that_would_never_end_is_told(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    int task = add_periodic(m, "task", core, 2, 100), helper = add_triggered(m, "helper", core, 1);
    run_and_wait(m, task, helper, 10);
    add_run(m, helper, 20, 20);
    made_place(m, task)->busy = true;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    bool told = false;
    assert_worst_times(a, 30, 30);
    for (size_t i = 0; i < a->assumption_count; i++)
        told |= strstr(a->assumptions[i], "would never end") != NULL;
    assert_true(told);
    free_both(s, a);
}

/* Two tasks hold their cores and wait for what the other keeps from running. */
static void waits_in_a_circle_have_no_bound(void **state)
{
    (void)state;
    for (int64_t time = 0; time < 2; time++) {
        make_system *m = make_system_new(NULL);
        int cores[] = {add_core(m, "left"), add_core(m, "right")};
        for (int i = 0; i < 2; i++) {
            int task = add_periodic(m, "task", cores[i], 2, 100), helper = add_triggered(m, "helper", cores[1 - i], 1);
            run_and_wait(m, task, helper, 1);
            add_run(m, helper, time, time);
            made_place(m, task)->busy = true;
        }
        sys_system *s = make_system_done(m);
        sys_answer *a = analyzed(s, NULL);
        assert_int_equal(a->tasks[0].worst_ns, SYS_UNBOUNDED);
        assert_int_equal(a->tasks[2].worst_ns, SYS_UNBOUNDED);
        free_both(s, a);
    }
}

static void an_overload_is_named(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "Core3");
    add_simple(m, core, 2, 10, 6);
    int low = add_simple(m, core, 1, 20, 9);
    made_task(m, low)->deadline_ns = 20;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 6, SYS_UNBOUNDED);
    assert_non_null(strstr(a->tasks[1].why_not, "Core3 is overloaded"));
    assert_non_null(strstr(a->tasks[1].why_not, "105.0 % of its time or more"));
    assert_int_equal(a->tasks[1].verdict, GCAST_DEADLINE_OPEN);
    assert_false(a->all_met);
    free_both(s, a);
}

/* A task that suspends must end before it is released again. */
static void a_wait_over_a_period_has_no_bound(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int left = add_core(m, "left"), right = add_core(m, "right");
    int task = add_periodic(m, "task", left, 2, 30), helper = add_triggered(m, "helper", right, 1);
    int below = add_simple(m, left, 1, 100, 1);
    run_and_wait(m, task, helper, 10);
    add_run(m, task, 1, 1);
    add_run(m, helper, 20, 20);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_int_equal(a->tasks[task].worst_ns, SYS_UNBOUNDED);
    assert_non_null(strstr(a->tasks[task].why_not, "released again"));
    assert_int_equal(a->tasks[helper].worst_ns, SYS_UNBOUNDED);
    assert_non_null(strstr(a->tasks[helper].why_not, "task triggers it"));
    assert_non_null(strstr(a->tasks[below].why_not, "task runs before it on left"));
    free_both(s, a);
}

static void verdicts_follow_from_bounds(void **state)
{
    (void)state;
    const int64_t deadlines[] = {0, 10, 9, 2};
    const gcast_deadline_verdict want[] = {GCAST_DEADLINE_NONE, GCAST_DEADLINE_MET, GCAST_DEADLINE_OPEN,
                                           GCAST_DEADLINE_MISSED};
    for (int i = 0; i < 4; i++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "core");
        add_simple(m, core, 2, 20, 7);
        int task = add_simple(m, core, 1, 20, 3);
        made_task(m, task)->deadline_ns = deadlines[i];
        *made_access(m, task, 0) = (sys_range){1, 1};
        sys_system *s = make_system_done(m);
        sys_answer *a = analyzed(s, NULL);
        assert_int_equal(a->tasks[1].verdict, want[i]);
        assert_int_equal(a->tasks[1].access_ns, 1);
        assert_int_equal(a->tasks[1].computation_ns, 2);
        assert_int_equal(a->all_met, i < 2);
        free_both(s, a);
    }
}

/* Bursts that are far apart do not meet in a short window: 5 + max(4, 3), and not 5 + 4 + 3. */
static void bursts_of_one_task_are_apart(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int left = add_core(m, "left"), right = add_core(m, "right");
    int task = add_periodic(m, "task", left, 2, 100), helper = add_triggered(m, "helper", right, 1);
    run_and_wait(m, task, helper, 4);
    add_run(m, task, 3, 3);
    add_run(m, helper, 40, 40);
    add_simple(m, left, 1, 100, 5);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 47, 44, 9);
    free_both(s, a);
}

/* Results for a search are the same here, and times of other cores' kinds count. */
static void a_search_asks_for_tasks_only(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int slow = add_core(m, "slow"), fast = add_core_of_kind(m, "fast", 1);
    int a_task = add_simple(m, slow, 1, 20, 8), other = add_simple(m, fast, 2, 20, 5);
    made_on(m, a_task, 0)[1] = (sys_range){4, 4};
    sys_system *s = make_system_done(m);
    sys_analyze_options options = system_analyze_options_default();
    options.tasks_only = true;
    options.cache = system_gpu_cache_create();
    sys_place places[2] = {s->places[0], s->places[1]};
    for (int i = 0; i < 3; i++) {
        gcast_error err;
        sys_answer *a;
        places[0].core = i % 2 ? fast : slow;
        assert_ok(system_analyze(s, places, &options, &a, &err), &err);
        assert_int_equal(a->tasks[a_task].worst_ns, i % 2 ? 9 : 8);
        assert_int_equal(a->tasks[other].worst_ns, 5);
        assert_null(a->tasks[0].steps);
        assert_int_equal(a->places[0].core, places[0].core);
        system_answer_free(a);
    }
    system_gpu_cache_free(options.cache);
    system_free(s);
}

static void a_place_that_is_not_there_is_refused(void **state)
{
    (void)state;
    gcast_error err;
    sys_answer *a = NULL;
    make_system *m = make_system_new(NULL);
    add_simple(m, add_core(m, "core"), 1, 10, 1);
    sys_system *s = make_system_done(m);
    sys_place place = {.core = 3};
    assert_int_equal(system_analyze(s, &place, NULL, &a, &err), GCAST_INPUT);
    system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(higher_priorities_interfere),
        cmocka_unit_test(a_later_job_may_be_the_latest),
        cmocka_unit_test(jitter_counts),
        cmocka_unit_test(equal_priorities_interfere_both_ways),
        cmocka_unit_test(interrupts_go_first),
        cmocka_unit_test(lower_tasks_block),
        cmocka_unit_test(offsets_keep_tasks_apart),
        cmocka_unit_test(a_wait_suspends),
        cmocka_unit_test(a_busy_wait_holds_the_core),
        cmocka_unit_test(nobody_waits_for_a_task),
        cmocka_unit_test(a_wait_on_the_same_core_counts_once),
        cmocka_unit_test(a_wait_that_would_never_end_is_told),
        cmocka_unit_test(waits_in_a_circle_have_no_bound),
        cmocka_unit_test(an_overload_is_named),
        cmocka_unit_test(a_wait_over_a_period_has_no_bound),
        cmocka_unit_test(verdicts_follow_from_bounds),
        cmocka_unit_test(bursts_of_one_task_are_apart),
        cmocka_unit_test(a_search_asks_for_tasks_only),
        cmocka_unit_test(a_place_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
