/* Latencies of chains: published ones, and small ones by hand. */
#include "unit/analyze/analyzed.h"

#define MS INT64_C(1000000)

static const sys_latency *latency(const sys_answer *a, gcast_communication how)
{
    return &a->chains[0].by[how];
}

/* A chain of tasks with these periods (ms), each on a core of its own. */
static sys_system *chain_of(const int64_t *periods, size_t count, int64_t time)
{
    make_system *m = make_system_new(NULL);
    int tasks[8];
    for (size_t i = 0; i < count; i++)
        tasks[i] = add_simple(m, add_core(m, "core"), 1, periods[i] * MS, time);
    add_chain(m, "chain", tasks, count);
    return make_system_done(m);
}

/* dse_results.json of the WATERS challenge: from the release of the first task's job to the first output. */
static void let_latencies_are_as_published(void **state)
{
    (void)state;
    static const struct {
        int64_t periods[5];
        size_t count;
        int64_t ms;
    } published[] = {
        {{33, 400, 15, 15, 5}, 5, 875}, /* Lidar to DASM */
        {{10, 400, 15, 15, 5}, 5, 845}, /* CAN to DASM */
        {{33, 15, 5}, 3, 65},           /* SFM to DASM */
        {{66, 15, 5}, 3, 98},           /* Lane detection to DASM */
        {{200, 15, 5}, 3, 230},         /* Detection to DASM */
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        sys_system *s = chain_of(published[i].periods, published[i].count, MS);
        sys_answer *a = analyzed(s, NULL);
        const sys_latency *l = latency(a, GCAST_COMMUNICATION_LET);
        assert_int_equal(l->first_worst_ns, published[i].ms * MS);
        assert_int_equal(l->reaction_worst_ns, (published[i].ms + published[i].periods[0]) * MS);
        assert_false(l->any_phase);
        free_both(s, a);
    }
}

/* APP4RTA's screenshot: 468, 931 and 536 ms. 931 is the age for any phase; a reaction may take 5 ms more. */
static void let_latencies_of_app4rta(void **state)
{
    (void)state;
    const int64_t periods[] = {33, 400, 15, 15, 5};
    sys_system *s = chain_of(periods, 5, MS);
    sys_app4rta_let theirs = system_app4rta_let(s, &s->chains[0]);
    assert_int_equal(theirs.best_ns, 468 * MS);
    assert_int_equal(theirs.worst_ns, 931 * MS);
    assert_int_equal(theirs.initial_ns, 536 * MS);
    sys_answer *a = analyzed_anyhow(s);
    const sys_latency *l = latency(a, GCAST_COMMUNICATION_LET);
    assert_true(l->any_phase);
    assert_int_equal(l->reaction_best_ns, 468 * MS);
    assert_int_equal(l->age_best_ns, 468 * MS);
    assert_int_equal(l->age_worst_ns, 931 * MS);
    assert_int_equal(l->reaction_worst_ns, 936 * MS);
    assert_int_equal(l->first_worst_ns, 903 * MS);
    free_both(s, a);
}

/* Periods 10 and 15, both take 2. The first writes at 2, 12, 22; the second reads at 0, 15, 30. The job of 0 is read at
 * 15 and out at 17, that of 10 too, after 7; that of 20 is out at 32. A change at 0+ is in the output of 17; one at 10+
 * in that of 32. The output of 17 rests on the reading of 10, that of 32 on that of 20. */
static void implicit_communication_walks(void **state)
{
    (void)state;
    const int64_t periods[] = {10, 15};
    sys_system *s = chain_of(periods, 2, 2 * MS);
    sys_answer *a = analyzed(s, NULL);
    const sys_latency *l = latency(a, GCAST_COMMUNICATION_IMPLICIT);
    assert_int_equal(l->first_worst_ns, 17 * MS);
    assert_int_equal(l->reaction_worst_ns, 27 * MS);
    assert_int_equal(l->age_worst_ns, 12 * MS);
    assert_int_equal(l->reaction_best_ns, 7 * MS);
    assert_int_equal(l->age_best_ns, 7 * MS);
    assert_int_equal(latency(a, GCAST_COMMUNICATION_DIRECT)->reaction_worst_ns, 27 * MS);
    assert_int_equal(latency(a, GCAST_COMMUNICATION_DIRECT)->reaction_best_ns, 0);
    system_answer_free(a);
    a = analyzed_anyhow(s);
    l = latency(a, GCAST_COMMUNICATION_IMPLICIT);
    assert_true(l->any_phase);
    assert_int_equal(l->first_worst_ns, (2 + 15 + 2) * MS);
    assert_int_equal(l->reaction_worst_ns, (10 + 2 + 15 + 2) * MS);
    assert_int_equal(l->age_worst_ns, (10 + 2 + 2) * MS);
    assert_int_equal(l->reaction_best_ns, 4 * MS);
    free_both(s, a);
}

/* A task that starts late reads its first data late. */
static void a_late_first_job_counts(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int tasks[2];
    for (int i = 0; i < 2; i++)
        tasks[i] = add_simple(m, add_core(m, "core"), 1, 10, 1);
    made_task(m, tasks[1])->offset_ns = 95;
    add_chain(m, "chain", tasks, 2);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_int_equal(latency(a, GCAST_COMMUNICATION_IMPLICIT)->first_worst_ns, 96);
    free_both(s, a);
}

/* A task, what it triggers, and back: one job goes through all of it. */
/* The sixth of tasks that trigger each other reads 45 after their release, which comes every 10, and writes 9 later. It
 * is done with what is written at 1, 31, 61, ... at 54, 54, 74, ... */
static void a_first_job_may_read_late(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int source = add_simple(m, add_core(m, "core"), 1, 30, 1), last = add_simple(m, add_core(m, "core"), 1, 10, 9);
    for (int i = 1; i < 6; i++) {
        int next = add_triggered(m, "next", add_core(m, "core"), 1);
        add_trigger(m, last, next);
        add_run(m, next, 9, 9);
        last = next;
    }
    add_chain(m, "chain", (const int[]){source, last}, 2);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_int_equal(latency(a, GCAST_COMMUNICATION_IMPLICIT)->first_worst_ns, 54);
    assert_int_equal(latency(a, GCAST_COMMUNICATION_IMPLICIT)->reaction_best_ns, 14);
    free_both(s, a);
}

static void triggered_tasks_follow(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int left = add_core(m, "left"), right = add_core(m, "right");
    int task = add_periodic(m, "task", left, 1, 100), helper = add_triggered(m, "helper", right, 1);
    add_run(m, task, 4, 5);
    add_trigger(m, task, helper);
    add_wait(m, task, helper);
    add_run(m, task, 2, 3);
    add_run(m, helper, 6, 7);
    add_chain(m, "there", (const int[]){task, helper}, 2);
    add_chain(m, "back", (const int[]){helper, task}, 2);
    add_chain(m, "again", (const int[]){task, helper, task}, 3);
    add_chain(m, "other way", (const int[]){helper, task, helper}, 3);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    const sys_latency *there = &a->chains[0].by[GCAST_COMMUNICATION_IMPLICIT],
                      *back = &a->chains[1].by[GCAST_COMMUNICATION_IMPLICIT];
    const sys_latency *again = &a->chains[2].by[GCAST_COMMUNICATION_IMPLICIT],
                      *other = &a->chains[3].by[GCAST_COMMUNICATION_IMPLICIT];
    assert_int_equal(there->first_worst_ns, 12);
    assert_int_equal(there->reaction_worst_ns, 112);
    assert_int_equal(there->age_worst_ns, 12);
    assert_int_equal(there->reaction_best_ns, 10);
    assert_int_equal(back->first_worst_ns, 15);
    assert_int_equal(back->reaction_best_ns, 8);
    assert_int_equal(back->age_worst_ns, 11);
    assert_int_equal(again->first_worst_ns, 15);
    assert_int_equal(again->reaction_best_ns, 12);
    assert_int_equal(again->reaction_worst_ns, 115);
    /* the helper of the same job was before the data came back: the next one has it */
    assert_int_equal(other->first_worst_ns, 15 + 100 + 12 - 4);
    assert_int_equal(a->chains[2].by[GCAST_COMMUNICATION_LET].first_worst_ns, 100);
    free_both(s, a);
}

/* Nobody knows when a sporadic task comes again. */
static void a_sporadic_task_may_stay_away(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int first = add_sporadic(m, "sporadic", add_core(m, "core"), 1, 50);
    int second = add_simple(m, add_core(m, "core"), 1, 10, 2);
    add_run(m, first, 3, 3);
    add_chain(m, "from", (const int[]){first, second}, 2);
    add_chain(m, "to", (const int[]){second, first}, 2);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    const sys_latency *from = &a->chains[0].by[GCAST_COMMUNICATION_IMPLICIT],
                      *to = &a->chains[1].by[GCAST_COMMUNICATION_IMPLICIT];
    assert_int_equal(from->first_worst_ns, 3 + 10 + 2);
    assert_int_equal(from->reaction_worst_ns, SYS_UNBOUNDED);
    assert_int_equal(from->age_worst_ns, SYS_UNBOUNDED);
    assert_int_equal(to->first_worst_ns, SYS_UNBOUNDED);
    assert_int_equal(to->age_worst_ns, 10 + 2 + 3);
    free_both(s, a);
}

static void limits_of_chains_are_checked(void **state)
{
    (void)state;
    static const struct {
        gcast_communication how;
        int64_t reaction, age;
        gcast_deadline_verdict want_reaction, want_age;
    } cases[] = {
        {GCAST_COMMUNICATION_IMPLICIT, 27, 12, GCAST_DEADLINE_MET, GCAST_DEADLINE_MET},
        {GCAST_COMMUNICATION_IMPLICIT, 26, 6, GCAST_DEADLINE_OPEN, GCAST_DEADLINE_MISSED},
        {GCAST_COMMUNICATION_IMPLICIT, 0, 0, GCAST_DEADLINE_NONE, GCAST_DEADLINE_NONE},
        {GCAST_COMMUNICATION_LET, 44, 100, GCAST_DEADLINE_MISSED, GCAST_DEADLINE_MET},
        {GCAST_COMMUNICATION_LET, 45, 100, GCAST_DEADLINE_MET, GCAST_DEADLINE_MET},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t periods[] = {10, 15};
        sys_system *s = chain_of(periods, 2, 2 * MS);
        sys_chain *chain = (sys_chain *)(uintptr_t)&s->chains[0];
        sys_analyze_options options = system_analyze_options_default();
        options.communication = cases[i].how;
        options.reaction = GCAST_REACTION_CHANGE;
        chain->reaction_ns = cases[i].reaction * MS;
        chain->age_ns = cases[i].age * MS;
        sys_answer *a = analyzed(s, &options);
        assert_int_equal(a->chains[0].reaction_verdict, cases[i].want_reaction);
        assert_int_equal(a->chains[0].age_verdict, cases[i].want_age);
        assert_int_equal(a->all_met, i == 0 || i == 2 || i == 4);
        free_both(s, a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(let_latencies_are_as_published), cmocka_unit_test(let_latencies_of_app4rta),
        cmocka_unit_test(implicit_communication_walks),   cmocka_unit_test(a_late_first_job_counts),
        cmocka_unit_test(a_first_job_may_read_late),      cmocka_unit_test(triggered_tasks_follow),
        cmocka_unit_test(a_sporadic_task_may_stay_away),  cmocka_unit_test(limits_of_chains_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
