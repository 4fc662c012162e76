/* Systems of models that are made by calls: places, priorities, deadlines, and what is doubtful about them. */
#include <string.h>

#include "support/small_model.h"
#include "support/support.h"
#include "support/waters.h"

#define MS 1000000

/* Three cores, and two tasks that call R. */
static small three_cores(int *second)
{
    small b = small_busy_model();
    model_unit(b.m, "Core1", b.cpu, 1e9);
    model_unit(b.m, "Core2", b.cpu, 1e9);
    *second = small_task(&b, "U", b.stimulus);
    task_does(b.m, *second, item_call(0));
    return b;
}

static void test_affinity(void **state)
{
    int u, cores[] = {1, 2}, none = -1;
    small b = three_cores(&u);
    (void)state;
    b.m->allocations[0].affinity = cores; /* two: the first */
    b.m->allocations[0].affinity_count = 2;
    b.m->allocations[1].affinity_count = 0; /* none: what the scheduler is responsible for */
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->places[0].core, 1);
    assert_int_equal(s->places[1].core, 0);
    assert_non_null(system_finding(s, "Task T may run on Core1 and Core2: Core1 is assumed"));
    const sys_finding *f = system_finding(
        s, "Task T is bound to Core1, but its scheduler Scheduler is responsible for Core0: Core1 is used.");
    assert_true(f->doubtful && f->line == 7 && strcmp(f->file, "model.amxmi") == 0);
    assert_int_equal(s->choices[0].core_count, 2); /* where it is, and what its scheduler has */
    system_free(s);
    b.m->schedulers[b.scheduler].executing_unit = 2;
    s = small_system(&b, NULL);
    assert_true(system_finding(s, "Scheduler Scheduler runs on Core2, but is responsible for Core0")->doubtful);
    system_free(s);
    model_allocate(b.m, u, b.scheduler, 2, 5); /* once more */
    s = small_system(&b, NULL);
    assert_true(system_finding(s, "Task U is allocated more than once")->doubtful);
    assert_int_equal(s->places[1].core, 0);
    system_free(s);
    b.m->allocations[2].task = none;
    b.m->schedulers[b.scheduler].unit_count = 0;
    small_refused(&b, NULL, "Task U is mapped to no core");
}

static void test_impossible(void **state)
{
    int u;
    (void)state;
    small b = three_cores(&u);
    int other = model_definition(b.m, "Other", AM_UNIT_PROCESSOR, AM_PU_CPU);
    ((am_ticks *)b.m->runnable_items[0].at[0].ticks)[0].definition = other;
    small_refused(&b, NULL,
                  "Task T is mapped to Core0, but cannot run there: the model does not say how long R takes on");
    b = three_cores(&u);
    int dsp = model_unit(b.m, "Dsp", model_definition(b.m, "Dsp_def", AM_UNIT_PROCESSOR, AM_PU_ACCELERATOR), 1e9);
    b.m->allocations[0].affinity = &dsp;
    small_refused(&b, NULL, "Task T is mapped to Dsp, which is neither a CPU nor a GPU");
    b = small_busy_model(); /* the only core */
    b.m->m.allocation_count = 0;
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->places[0].core, 0);
    assert_non_null(system_finding(s, "Mapped to no core: T. Core0 is used, the only core"));
    assert_non_null(system_finding(s, "The model gives no priority for T"));
    small_free(&b, s);
}

static void test_priorities(void **state)
{
    int u;
    (void)state;
    small b = three_cores(&u);
    sys_system *s = small_system(&b, NULL);
    assert_non_null(system_finding(s, "On Core0 all priorities are equal (T and U): any order is assumed"));
    system_free(s);
    b.m->allocations[0].priority = 5;
    b.m->allocations[1].has_priority = false;
    s = small_system(&b, NULL);
    assert_true(s->places[0].priority == 5 && s->places[1].priority < 5);
    assert_non_null(system_finding(s, "The model gives no priority for U: the lowest is assumed"));
    assert_null(system_finding(s, "are equal"));
    system_free(s);
    am_property custom = {"priority", "7", {"", 0}, false};
    b.m->tasks[u].properties = &custom;
    b.m->tasks[u].property_count = 1;
    s = small_system(&b, NULL);
    assert_int_equal(s->places[1].priority, 7);
    assert_non_null(system_finding(s, "The allocations of U have no priority: the custom property priority is taken"));
    small_free(&b, s);
}

static void test_schedulers(void **state)
{
    static const struct {
        am_scheduling algorithm;
        const char *name, *text;
    } refused[] = {
        {AM_SCHEDULING_EDF, "EarliestDeadlineFirst",
         "Scheduler Scheduler, which task T is allocated to, is EarliestDeadlineFirst: only fixed priorities"},
        {AM_SCHEDULING_ROUND_ROBIN, "PriorityBasedRoundRobin", "only fixed priorities are analysed"},
        {AM_SCHEDULING_GROUPING, "Grouping", "only fixed priorities are analysed"},
        {AM_SCHEDULING_OTHER, "Pfair", "is Pfair: only fixed priorities are analysed"},
    };
    sys_given monotonic = {.file = "", .switch_ns = -1, .rate_monotonic = true};
    int u;
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        small b = three_cores(&u);
        b.m->schedulers[b.scheduler].algorithm = refused[i].algorithm;
        b.m->schedulers[b.scheduler].algorithm_name = refused[i].name;
        int slow = model_stimulus(b.m, "every_20ms", AM_STIMULUS_PERIODIC, 20 * MS);
        b.m->tasks[u].stimuli = &slow;
        sys_system *s = small_system(&b, &monotonic);
        assert_true(s->places[0].priority > s->places[1].priority);
        system_free(s);
        small_refused(&b, NULL, refused[i].text);
    }
    small b = three_cores(&u);
    b.m->schedulers[b.scheduler].parent = model_scheduler(b.m, "Above", AM_SCHEDULING_FIXED_PRIORITY, NULL, 0);
    small_refused(&b, NULL, "is below scheduler Above");
}

static void test_derived_priorities(void **state)
{
    int u;
    small b = three_cores(&u);
    am_scheduler *scheduler = &b.m->schedulers[b.scheduler];
    (void)state;
    model_deadline(b.m, "D", u, 5 * MS);
    scheduler->algorithm = AM_SCHEDULING_OSEK;
    system_free(small_system(&b, NULL));
    scheduler->algorithm = AM_SCHEDULING_RATE_MONOTONIC;
    sys_system *s = small_system(&b, NULL);
    assert_true(s->places[0].priority == s->places[1].priority);
    system_free(s);
    scheduler->algorithm = AM_SCHEDULING_DEADLINE_MONOTONIC;
    s = small_system(&b, NULL);
    assert_true(s->places[0].priority < s->places[1].priority);
    system_free(s);
    scheduler->algorithm = AM_SCHEDULING_OTHER;
    scheduler->algorithm_name = "";
    s = small_system(&b, NULL);
    assert_non_null(
        system_finding(s, "Scheduler Scheduler has no algorithm: fixed priorities with preemption are assumed"));
    small_free(&b, s);
}

static void test_given(void **state)
{
    int u;
    small b = three_cores(&u);
    sys_given_task t = {
        .name = "U", .core = "Core2", .has_priority = true, .priority = -4, .deadline_ns = 3 * MS, .extra = {100, 300}};
    sys_given given = {.file = "side.json", .switch_ns = -1, .tasks = &t, .task_count = 1};
    (void)state;
    model_deadline(b.m, "D", u, 5 * MS);
    sys_system *s = small_system(&b, &given);
    assert_int_equal(s->places[1].core, system_core(s, "Core2"));
    assert_int_equal(s->places[1].priority, -4);
    assert_int_equal(s->tasks[1].deadline_ns, 3 * MS);
    assert_true(s->tasks[1].steps[0].on[0].min_ns == 1100 && s->tasks[1].steps[0].on[0].max_ns == 2300);
    assert_int_equal(s->tasks[0].steps[0].on[0].max_ns, 2000);
    system_free(s);
    t.core = "Core9";
    small_refused(&b, &given, "The model has no processing unit Core9, which --kernels gives for task U");
    b = three_cores(&u);
    t = (sys_given_task){.name = "V", .deadline_ns = -1};
    small_refused(&b, &given, "The model has no task V");
    b = three_cores(&u);
    sys_given_access access = {"Vax", {1, 2}, {1, 2}};
    given = (sys_given){.file = "side.json", .switch_ns = -1, .accesses = &access, .access_count = 1};
    small_refused(&b, &given, "The model has no definition of processing units Vax");
}

static void test_deadlines(void **state)
{
    int u;
    small b = three_cores(&u);
    (void)state;
    model_deadline(b.m, "Late", b.task, 9 * MS);
    model_deadline(b.m, "Early", b.task, 4 * MS);
    int lower = model_deadline(b.m, "From_below", u, MS), on_r = model_deadline(b.m, "On_r", 0, MS);
    int load = model_deadline(b.m, "Load", u, MS);
    b.m->limits[lower].lower_ps = 1000;
    b.m->limits[lower].upper_ps = -1;
    b.m->limits[on_r].kind = AM_LIMIT_RUNNABLE;
    b.m->limits[load].metric = AM_METRIC_OTHER;
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->tasks[0].deadline_ns, 4 * MS);
    assert_string_equal(s->tasks[0].deadline_name, "Early");
    assert_int_equal(s->limit_count, 2);
    assert_non_null(system_finding(s, "Load: limits of a kind that is not analysed."));
    assert_true(system_finding(s, "The model gives no deadline for U")->doubtful);
    system_free(s);
    b.m->m.limit_count = 0;
    s = small_system(&b, NULL);
    assert_true(system_finding(s, "No task has a deadline")->doubtful);
    small_free(&b, s);
}

static void test_swapped(void **state)
{
    static const struct {
        const char *one, *two; /* limits on the tasks T and U, here Brake_left and Brake */
        bool swapped;
    } cases[] = {
        {"Deadline_Brake", "Deadline_Brake_Left", true},
        {"Deadline_BrakeLeft", "Deadline_Brake", false},
        {"Deadline_1", "Deadline_2", false},
        {"Deadline_Brake", "Deadline_2", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int u;
        small b = three_cores(&u);
        b.m->tasks[b.task].name = "Brake_left";
        b.m->tasks[u].name = "Brake";
        model_deadline(b.m, cases[i].one, b.task, 5 * MS);
        int second = model_deadline(b.m, cases[i].two, u, 6 * MS);
        sys_system *s = small_system(&b, NULL);
        const sys_finding *f = system_finding(s, "Two deadlines look swapped");
        assert_int_equal(f != NULL, cases[i].swapped);
        assert_true(!f || f->doubtful);
        system_free(s);
        b.m->limits[second].upper_ps = b.m->limits[second - 1].upper_ps; /* makes no difference */
        s = small_system(&b, NULL);
        assert_null(system_finding(s, "swapped"));
        small_free(&b, s);
    }
}

static void test_doubts(void **state)
{
    int u;
    small b = three_cores(&u);
    int label = model_label(b.m, "Constant", 10), unused = model_label(b.m, "Unused", 3000);
    (void)state, (void)unused;
    b.m->labels[label].constant = true;
    runnable_does(b.m, 0, item_access(label, true));
    runnable_does(b.m, 0, item_ticks(b.m, -1, 6 * MS, 6 * MS));
    model_deadline(b.m, "D", u, 3 * MS);
    b.m->unknown[b.m->m.unknown_count++] = (am_unknown){.what = "items:Strange", .count = 3, .at = {"model.amxmi", 12}};
    b.m->unknown[b.m->m.unknown_count++] =
        (am_unknown){.what = "description", .count = 1, .meaning = AM_UNUSED_HARMLESS};
    sys_system *s = small_system(&b, NULL);
    assert_true(system_finding(s, "Labels are marked as constant, but written: Constant")->doubtful);
    assert_true(system_finding(s, "Label Unused (3 KB) is never read or written")->doubtful);
    assert_true(
        system_finding(s, "Task U takes up to 6.002ms alone on Core0, more than its deadline of 3ms, D")->doubtful);
    assert_true(system_finding(s, "Core0 is overloaded: its tasks need up to 120.0 % of its time")->doubtful);
    const sys_finding *f = system_finding(s, "Not understood and not used: items:Strange, 3 times");
    assert_true(f->line == 12 && !f->doubtful && f->effects == (SYS_CONDITION | SYS_LEFT_OUT) &&
                f->task == SYS_ALL_TASKS);
    assert_null(system_finding(s, "description"));
    system_free(s);
    b.m->stimuli[b.stimulus].recurrence_ps = INT64_C(5000000000);
    s = small_system(&b, NULL);
    assert_true(system_finding(s, "Task T takes up to 6.002ms alone on Core0, and comes every 5ms")->doubtful);
    small_free(&b, s);
}

/* A search puts tasks where a scheduler of the same kind is, below no other. */
static void test_searched_cores(void **state)
{
    static const struct {
        am_scheduling algorithm;
        bool child;
        size_t cores;
    } cases[] = {{AM_SCHEDULING_FIXED_PRIORITY, false, 2},
                 {AM_SCHEDULING_OSEK, false, 2},
                 {AM_SCHEDULING_FIXED_PRIORITY, true, 1},
                 {AM_SCHEDULING_RATE_MONOTONIC, false, 1},
                 {AM_SCHEDULING_EDF, false, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int u, core = 1;
        small b = three_cores(&u);
        int other = model_scheduler(b.m, "Other", cases[i].algorithm, &core, 1);
        b.m->schedulers[other].parent = cases[i].child ? b.scheduler : -1;
        sys_system *s = small_system(&b, NULL);
        assert_int_equal(s->choices[0].core_count, cases[i].cores);
        assert_false(s->fixed_priorities);
        small_free(&b, s);
    }
    int u;
    small b = three_cores(&u);
    b.m->schedulers[b.scheduler].algorithm = AM_SCHEDULING_RATE_MONOTONIC;
    sys_system *s = small_system(&b, NULL);
    assert_true(s->fixed_priorities);
    small_free(&b, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affinity),   cmocka_unit_test(test_searched_cores),
        cmocka_unit_test(test_impossible), cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_schedulers), cmocka_unit_test(test_derived_priorities),
        cmocka_unit_test(test_given),      cmocka_unit_test(test_deadlines),
        cmocka_unit_test(test_swapped),    cmocka_unit_test(test_doubts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
