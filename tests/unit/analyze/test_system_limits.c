/* Limits on responses from below, on runnables, and on what happens in one job: small systems by hand. */
#include "unit/analyze/limited.h"

/* The response of the low task is 5 to 5 + 2 * 4: preempted once if it is released with the high one (5 + 4 = 9 <= 10).
 */
static void responses_from_below(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 2, 10, 4);
    int low = add_simple(m, core, 1, 20, 5);
    int kept = add_response_limit(m, "kept", low, 5), open = add_response_limit(m, "open", low, 6);
    int missed = add_response_limit(m, "missed", low, 10);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    check(a, kept, 5, 9, GCAST_DEADLINE_MET);
    check(a, open, 5, 9, GCAST_DEADLINE_OPEN);
    check(a, missed, 5, 9, GCAST_DEADLINE_MISSED);
    assert_false(a->all_met);
    assert_null(a->limits[open].why_not);
    free_both(s, a);
}

/* Steps of 3, 5 and 2 under a task of 4 in 10. Alone: the first step from when it executes, 3 + 4. The first two, 8
 * code: w = 8 + ceil(w / 10) * 4 = 16. All three, 10: 18. The second alone 5 + 4. */
static void runnables_are_preempted(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 2, 10, 4);
    int low = add_periodic(m, "low", core, 1, 40);
    add_run(m, low, 1, 3);
    add_run(m, low, 5, 5);
    add_run(m, low, 2, 2);
    const sys_span first = {low, 0, 1, false}, both = {low, 0, 2, false}, all = {low, 0, 3, false};
    const sys_span second = {low, 1, 2, false}, inside = {low, 1, 2, true}, none = {low, 1, 1, false};
    const sys_span two[] = {first, second};
    int limits[] = {add_span_limit(m, "a", &first, 1, 1, 7),   add_span_limit(m, "b", &both, 1, NONE, 15),
                    add_span_limit(m, "c", &all, 1, 9, NONE),  add_span_limit(m, "d", &second, 1, 6, 9),
                    add_span_limit(m, "e", &inside, 1, 1, 9),  add_span_limit(m, "f", two, 2, NONE, 4),
                    add_span_limit(m, "g", &none, 1, NONE, 0), add_span_limit(m, "h", &inside, 1, NONE, 9)};
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    check(a, limits[0], 1, 7, GCAST_DEADLINE_MET);
    check(a, limits[1], 6, 16, GCAST_DEADLINE_OPEN);
    check(a, limits[2], 8, 18, GCAST_DEADLINE_OPEN);
    check(a, limits[3], 5, 9, GCAST_DEADLINE_OPEN);
    check(a, limits[4], 0, 9, GCAST_DEADLINE_OPEN);
    check(a, limits[5], 1, 9, GCAST_DEADLINE_MISSED); /* the second step takes 5 */
    check(a, limits[6], 0, 0, GCAST_DEADLINE_MET);
    check(a, limits[7], 0, 9, GCAST_DEADLINE_MET);
    assert_non_null(strstr(a->limits[limits[4]].why_not, "it is called inside of"));
    free_both(s, a);
}

/* With offsets the high task comes at 0, 10, ..., the low one at 4 of each 40: its first step runs from 4 to 7, before
 * the next one comes; the second from 7 to 10, and 14 to 16. */
static void offsets_count(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core");
    add_simple(m, core, 2, 10, 4);
    int low = add_periodic(m, "low", core, 1, 40);
    made_task(m, low)->offset_ns = 4;
    add_run(m, low, 3, 3);
    add_run(m, low, 5, 5);
    const sys_span first = {low, 0, 1, false}, second = {low, 1, 2, false};
    int one = add_span_limit(m, "one", &first, 1, NONE, 3), two = add_span_limit(m, "two", &second, 1, NONE, 9);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    check(a, one, 3, 3, GCAST_DEADLINE_MET);
    check(a, two, 5, 9, GCAST_DEADLINE_MET);
    free_both(s, a);
}

/* What cannot be preempted takes its own time from its start on. With others of its priority the window from the start
 * does not hold: what remains is its response, from the soonest start of the step. */
static void kinds_of_preemption(void **state)
{
    static const struct {
        sys_preemption preemption;
        int64_t priority, first, second, both;
    } cases[] = {{SYS_NON_PREEMPTIVE, 1, 3, 5, 8}, {SYS_COOPERATIVE, 1, 3, 5, 12}, {SYS_PREEMPTIVE, 2, 7, 11, 12}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "core"), low;
        add_simple(m, core, 2, 20, 4);
        low = add_periodic(m, "low", core, cases[i].priority, 40);
        made_task(m, low)->preemption = cases[i].preemption;
        add_run(m, low, 1, 3);
        add_run(m, low, 5, 5);
        const sys_span first = {low, 0, 1, false}, second = {low, 1, 2, false}, both = {low, 0, 2, false};
        int one = add_span_limit(m, "one", &first, 1, NONE, 100), two = add_span_limit(m, "two", &second, 1, NONE, 100);
        int all = add_span_limit(m, "all", &both, 1, NONE, 100);
        sys_system *s = make_system_done(m);
        sys_answer *a = analyzed_anyhow(s);
        check(a, one, 1, cases[i].first, GCAST_DEADLINE_MET);
        check(a, two, 5, cases[i].second, GCAST_DEADLINE_MET);
        check(a, all, 6, cases[i].both, GCAST_DEADLINE_MET);
        free_both(s, a);
    }
}

/* A task that triggers a helper on another core (6 to 7) after 4 to 5, waits, and runs for 2 to 3. */
typedef struct offload {
    make_system *m;
    int task, helper;
} offload;

static offload new_offload(void)
{
    offload o = {.m = make_system_new(NULL)};
    int left = add_core(o.m, "left"), right = add_core(o.m, "right");
    o.task = add_periodic(o.m, "task", left, 1, 100);
    o.helper = add_triggered(o.m, "helper", right, 1);
    add_run(o.m, o.task, 4, 5);
    add_trigger(o.m, o.task, o.helper);
    add_wait(o.m, o.task, o.helper);
    add_run(o.m, o.task, 2, 3);
    add_run(o.m, o.helper, 6, 7);
    return o;
}

static void differences_in_one_job(void **state)
{
    offload o = new_offload();
    (void)state;
    const sys_event release = EVENT(o.task, SYS_AT_RELEASE, 0), start = EVENT(o.task, SYS_AT_START, 0);
    const sys_event end = EVENT(o.task, SYS_AT_END, 3), begun = EVENT(o.helper, SYS_AT_RELEASE, 0);
    const sys_event ended = EVENT(o.helper, SYS_AT_END, 0), back = EVENT(o.task, SYS_AT_START, 3);
    const sys_span apart = {o.task, 1, 4, false};
    add_delay_limit(o.m, "0", release, end, 12, 15);
    add_delay_limit(o.m, "1", start, begun, NONE, 5);
    add_delay_limit(o.m, "2", start, ended, NONE, 12);
    add_delay_limit(o.m, "3", begun, end, NONE, 10);
    add_delay_limit(o.m, "4", ended, end, NONE, 3);
    add_delay_limit(o.m, "5", ended, back, NONE, 0);
    add_delay_limit(o.m, "6", end, ended, NONE, 98);
    add_span_limit(o.m, "7", &apart, 1, 8, 10);
    sys_system *s = make_system_done(o.m);
    sys_answer *a = analyzed_anyhow(s);
    check(a, 0, 12, 15, GCAST_DEADLINE_MET);
    check(a, 1, 4, 5, GCAST_DEADLINE_MET);
    check(a, 2, 10, 12, GCAST_DEADLINE_MET);
    check(a, 3, 8, 10, GCAST_DEADLINE_MET);
    check(a, 4, 2, 4, GCAST_DEADLINE_OPEN); /* 7 + 3 from the trigger, less 6 */
    check(a, 5, 0, 1, GCAST_DEADLINE_OPEN);
    check(a, 6, 95, 100, GCAST_DEADLINE_OPEN); /* the next helper ends at 110 to 112, this job at 12 to 15 */
    check(a, 7, 8, 10, GCAST_DEADLINE_MET);
    free_both(s, a);
}

/* A task of 2 that waits for a helper of 3 elsewhere, and runs for 2 again; below it one of 6 that cannot be preempted
 * begins while it waits. In all, 2 + 3 + 6 + 2. */
static void waits_let_others_block(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core"), other = add_core(m, "other");
    int task = add_periodic(m, "task", core, 2, 100), helper = add_triggered(m, "helper", other, 1);
    int low = add_simple(m, core, 1, 50, 6);
    made_task(m, low)->preemption = SYS_NON_PREEMPTIVE;
    add_run(m, task, 2, 2);
    add_trigger(m, task, helper);
    add_wait(m, task, helper);
    add_run(m, task, 2, 2);
    add_run(m, helper, 3, 3);
    const sys_span all = {task, 0, 4, false}, begin = {task, 0, 1, false};
    int whole = add_span_limit(m, "whole", &all, 1, 7, 13), first = add_span_limit(m, "first", &begin, 1, 2, 2);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    check(a, whole, 7, 13, GCAST_DEADLINE_MET);
    check(a, first, 2, 2, GCAST_DEADLINE_MET);
    free_both(s, a);
}

/* Between two steps a cooperative task may be preempted: from the end of the first (1 to 3) to that of the second (5),
 * it takes up to 12 - 1. */
static void between_steps_others_run(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "core"), low;
    add_simple(m, core, 2, 20, 4);
    low = add_periodic(m, "low", core, 1, 40);
    made_task(m, low)->preemption = SYS_COOPERATIVE;
    add_run(m, low, 1, 3);
    add_run(m, low, 5, 5);
    int delay = add_delay_limit(m, "delay", EVENT(low, SYS_AT_END, 0), EVENT(low, SYS_AT_END, 1), NONE, 11);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    check(a, delay, 5, 11, GCAST_DEADLINE_MET);
    free_both(s, a);
}

static void limits_of_searches_are_the_same(void **state)
{
    offload o = new_offload();
    sys_analyze_options options = system_analyze_options_default();
    (void)state;
    const sys_span apart = {o.task, 0, 4, false};
    add_delay_limit(o.m, "0", EVENT(o.task, SYS_AT_START, 0), EVENT(o.helper, SYS_AT_END, 0), NONE, 12);
    add_span_limit(o.m, "1", &apart, 1, 12, 14);
    sys_system *s = make_system_done(o.m);
    options.tasks_only = true;
    sys_answer *a = analyzed(s, &options);
    check(a, 0, 10, 12, GCAST_DEADLINE_MET);
    check(a, 1, 12, 15, GCAST_DEADLINE_OPEN);
    assert_null(a->limits[1].why_not);
    assert_false(a->all_met);
    free_both(s, a);
}

static void limits_are_checked(void **state)
{
    gcast_error err;
    (void)state;
    for (int i = 0; i < 4; i++) {
        make_system *m = make_system_new(NULL);
        int task = add_simple(m, add_core(m, "core"), 1, 10, 1);
        const sys_span span = {task, 0, i == 0 ? 2 : 1, false};
        if (i < 2)
            add_span_limit(m, "Wrong", &span, 1, NONE, i == 1 ? -2 : 5);
        else
            add_delay_limit(m, "Wrong", EVENT(task, SYS_AT_END, i == 2), EVENT(i == 3 ? 7 : task, SYS_AT_END, 0), 0, 5);
        sys_system *s = make_system_unchecked(m);
        assert_int_equal(system_check(s, &err), GCAST_INPUT);
        assert_non_null(strstr(err.message, "limit Wrong is out of range, or on what is not there"));
        system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_from_below),
        cmocka_unit_test(runnables_are_preempted),
        cmocka_unit_test(offsets_count),
        cmocka_unit_test(kinds_of_preemption),
        cmocka_unit_test(differences_in_one_job),
        cmocka_unit_test(waits_let_others_block),
        cmocka_unit_test(between_steps_others_run),
        cmocka_unit_test(limits_of_searches_are_the_same),
        cmocka_unit_test(limits_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
