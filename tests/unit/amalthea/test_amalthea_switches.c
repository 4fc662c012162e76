/* Systems of models whose switches trigger tasks. */
#include "analyze/system/late_runs.h"
#include "analyze/system/system_analysis.h"
#include "support/small_model.h"
#include "support/support.h"
#include "support/waters.h"

/* T calls Before, has a switch, and calls Behind; Left and Right are triggered. */
typedef struct choice {
    small b;
    int start_left, start_right, left, right;
    int shorter, longer; /* runnables of 100 to 200 and of 300 to 500 ns */
    am_item items[2][3]; /* of the branches */
    size_t count[2];
    double probability[2];
} choice;

static choice choice_model(void)
{
    choice c = {.b = small_model(), .probability = {0.3, 0.7}};
    make_model *m = c.b.m;
    c.start_left = model_stimulus(m, "start_left", AM_STIMULUS_INTER_PROCESS, 0);
    c.start_right = model_stimulus(m, "start_right", AM_STIMULUS_INTER_PROCESS, 0);
    c.left = small_task(&c.b, "Left", c.start_left);
    c.right = small_task(&c.b, "Right", c.start_right);
    c.shorter = small_runnable(&c.b, "Shorter", 100, 200);
    c.longer = small_runnable(&c.b, "Longer", 300, 500);
    task_does(m, c.left, item_call(c.shorter));
    task_does(m, c.right, item_call(c.shorter));
    task_does(m, c.b.task, item_call(small_runnable(&c.b, "Before", 1000, 1000)));
    return c;
}

static void does(choice *c, int branch, am_item item)
{
    c->items[branch][c->count[branch]++] = item;
}

static am_item the_switch(choice *c)
{
    am_item branches[2];
    for (int i = 0; i < 2; i++) {
        branches[i] = item_with(c->b.m, AM_ITEM_BRANCH, c->items[i], c->count[i]);
        branches[i].probability = c->probability[i];
    }
    return item_with(c->b.m, AM_ITEM_SWITCH, branches, 2);
}

static void add_switch(choice *c)
{
    task_does(c->b.m, c->b.task, the_switch(c));
    task_does(c->b.m, c->b.task, item_call(small_runnable(&c->b, "Behind", 10, 10)));
}

static sys_system *system_of(choice *c)
{
    add_switch(c);
    return small_system(&c->b, NULL);
}

static void check_run(const sys_step *step, int64_t min, int64_t max)
{
    assert_int_equal(step->kind, SYS_RUN);
    assert_int_equal(step->on[0].min_ns, min);
    assert_int_equal(step->on[0].max_ns, max);
}

static void check_trigger(const sys_system *s, size_t step, int other, bool maybe)
{
    assert_int_equal(s->tasks[0].steps[step].kind, SYS_TRIGGER);
    assert_int_equal(s->tasks[0].steps[step].task, other);
    assert_int_equal(s->tasks[0].steps[step].maybe, maybe);
    assert_int_equal(system_always_starts(s, other), !maybe);
}

/* Each branch runs something, and then triggers a task of its own. */
static void test_either(void **state)
{
    (void)state;
    choice c = choice_model();
    does(&c, 0, item_call(c.shorter));
    does(&c, 0, item_trigger(c.start_left));
    does(&c, 1, item_call(c.longer));
    does(&c, 1, item_trigger(c.start_right));
    sys_system *s = system_of(&c);
    assert_int_equal(s->tasks[0].step_count, 5);
    check_run(&s->tasks[0].steps[1], 100, 500);
    check_trigger(s, 2, 1, true);
    check_trigger(s, 3, 2, true);
    check_run(&s->tasks[0].steps[4], 10, 10);
    assert_true(s->loose);
    assert_non_null(
        system_finding(s, "a switch in T triggers tasks: it is assumed that this triggers them each time."));
    small_free(&c.b, s);
}

/* All ways trigger it: there is nothing to choose. Without probabilities no branch need be taken. */
static void test_always(void **state)
{
    (void)state;
    for (int skips = 0; skips < 2; skips++) {
        choice c = choice_model();
        does(&c, 0, item_call(c.longer));
        for (int i = 0; i < 2; i++) {
            does(&c, i, item_trigger(c.start_left));
            c.probability[i] = skips ? -1 : 0.5;
        }
        sys_system *s = system_of(&c);
        assert_int_equal(s->task_count, 2); /* nobody triggers Right */
        assert_int_equal(s->tasks[0].step_count, 4);
        check_run(&s->tasks[0].steps[1], 0, 500);
        check_trigger(s, 2, 1, skips);
        small_free(&c.b, s);
    }
}

/* Code behind a trigger may run while the other task does, or before it: both are covered. */
static void test_goes_on(void **state)
{
    (void)state;
    choice c = choice_model();
    does(&c, 0, item_call(c.shorter));
    does(&c, 0, item_trigger(c.start_left));
    does(&c, 0, item_call(c.longer));
    does(&c, 1, item_call(c.longer));
    sys_system *s = system_of(&c);
    assert_int_equal(s->tasks[0].step_count, 5);
    check_run(&s->tasks[0].steps[1], 0, 700);
    check_trigger(s, 2, 1, true);
    check_run(&s->tasks[0].steps[3], 0, 700);
    assert_non_null(system_finding(s, "and again after them"));
    small_free(&c.b, s);
}

/* A switch in a switch, and a runnable that triggers. */
static void test_nested(void **state)
{
    (void)state;
    choice inner = choice_model(), outer;
    does(&inner, 0, item_trigger(inner.start_left));
    does(&inner, 1, item_trigger(inner.start_right));
    outer = inner;
    outer.count[0] = outer.count[1] = 0;
    does(&outer, 0, the_switch(&inner));
    does(&outer, 1, item_call(outer.longer));
    sys_system *s = system_of(&outer);
    assert_int_equal(s->tasks[0].step_count, 5);
    check_run(&s->tasks[0].steps[1], 0, 500);
    check_trigger(s, 2, 1, true);
    check_trigger(s, 3, 2, true);
    small_free(&outer.b, s);

    choice c = choice_model();
    int sender = small_runnable(&c.b, "Sender", 50, 60);
    runnable_does(c.b.m, sender, item_trigger(c.start_left));
    does(&c, 0, item_call(sender));
    s = system_of(&c);
    check_run(&s->tasks[0].steps[1], 0, 60);
    check_trigger(s, 2, 1, true);
    small_free(&c.b, s);
}

static void test_refused(void **state)
{
    (void)state;
    choice c = choice_model();
    does(&c, 0, item_trigger(c.start_left));
    does(&c, 0, item_trigger(c.start_left));
    add_switch(&c);
    small_refused(&c.b, NULL, "Task Left is triggered from several places");

    c = choice_model();
    int event = model_os_event(c.b.m, "Done");
    does(&c, 0, item_trigger(c.start_left));
    does(&c, 0, item_event(c.b.m, AM_ITEM_WAIT_EVENT, event));
    add_switch(&c);
    small_refused(&c.b, NULL, "a switch in T waits for events: gridcast analyzes this only outside of switches");

    c = choice_model();
    event = model_os_event(c.b.m, "Done");
    does(&c, 0, item_trigger(c.start_left));
    add_switch(&c);
    task_does(c.b.m, c.b.task, item_event(c.b.m, AM_ITEM_WAIT_EVENT, event));
    task_does(c.b.m, c.left, item_event(c.b.m, AM_ITEM_SET_EVENT, event));
    small_refused(&c.b, NULL, "which Left sets: a switch need not trigger that task");

    c = choice_model();
    am_item trigger = item_trigger(c.start_left);
    does(&c, 0, item_with(c.b.m, AM_ITEM_LOOP, &trigger, 1));
    add_switch(&c);
    small_refused(&c.b, NULL, "a switch in T triggers tasks in a loop");
}

/* Left may never be triggered: no reaction through it has a bound, and none of its misses is certain. */
static void test_answer(void **state)
{
    (void)state;
    choice c = choice_model();
    gcast_error err = {0};
    sys_answer *a;
    does(&c, 0, item_trigger(c.start_left));
    model_deadline(c.b.m, "D", c.left, 100); /* from its own release */
    sys_system *s = system_of(&c);
    int both[] = {0, 1};
    sys_chain chain = {.name = "chain", .tasks = both, .task_count = 2, .reaction_ns = 1000000000};
    s->chains = &chain;
    s->chain_count = 1;
    assert_int_equal(system_analyze(s, NULL, NULL, &a, &err), GCAST_OK);
    assert_int_equal(a->chains[0].by[GCAST_COMMUNICATION_IMPLICIT].reaction_worst_ns, SYS_UNBOUNDED);
    assert_int_equal(a->chains[0].by[GCAST_COMMUNICATION_IMPLICIT].first_worst_ns, SYS_UNBOUNDED);
    assert_int_equal(a->chains[0].reaction_verdict, GCAST_DEADLINE_OPEN);
    assert_int_equal(system_look_for_late(a, false, &err), GCAST_OK);
    assert_true(a->tasks[1].seen_ns > 1100);
    assert_int_equal(a->tasks[1].verdict, GCAST_DEADLINE_OPEN);
    system_answer_free(a);
    small_free(&c.b, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_either), cmocka_unit_test(test_always),  cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_nested), cmocka_unit_test(test_refused), cmocka_unit_test(test_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
