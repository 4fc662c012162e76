/* Systems of models that are made by calls: chains of tasks, and their limits. */
#include <string.h>

#include "support/small_model.h"
#include "support/support.h"
#include "support/waters.h"

#define MS 1000000
#define MS_PS INT64_C(1000000000)

/* Tasks A, B and C: A writes X, B reads it and writes Y, C reads that. Each calls a runnable of its own. */
typedef struct relay {
    small b;
    int task[3], runnable[3], x, y;
} relay;

static relay relay_model(void)
{
    static const char *const names[] = {"A", "B", "C"}, *const runnables[] = {"Ra", "Rb", "Rc"};
    relay r = {.b = small_model()};
    make_model *m = r.b.m;
    r.x = model_label(m, "X", 64);
    r.y = model_label(m, "Y", 64);
    for (int i = 0; i < 3; i++) {
        r.task[i] = i ? small_task(&r.b, names[i], r.b.stimulus) : r.b.task;
        m->tasks[r.task[i]].name = names[i];
        r.runnable[i] = small_runnable(&r.b, runnables[i], 10, 10);
        task_does(m, r.task[i], item_call(r.runnable[i]));
    }
    runnable_does(m, r.runnable[0], item_access(r.x, true));
    runnable_does(m, r.runnable[1], item_access(r.x, false));
    runnable_does(m, r.runnable[1], item_access(r.y, true));
    runnable_does(m, r.runnable[2], item_access(r.y, false));
    return r;
}

static int chain(relay *r, const char *name, int stimulus, int response, const am_chain *items, size_t count)
{
    make_model *m = r->b.m;
    int index = (int)m->m.chain_count++;
    m->chains[index] = (am_chain){.name = name,
                                  .stimulus = stimulus,
                                  .response = response,
                                  .items = items,
                                  .item_count = count,
                                  .at = {"model.amxmi", 9}};
    return index;
}

static void check_chain(const sys_system *s, size_t index, const char *name, const char *tasks)
{
    char text[100] = "";
    assert_true(index < s->chain_count);
    assert_string_equal(s->chains[index].name, name);
    for (size_t i = 0; i < s->chains[index].task_count; i++)
        strcat(text, s->tasks[s->chains[index].tasks[i]].name);
    assert_string_equal(text, tasks);
}

static void limit(relay *r, am_limit_kind kind, int entity, int64_t upper_ms)
{
    int index = model_deadline(r->b.m, "Limit", 0, 1);
    r->b.m->limits[index].kind = kind;
    r->b.m->limits[index].entity = entity;
    r->b.m->limits[index].metric = AM_METRIC_END_TO_END;
    r->b.m->limits[index].upper_ps = upper_ms * MS_PS;
}

static void test_events(void **state)
{
    relay r = relay_model();
    make_model *m = r.b.m;
    (void)state;
    int a = model_event(m, "a", AM_EVENT_PROCESS, r.task[0], "start");
    int wx = model_event(m, "wx", AM_EVENT_LABEL, r.x, "write"), rx = model_event(m, "rx", AM_EVENT_LABEL, r.x, "read");
    int rb = model_event(m, "rb", AM_EVENT_RUNNABLE, r.runnable[1], "terminate");
    int ry = model_event(m, "ry", AM_EVENT_LABEL, r.y, "read");
    am_chain inner[] = {{.name = "1", .stimulus = wx, .response = rx}};
    am_chain items[] = {{.name = "i", .stimulus = a, .response = rx, .items = inner, .item_count = 1},
                        {.name = "j", .stimulus = rx, .response = rb}};
    int whole = chain(&r, "Whole", a, ry, items, 2);
    limit(&r, AM_LIMIT_REACTION, whole, 50);
    limit(&r, AM_LIMIT_REACTION, whole, 40);
    limit(&r, AM_LIMIT_AGE, whole, 60);
    sys_system *s = small_system(&r.b, NULL);
    assert_int_equal(s->chain_count, 1);
    check_chain(s, 0, "Whole", "ABC");
    assert_int_equal(s->chains[0].reaction_ns, 40 * MS);
    assert_int_equal(s->chains[0].age_ns, 60 * MS);
    small_free(&r.b, s);
}

static void test_strands(void **state)
{
    relay r = relay_model();
    make_model *m = r.b.m;
    (void)state;
    int a = model_event(m, "a", AM_EVENT_PROCESS, r.task[0], ""),
        b = model_event(m, "b", AM_EVENT_PROCESS, r.task[1], "");
    int c = model_event(m, "c", AM_EVENT_PROCESS, r.task[2], "");
    am_chain items[] = {{.name = "long", .stimulus = b, .response = b},
                        {.name = "short", .stimulus = a, .response = c}};
    int both = chain(&r, "Both", a, c, items, 2);
    m->chains[both].parallel = true;
    sys_system *s = small_system(&r.b, NULL);
    assert_int_equal(s->chain_count, 2);
    check_chain(s, 0, "Both/long", "ABC");
    check_chain(s, 1, "Both/short", "AC");
    system_free(s);
    am_chain around = m->chains[both];
    chain(&r, "Outer", a, c, &around, 1);
    s = small_system(&r.b, NULL);
    assert_int_equal(s->chain_count, 2);
    assert_non_null(system_finding(s, "Chain Outer is left out: Both has strands inside of a chain"));
    small_free(&r.b, s);
}

static void test_left_out(void **state)
{
    relay r = relay_model();
    make_model *m = r.b.m;
    (void)state;
    int ra = model_event(m, "ra", AM_EVENT_RUNNABLE, r.runnable[0], "start");
    int any = model_event(m, "any", AM_EVENT_LABEL, r.x, ""), other = model_event(m, "o", AM_EVENT_OTHER, 0, "");
    int by_b = model_event(m, "by_b", AM_EVENT_LABEL, r.x, "");
    int idle = model_event(m, "idle", AM_EVENT_PROCESS, small_task(&r.b, "Idle", -1), "");
    int st = model_event(m, "st", AM_EVENT_STIMULUS, r.b.stimulus, "");
    m->events[by_b].process = r.task[1];
    chain(&r, "Any", ra, any, NULL, 0);
    chain(&r, "Other", ra, other, NULL, 0);
    chain(&r, "Idle", ra, idle, NULL, 0);
    chain(&r, "Stimulus", st, ra, NULL, 0);
    chain(&r, "Missing", ra, -1, NULL, 0);
    chain(&r, "Good", ra, by_b, NULL, 0);
    sys_system *s = small_system(&r.b, NULL);
    assert_int_equal(s->chain_count, 1);
    check_chain(s, 0, "Good", "AB");
    assert_non_null(system_finding(s, "Chain Any is left out: event any happens in several tasks"));
    assert_non_null(system_finding(s, "Chain Other is left out: event o is not understood"));
    assert_non_null(system_finding(s, "Chain Idle is left out: task Idle is left out"));
    assert_non_null(system_finding(s, "Chain Stimulus is left out: event st happens in several tasks"));
    assert_non_null(system_finding(s, "Chain Missing is left out"));
    assert_int_equal(system_finding(s, "Chain Any")->line, 9);
    small_free(&r.b, s);
}

static void test_processes(void **state)
{
    relay r = relay_model();
    (void)state;
    r.b.m->process_chains[r.b.m->m.process_chain_count++] =
        (am_process_chain){.name = "P", .tasks = r.task, .task_count = 3};
    limit(&r, AM_LIMIT_PROCESS_CHAIN, 0, 70);
    sys_system *s = small_system(&r.b, NULL);
    check_chain(s, 0, "P", "ABC");
    assert_int_equal(s->chains[0].reaction_ns, 70 * MS);
    assert_non_null(system_finding(s, "The limit on chain P from end to end is checked as a reaction time"));
    small_free(&r.b, s);
}

static void test_given_chains(void **state)
{
    static const char *const tasks[] = {"C", "A"}, *const wrong[] = {"A", "Z"};
    sys_given_chain chains[] = {{"Back", tasks, 2, 5 * MS, 6 * MS}};
    sys_given given = {.file = "side.json", .switch_ns = -1, .chains = chains, .chain_count = 1};
    relay r = relay_model();
    (void)state;
    sys_system *s = small_system(&r.b, &given);
    check_chain(s, 0, "Back", "CA");
    assert_true(s->chains[0].reaction_ns == 5 * MS && s->chains[0].age_ns == 6 * MS);
    system_free(s);
    chains[0].tasks = wrong;
    small_refused(&r.b, &given, "Chain Back names task Z, which the model does not have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),    cmocka_unit_test(test_strands),      cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_processes), cmocka_unit_test(test_given_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
