/* Delays from an event of one task to an event of another: small systems by hand. */
#include "unit/analyze/limited.h"

/* From the end of one task (2 after 0, 10, 20) to the start of another (15 and its multiples, at once). With offsets
 * the ends 2, 12 and 22 are followed by 15, 15 and 30: 3 to 13. Any phase: up to 15 - 1, as the target varies by
 * nothing. */
static void tasks_of_their_own(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int first = add_simple(m, add_core(m, "core"), 1, 10, 2), second = add_simple(m, add_core(m, "core"), 1, 15, 2);
    int rare = add_sporadic(m, "rare", add_core(m, "core"), 1, 15);
    add_run(m, rare, 1, 1);
    const sys_event end = EVENT(first, SYS_AT_END, 0), start = EVENT(second, SYS_AT_START, 0);
    const sys_event seldom = EVENT(rare, SYS_AT_START, 0);
    add_delay_limit(m, "0", end, start, NONE, 13);
    add_delay_limit(m, "1", end, start, 4, 18); /* 2 is followed by 15, 12 by 30, 22 by 30: 8 to 18 */
    add_delay_limit(m, "2", end, seldom, NONE, 13);
    add_delay_limit(m, "3", seldom, start, NONE, 14);
    add_delay_limit(m, "4", end, start, NONE, 2);
    add_delay_limit(m, "5", end, start, 20, NONE);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    check(a, 0, 3, 13, GCAST_DEADLINE_MET);
    check(a, 1, 8, 18, GCAST_DEADLINE_MET);
    check(a, 2, 0, SYS_UNBOUNDED, GCAST_DEADLINE_OPEN);
    assert_non_null(strstr(a->limits[2].why_not, "rare is sporadic, and may never come"));
    check(a, 3, 0, 14, GCAST_DEADLINE_MET);
    check(a, 4, 3, 13, GCAST_DEADLINE_MISSED);
    check(a, 5, 23, 33, GCAST_DEADLINE_MET); /* 2 is followed by 30, 12 by 45, 22 by 45 */
    system_answer_free(a);
    a = analyzed_anyhow(s);
    check(a, 0, 0, 14, GCAST_DEADLINE_OPEN);
    check(a, 1, 4, 18, GCAST_DEADLINE_MET);
    check(a, 4, 0, 14, GCAST_DEADLINE_OPEN);
    free_both(s, a);
}

/* A target that begins late: the first source is at 2, the first target at 95. */
static void a_late_first_target_counts(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        make_system *m = make_system_new(NULL);
        int first = add_simple(m, add_core(m, "core"), 1, 10, 2), second = add_simple(m, add_core(m, "core"), 1, 10, 1);
        made_task(m, second)->offset_ns = 95;
        if (with) /* too many jobs in a hyperperiod to look at them all */
            made_task(m, second)->period_ns = 1000003;
        add_delay_limit(m, "late", EVENT(first, SYS_AT_END, 0), EVENT(second, SYS_AT_START, 0), NONE, 10);
        sys_system *s = make_system_done(m);
        sys_answer *a = analyzed(s, NULL);
        assert_int_equal(a->limits[0].worst_ns, with ? 1000002 : 93);
        free_both(s, a);
    }
}

/* A first target that may be later than the next: it ends from 18 on, and may end 2 after the third source, at 21. */
static void a_first_target_may_be_late(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int first = add_simple(m, add_core(m, "core"), 1, 10, 1), second = add_simple(m, add_core(m, "core"), 1, 10, 9);
    made_task(m, first)->offset_ns = 1;
    made_task(m, second)->offset_ns = 9;
    made_task(m, second)->jitter_ns = 11;
    add_delay_limit(m, "late", EVENT(first, SYS_AT_START, 0), EVENT(second, SYS_AT_END, 0), 2, NONE);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_int_equal(a->limits[0].best_ns, 2);
    free_both(s, a);
}

static void mappings(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int task[3];
    for (int i = 0; i < 3; i++) {
        task[i] = add_periodic(m, "task", add_core(m, "core"), 1, i < 2 ? 20 : 30);
        add_run(m, task[i], 2, 4);
    }
    made_task(m, task[1])->offset_ns = 7;
    const sys_event one = EVENT(task[0], SYS_AT_END, 0), two = EVENT(task[1], SYS_AT_END, 0);
    const sys_event other = EVENT(task[2], SYS_AT_END, 0), any = EVENT(task[1], SYS_AT_ANY, 0);
    add_delay_limit(m, "0", one, two, 5, 9);
    add_delay_limit(m, "1", two, one, NONE, 15); /* the n-th is before it */
    add_delay_limit(m, "2", one, other, NONE, 100);
    add_delay_limit(m, "3", one, any, NONE, 100);
    add_delay_limit(m, "4", one, two, NONE, 17);
    add_delay_limit(m, "5", one, two, NONE, 18);
    for (int i = 0; i < 6; i++)
        made_limit(m, i)->mapping = i < 4 ? SYS_MAPPING_ONE_TO_ONE : SYS_MAPPING_UNIQUE;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    check(a, 0, 5, 9, GCAST_DEADLINE_MET); /* 7 + 2 - 4 to 7 + 4 - 2 */
    check(a, 1, -9, -5, GCAST_DEADLINE_MISSED);
    check(a, 2, SYS_NO_LEAST, SYS_UNBOUNDED, GCAST_DEADLINE_MISSED);
    check(a, 3, SYS_NO_LEAST, SYS_UNBOUNDED, GCAST_DEADLINE_OPEN);
    assert_non_null(strstr(a->limits[3].why_not, "may happen several times in a job"));
    check(a, 4, 5, 9, GCAST_DEADLINE_MET); /* targets are 18 to 22 apart */
    check(a, 5, 5, 9, GCAST_DEADLINE_OPEN);
    assert_non_null(strstr(a->limits[5].why_not, "may happen twice within the limits"));
    free_both(s, a);
}

/* A label that a step of 2 to 4 writes, and one of 3 in a task of the same period reads. */
static void data_by_communication(void **state)
{
    static const struct {
        gcast_communication how;
        int64_t best, worst;
    } cases[] = {{GCAST_COMMUNICATION_DIRECT, 0, 19 + 3},
                 {GCAST_COMMUNICATION_IMPLICIT, 16, 18},
                 {GCAST_COMMUNICATION_LET, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_system *m = make_system_new(NULL);
        int one = add_periodic(m, "one", add_core(m, "core"), 1, 20),
            two = add_simple(m, add_core(m, "core"), 1, 20, 3);
        add_run(m, one, 2, 4);
        sys_event writes = EVENT(one, SYS_AT_ANY, 0), reads = EVENT(two, SYS_AT_ANY, 0);
        writes.data = SYS_WRITE;
        reads.data = SYS_READ;
        add_delay_limit(m, "data", writes, reads, NONE, 30);
        sys_system *s = make_system_done(m);
        sys_analyze_options options = system_analyze_options_default();
        options.communication = cases[i].how;
        sys_answer *a = analyzed(s, &options);
        check(a, 0, cases[i].best, cases[i].worst, GCAST_DEADLINE_MET);
        free_both(s, a);
    }
}

/* What need not happen gives no bound; what may happen at several places counts at the worst of them. */
static void points_that_are_not_sure(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int task = add_periodic(m, "task", add_core(m, "core"), 1, 50);
    for (int i = 0; i < 3; i++)
        add_run(m, task, 10, 10);
    const sys_point often[] = {{SYS_AT_END, 0, false}, {SYS_AT_END, 1, true}}, never[] = {{SYS_AT_ANY, 2, false}};
    const sys_event source = {.name = "s", .task = task, .points = often, .point_count = 2};
    const sys_event target = {.name = "t", .task = task, .points = never, .point_count = 1};
    add_delay_limit(m, "0", source, EVENT(task, SYS_AT_END, 2), NONE, 20);
    add_delay_limit(m, "1", source, target, NONE, 20);
    add_delay_limit(m, "2", EVENT(task, SYS_AT_RELEASE, 0), source, NONE, 20);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    check(a, 0, 10, 20, GCAST_DEADLINE_MET);
    check(a, 1, 0, SYS_UNBOUNDED, GCAST_DEADLINE_OPEN);
    assert_non_null(strstr(a->limits[1].why_not, "it is not certain that t happens in every job"));
    check(a, 2, 10, 20, GCAST_DEADLINE_MET);
    free_both(s, a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_of_their_own),         cmocka_unit_test(a_late_first_target_counts),
        cmocka_unit_test(a_first_target_may_be_late), cmocka_unit_test(mappings),
        cmocka_unit_test(data_by_communication),      cmocka_unit_test(points_that_are_not_sure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
