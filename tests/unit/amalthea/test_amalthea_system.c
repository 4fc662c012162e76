/* Systems of models that are made by calls: times of code and of accesses to memory. */
#include "support/small_model.h"
#include "support/support.h"
#include "support/waters.h"

static void check_time(const sys_system *s, const char *step, int64_t min_ns, int64_t max_ns)
{
    assert_int_equal(system_step(s, step)->on[0].min_ns, min_ns);
    assert_int_equal(system_step(s, step)->on[0].max_ns, max_ns);
}

static void test_ticks(void **state)
{
    static const struct {
        double hz;
        int64_t lower, upper, min_ns, max_ns;
    } cases[] = {
        {1.5e9, 1, 1, 0, 1},                                            /* 2/3 ns */
        {1.5e9, 3, 3, 2, 2},                                            /* exactly */
        {1.5e9, 41000000, 41000000, 27333333, 27333334},                /* a third is left */
        {2e9, 7951921, 7951921, 3975960, 3975961},                      /* a half */
        {1.1e9, 1100000000, 1100000000, 1000000000, 1000000000},        /* 1.1e9 is exact */
        {1.1 * 1e9, 1100000000, 1100000000, 1000000000, 1000000000},    /* or off by the last bit */
        {1000000000.5, 1000000001, 1000000001, 1000000000, 1000000001}, /* between 1000000000 and 1000000001 Hz */
        {1, 60, 60, 60000000000, 60000000000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        small b = small_model();
        b.m->units[b.core].frequency = cases[i].hz;
        task_does(b.m, b.task, item_call(small_runnable(&b, "R", cases[i].lower, cases[i].upper)));
        sys_system *s = small_system(&b, NULL);
        check_time(s, "R", cases[i].min_ns, cases[i].max_ns);
        small_free(&b, s);
    }
}

static void test_ticks_by_definition(void **state)
{
    small b = small_model();
    int fast = model_definition(b.m, "Fast", AM_UNIT_PROCESSOR, AM_PU_CPU);
    model_unit(b.m, "Core1", fast, 1e9);
    model_unit(b.m, "Core2", b.cpu, 2e9); /* the same definition, another frequency: another kind */
    model_unit(b.m, "Core3", b.cpu, 1e9);
    int r = model_runnable(b.m, "R"), only = model_runnable(b.m, "Only");
    am_item ticks = item_ticks(b.m, -1, 1000, 2000);
    item_ticks_add(b.m, &ticks, fast, 100, 200);
    runnable_does(b.m, r, ticks);
    runnable_does(b.m, only, item_ticks(b.m, b.cpu, 10, 10));
    task_does(b.m, b.task, item_call(r));
    task_does(b.m, b.task, item_call(only));
    (void)state;
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->core_count, 4);
    assert_int_equal(s->kind_count, 3);
    assert_string_equal(s->kinds[0], "Cpu at 1000 MHz");
    assert_string_equal(s->kinds[1], "Fast");
    assert_string_equal(s->kinds[2], "Cpu at 2000 MHz");
    assert_int_equal(s->cores[3].kind, 0);
    const sys_step *step = system_step(s, "R");
    assert_true(step->on[0].min_ns == 1000 && step->on[0].max_ns == 2000);
    assert_true(step->on[1].min_ns == 100 && step->on[1].max_ns == 200);
    assert_true(step->on[2].min_ns == 500 && step->on[2].max_ns == 1000);
    assert_int_equal(system_step(s, "Only")->on[1].min_ns, SYS_NEVER);
    assert_int_equal(s->choices[0].core_count, 1); /* its scheduler has no other */
    small_free(&b, s);
}

static void test_no_frequency(void **state)
{
    sys_given given = {.file = "", .switch_ns = -1, .tick_ps = 2500};
    (void)state;
    for (int i = 0; i < 2; i++) {
        small b = small_model();
        b.m->units[b.core].frequency = 0;
        task_does(b.m, b.task, item_call(small_runnable(&b, "R", 3, 5)));
        if (i == 0) {
            small_refused(&b, NULL,
                          "Core0 has no frequency, so the time of its ticks is not known (ticks of R): give --tick");
            continue;
        }
        sys_system *s = small_system(&b, &given);
        check_time(s, "R", 7, 13);
        small_free(&b, s);
    }
}

static void test_unbounded(void **state)
{
    (void)state;
    for (int called = 0; called < 2; called++) {
        small b = small_model();
        int r = small_runnable(&b, "Gauss", 0, 10), other = small_runnable(&b, "R", 5, 5);
        am_ticks *ticks = (am_ticks *)b.m->runnable_items[r].at[0].ticks;
        ticks->value.kind = AM_GAUSS;
        ticks->value.bounded_above = ticks->value.bounded_below = false;
        task_does(b.m, b.task, item_call(called ? r : other));
        if (called)
            small_refused(&b, NULL, "Gauss: its ticks have no upper bound");
        else
            small_free(&b, small_system(&b, NULL));
    }
    small b = small_model();
    int r = small_runnable(&b, "Below", -5, 10); /* may be below 0 as it is not bounded there */
    task_does(b.m, b.task, item_call(r));
    sys_system *s = small_system(&b, NULL);
    check_time(s, "Below", 0, 10);
    small_free(&b, s);
}

static am_item branch(make_model *m, double probability, bool is_default, int runnable)
{
    am_item call = item_call(runnable), b = item_with(m, AM_ITEM_BRANCH, &call, 1);
    b.probability = probability;
    b.is_default = is_default;
    return b;
}

static void test_switches(void **state)
{
    (void)state;
    static const struct {
        double p[3];
        bool has_default;
        int64_t min_ns, max_ns;
    } cases[] = {
        {{0.2, 0.3, 0.5}, false, 100, 300}, /* any of them */
        {{0.2, 0.8, 0}, false, 100, 200},   /* one is never taken */
        {{-1, -1, -1}, true, 100, 300},     /* the last is the default */
        {{-1, -1, -1}, false, 0, 300},      /* or none */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        small b = small_model();
        am_item branches[3];
        for (int k = 0; k < 3; k++) {
            int r = small_runnable(&b, "R", 100 * (k + 1), 100 * (k + 1));
            branches[k] = branch(b.m, cases[i].p[k], cases[i].has_default && k == 2, r);
        }
        task_does(b.m, b.task, item_with(b.m, AM_ITEM_SWITCH, branches, 3));
        sys_system *s = small_system(&b, NULL);
        check_time(s, "T", cases[i].min_ns, cases[i].max_ns);
        small_free(&b, s);
    }
}

static void test_loops(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        small b = small_model();
        am_item ticks = item_ticks(b.m, -1, 10, 20);
        int r = model_runnable(b.m, "Loop");
        runnable_does(b.m, r, item_with(b.m, AM_ITEM_LOOP, &ticks, 1));
        task_does(b.m, b.task, item_call(r));
        if (i)
            model_property(b.m, r, "gridcast.iterations", i == 1 ? "3 5" : "often");
        if (i == 0)
            small_refused(&b, NULL, "Loop has a loop, and how often it runs is not said");
        else if (i == 2)
            small_refused(&b, NULL, "gridcast.iterations must be a number");
        else {
            sys_system *s = small_system(&b, NULL);
            check_time(s, "Loop", 30, 100);
            small_free(&b, s);
        }
    }
}

/* Runnables in runnables, groups in groups, servers. */
static void test_calls(void **state)
{
    small b = small_model();
    int inner = small_runnable(&b, "Inner", 10, 20), server = small_runnable(&b, "Server", 1, 2);
    int outer = small_runnable(&b, "Outer", 100, 100);
    am_item sync = item_of(AM_ITEM_SERVER_CALL), async = sync;
    (void)state;
    sync.runnable = async.runnable = server;
    async.asynchronous = true;
    runnable_does(b.m, outer, item_call(inner));
    runnable_does(b.m, outer, item_call(inner));
    runnable_does(b.m, outer, sync);
    runnable_does(b.m, outer, async);
    am_item call = item_call(outer), group = item_with(b.m, AM_ITEM_GROUP, &call, 1);
    task_does(b.m, b.task, item_with(b.m, AM_ITEM_GROUP, &group, 1));
    task_does(b.m, b.task, item_ticks(b.m, -1, 7, 7)); /* the task's own code */
    task_does(b.m, b.task, item_ticks(b.m, -1, 1, 2));
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->tasks[0].step_count, 2);
    check_time(s, "Outer", 121, 142);
    check_time(s, "T", 8, 9);
    assert_non_null(system_finding(s, "Outer calls Server asynchronously"));
    small_free(&b, s);

    b = small_model();
    int one = model_runnable(b.m, "One"), two = model_runnable(b.m, "Two");
    runnable_does(b.m, one, item_call(two));
    runnable_does(b.m, two, item_call(one));
    task_does(b.m, b.task, item_call(one));
    small_refused(&b, NULL, "calls itself");
}

/* 2^60 calls of calls are no work; 1000 levels are refused. */
static void test_many_calls(void **state)
{
    small b = small_model();
    int last = small_runnable(&b, "R0", 1, 1);
    (void)state;
    for (int i = 0; i < 30; i++) {
        int next = model_runnable(b.m, "R");
        runnable_does(b.m, next, item_call(last));
        runnable_does(b.m, next, item_call(last));
        last = next;
    }
    task_does(b.m, b.task, item_call(last));
    sys_system *s = small_system(&b, NULL);
    check_time(s, "R", 1 << 30, 1 << 30);
    small_free(&b, s);

    b = small_model();
    am_item item = item_ticks(b.m, -1, 1, 1);
    for (int i = 0; i < 1000; i++)
        item = item_with(b.m, AM_ITEM_GROUP, &item, 1);
    task_does(b.m, b.task, item);
    small_refused(&b, NULL, "nested deeper than");

    b = small_model();
    task_does(b.m, b.task, item_call(small_runnable(&b, "Long", INT64_MAX, INT64_MAX)));
    small_refused(&b, NULL, "Long takes longer than a day on Cpu");
}

static void test_semaphores(void **state)
{
    small b = small_model();
    am_item ask = item_of(AM_ITEM_SEMAPHORE);
    int r = small_runnable(&b, "R", 5, 5);
    (void)state;
    b.m->semaphores[b.m->m.semaphore_count++] = "S";
    ask.semaphore = 0;
    ask.request = true;
    runnable_does(b.m, r, ask);
    task_does(b.m, b.task, item_call(r));
    sys_system *s = small_system(&b, NULL);
    assert_non_null(system_finding(s, "Semaphore S is requested by R: waits for semaphores are not"));
    small_free(&b, s);
}

static void test_accesses(void **state)
{
    sys_given_access access = {"Cpu", {20, 220}, {30, 330}};
    sys_given given = {.file = "", .switch_ns = -1, .lines_plus_one = true, .accesses = &access, .access_count = 1};
    (void)state;
    for (int i = 0; i < 4; i++) {
        small b = small_model();
        int dram = model_definition(b.m, "Dram", AM_UNIT_MEMORY, AM_PU_UNKNOWN);
        int memory = model_unit(b.m, "Memory", dram, 1e9);
        int label = model_label(b.m, "L", i == 3 ? -1 : 128), r = small_runnable(&b, "R", 100, 200);
        if (i == 0)
            model_unit(b.m, "Other", b.m->units[b.core].definition, 1e9);
        if (i != 2)
            model_reaches(b.m, b.core, memory, 40, 60);
        runnable_does(b.m, r, item_access(label, false));
        runnable_does(b.m, r, item_access(label, true));
        task_does(b.m, b.task, item_call(r));
        sys_system *s = small_system(&b, i == 1 ? &given : NULL);
        const sys_range *a = &system_step(s, "R")->access[0];
        if (i == 0) { /* two lines to read and two to write */
            assert_true(a->min_ns == 200 && a->max_ns == 200);
            check_time(s, "R", 300, 400);
            assert_non_null(system_finding(s, "contention with other cores and the GPU is not included"));
        } else if (i == 1) { /* three of each, with contention */
            assert_true(a->min_ns == 150 && a->max_ns == 1650);
            check_time(s, "R", 250, 1850);
            assert_null(system_finding(s, "contention"));
        } else if (i == 2) { /* nothing is said */
            assert_true(a->min_ns == 0 && a->max_ns == 0);
            assert_non_null(system_finding(s, "Accesses to memory take no time here: the model does not give"));
        } else { /* one line of each */
            assert_true(a->min_ns == 100 && a->max_ns == 100);
            assert_non_null(system_finding(s, "The model gives no size for label L"));
        }
        small_free(&b, s);
    }
}

/* By the rate of the access and the memory, by the memory itself, and by the path to it. */
static void test_other_accesses(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        small b = small_model();
        int dram = model_definition(b.m, "Dram", AM_UNIT_MEMORY, AM_PU_UNKNOWN);
        int memory = model_unit(b.m, "Memory", dram, 3e9);
        int label = model_label(b.m, "L", 6400), r = small_runnable(&b, "R", 100, 100);
        am_access_element element = {.destination = memory, .data_rate = 160e9}; /* 3.2 ns a line */
        b.m->definitions[dram].access_latency = model_constant(10);              /* 3.33 ns */
        b.m->units[b.core].accesses = &element;
        b.m->units[b.core].access_count = i == 1 ? 0 : 1;
        int bus_type = model_definition(b.m, "Bus_type", AM_UNIT_CONNECTION, AM_PU_UNKNOWN);
        int bus = model_unit(b.m, "Bus", bus_type, 1e9);
        b.m->definitions[bus_type].read_latency = model_bounds(2, 7);
        if (i == 2)
            element = (am_access_element){.destination = memory, .has_path = true, .path = &bus, .path_count = 1};
        runnable_does(b.m, r, item_access(label, false));
        task_does(b.m, b.task, item_call(r));
        sys_system *s = small_system(&b, NULL);
        check_time(s, "R", i == 0 ? 753 : i == 1 ? 433 : 633, i == 0 ? 754 : i == 1 ? 434 : 1134);
        assert_int_equal(system_finding(s, "a part of the path from Cpu to the memory of label L") != NULL, i == 1);
        small_free(&b, s);
    }
}

static void test_nothing(void **state)
{
    small b = small_model();
    int empty = model_runnable(b.m, "Empty");
    (void)state;
    int other = small_task(&b, "Idle", b.stimulus);
    (void)other;
    task_does(b.m, b.task, item_call(empty));
    sys_system *s = small_system(&b, NULL);
    check_time(s, "Empty", 0, 0);
    check_time(s, "Idle", 0, 0);
    assert_non_null(system_finding(s, "without any content that tasks call: 1 (first: Empty)"));
    assert_non_null(system_finding(s, "Task Idle does nothing"));
    small_free(&b, s);

    b = small_model();
    b.m->m.task_count = 0;
    small_refused(&b, NULL, "The model has no tasks.");
    b = small_model();
    b.m->m.unit_count = 0;
    small_refused(&b, NULL, "The model has no processing unit of type CPU");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks),          cmocka_unit_test(test_ticks_by_definition),
        cmocka_unit_test(test_no_frequency),   cmocka_unit_test(test_unbounded),
        cmocka_unit_test(test_switches),       cmocka_unit_test(test_loops),
        cmocka_unit_test(test_calls),          cmocka_unit_test(test_many_calls),
        cmocka_unit_test(test_semaphores),     cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_other_accesses), cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
