/* Systems of models that are made by calls: what starts tasks, what they trigger and wait for. */
#include <string.h>

#include "support/small_model.h"
#include "support/support.h"
#include "support/waters.h"

#define MS 1000000
#define MS_PS INT64_C(1000000000)
#define DAY_NS INT64_C(86400000000000)

static void check_arrival(const sys_system *s, sys_arrival arrival, int64_t period, int64_t offset, int64_t jitter)
{
    const sys_task *t = &s->tasks[0];
    assert_int_equal(t->arrival, arrival);
    assert_int_equal(t->period_ns, period);
    assert_int_equal(t->offset_ns, offset);
    assert_int_equal(t->jitter_ns, jitter);
}

static void test_periodic(void **state)
{
    (void)state;
    small b = small_busy_model();
    am_stimulus *st = &b.m->stimuli[b.stimulus];
    st->offset_ps = 2 * MS_PS;
    st->jitter = model_bounds(0, MS_PS);
    sys_system *s = small_system(&b, NULL);
    check_arrival(s, SYS_PERIODIC, 10 * MS, 2 * MS, MS);
    system_free(s);
    st->jitter = model_bounds(-MS_PS / 2, MS_PS); /* early too */
    s = small_system(&b, NULL);
    check_arrival(s, SYS_PERIODIC, 10 * MS, 2 * MS - MS / 2, MS + MS / 2);
    system_free(s);
    st->jitter = model_bounds(MS_PS / 2, MS_PS); /* late for sure */
    s = small_system(&b, NULL);
    check_arrival(s, SYS_PERIODIC, 10 * MS, 2 * MS + MS / 2, MS / 2);
    system_free(s);
    st->jitter = model_bounds(-MS_PS, -MS_PS / 2); /* early for sure */
    s = small_system(&b, NULL);
    check_arrival(s, SYS_PERIODIC, 10 * MS, MS, MS / 2);
    system_free(s);
    st->jitter = model_bounds(-MS_PS / 2, MS_PS);
    st->offset_ps = 0; /* earlier than the first */
    s = small_system(&b, NULL);
    check_arrival(s, SYS_PERIODIC, 10 * MS, 10 * MS - MS / 2, MS + MS / 2);
    system_free(s);
    st->jitter.given = false;
    st->offset_ps = 1500;
    st->min_distance_ps = 20 * MS_PS;
    s = small_system(&b, NULL);
    check_arrival(s, SYS_PERIODIC, 10 * MS, 1, 1);
    assert_true(system_finding(s, "minimum distance that is longer than its recurrence")->doubtful);
    system_free(s);
    st->offset_ps = 0;
    st->recurrence_ps = 1500; /* no whole nanoseconds */
    s = small_system(&b, NULL);
    check_arrival(s, SYS_SPORADIC, 1, 0, 0);
    assert_non_null(system_finding(s, "is not a whole number of nanoseconds"));
    small_free(&b, s);
}

static void test_bad_periodic(void **state)
{
    static const struct {
        int64_t recurrence_ps, offset_ps;
        bool unbounded;
        const char *text;
    } cases[] = {
        {-1, 0, false, "Stimulus every_10ms of task T has no recurrence of at least 1 ns"},
        {0, 0, false, "has no recurrence of at least 1 ns"},
        {INT64_MAX, 0, false, "has a recurrence above a day"},
        {MS_PS, INT64_MAX, false, "has an offset below 0 or above a day"},
        {MS_PS, 0, true, "has a jitter without bounds"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        small b = small_busy_model();
        am_stimulus *st = &b.m->stimuli[b.stimulus];
        st->recurrence_ps = cases[i].recurrence_ps;
        st->offset_ps = cases[i].offset_ps;
        st->jitter.given = cases[i].unbounded;
        small_refused(&b, NULL, cases[i].text);
    }
}

static void test_other_stimuli(void **state)
{
    static const int64_t even[] = {MS_PS, 6 * MS_PS}, uneven[] = {0, 3 * MS_PS}, curve[] = {2 * MS_PS, 9 * MS_PS};
    static const struct {
        am_stimulus_kind kind;
        const int64_t *occurrences;
        sys_arrival arrival;
        int64_t period, offset;
        const char *finding;
    } cases[] = {
        {AM_STIMULUS_RELATIVE, NULL, SYS_SPORADIC, 4 * MS, 0, NULL},
        {AM_STIMULUS_SPORADIC, NULL, SYS_SPORADIC, 4 * MS, 0, NULL},
        {AM_STIMULUS_SINGLE, NULL, SYS_SPORADIC, DAY_NS, 0, NULL},
        {AM_STIMULUS_SYNTHETIC, even, SYS_PERIODIC, 5 * MS, MS, NULL},
        {AM_STIMULUS_SYNTHETIC, uneven, SYS_SPORADIC, 3 * MS, 0, "at irregular times"},
        {AM_STIMULUS_ARRIVAL_CURVE, curve, SYS_SPORADIC, 2 * MS, 0, "only the distance of two releases is used"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        small b = small_busy_model();
        am_stimulus *st = &b.m->stimuli[b.stimulus];
        st->kind = cases[i].kind;
        st->next_ps = model_bounds(4 * MS_PS, 8 * MS_PS);
        st->occurrences = cases[i].occurrences;
        st->occurrence_count = cases[i].occurrences ? 2 : 0;
        sys_system *s = small_system(&b, NULL);
        check_arrival(s, cases[i].arrival, cases[i].period, cases[i].offset, 0);
        assert_int_equal(s->tasks[0].once, cases[i].kind == AM_STIMULUS_SINGLE);
        if (cases[i].finding)
            assert_non_null(system_finding(s, cases[i].finding));
        small_free(&b, s);
    }
}

static void test_refused_stimuli(void **state)
{
    static const int64_t backwards[] = {3 * MS_PS, 0};
    static const struct {
        am_stimulus_kind kind;
        const int64_t *occurrences;
        const char *text;
    } cases[] = {
        {AM_STIMULUS_RELATIVE, NULL, "has no minimum distance of releases"},
        {AM_STIMULUS_SYNTHETIC, NULL, "has no times of occurrence"},
        {AM_STIMULUS_SYNTHETIC, backwards, "has times that are not in order"},
        {AM_STIMULUS_ARRIVAL_CURVE, NULL, "has no arrival curve"},
        {AM_STIMULUS_VARIABLE_RATE, NULL, "has a rate that varies: the least distance of two releases is missing"},
        {AM_STIMULUS_EVENT, NULL, "comes with events"},
        {AM_STIMULUS_CUSTOM, NULL, "is of a custom kind"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        small b = small_busy_model();
        am_stimulus *st = &b.m->stimuli[b.stimulus];
        st->kind = cases[i].kind;
        st->occurrences = cases[i].occurrences;
        st->occurrence_count = cases[i].occurrences ? 2 : 0;
        small_refused(&b, NULL, cases[i].text);
    }
}

static void test_starts(void **state)
{
    small b = small_busy_model();
    int r = 0, unsent = model_stimulus(b.m, "unsent", AM_STIMULUS_INTER_PROCESS, 0);
    int circle = model_stimulus(b.m, "circle", AM_STIMULUS_INTER_PROCESS, 0);
    int unheard = model_stimulus(b.m, "unheard", AM_STIMULUS_INTER_PROCESS, 0);
    int both[] = {b.stimulus, unsent};
    (void)state;
    task_does(b.m, small_task(&b, "Never", -1), item_call(r));
    task_does(b.m, small_task(&b, "Unsent", unsent), item_call(r));
    int self = small_task(&b, "Self", circle);
    task_does(b.m, self, item_trigger(circle)); /* triggers itself only */
    task_does(b.m, b.task, item_trigger(unheard));
    b.m->tasks[b.task].stimuli = both; /* the second of which is never sent */
    b.m->tasks[b.task].stimulus_count = 2;
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->task_count, 1);
    assert_non_null(system_finding(s, "Task Never is left out: it has no stimulus"));
    assert_non_null(system_finding(s, "Task Unsent is left out: no task sends the stimulus"));
    assert_non_null(system_finding(s, "Task Self is left out: it is triggered only by tasks that nothing starts"));
    assert_non_null(system_finding(s, "Stimulus unheard is sent, but starts no task"));
    system_free(s);
    b.m->stimuli[unsent].kind = AM_STIMULUS_SINGLE; /* now both start it */
    small_refused(&b, NULL, "Task T has several stimuli, every_10ms and unsent");

    b = small_model();
    small_task(&b, "Never", -1);
    b.m->tasks[b.task].stimulus_count = 0;
    small_refused(&b, NULL, "No task of the model is ever started");
}

/* T runs R, triggers Other, waits for its event, and runs R again. */
typedef struct offload {
    small b;
    int stimulus, event, other, r;
} offload;

static offload offload_model(bool active)
{
    offload o = {.b = small_model()};
    make_model *m = o.b.m;
    o.stimulus = model_stimulus(m, "start_other", AM_STIMULUS_INTER_PROCESS, 0);
    o.event = model_os_event(m, "Done");
    o.other = small_task(&o.b, "Other", o.stimulus);
    o.r = small_runnable(&o.b, "R", 100, 200);
    am_item wait = item_event(m, AM_ITEM_WAIT_EVENT, o.event), set = item_event(m, AM_ITEM_SET_EVENT, o.event);
    wait.active = active;
    set.process = o.b.task;
    task_does(m, o.b.task, item_call(o.r));
    task_does(m, o.b.task, item_trigger(o.stimulus));
    task_does(m, o.b.task, wait);
    task_does(m, o.b.task, item_event(m, AM_ITEM_CLEAR_EVENT, o.event));
    task_does(m, o.b.task, item_call(o.r));
    task_does(m, o.other, item_call(o.r));
    task_does(m, o.other, set);
    return o;
}

static void test_offload(void **state)
{
    (void)state;
    for (int active = 0; active < 2; active++) {
        offload o = offload_model(active);
        sys_system *s = small_system(&o.b, NULL);
        const sys_task *t = &s->tasks[0], *other = &s->tasks[1];
        assert_int_equal(t->step_count, 4);
        assert_int_equal(t->steps[1].kind, SYS_TRIGGER);
        assert_int_equal(t->steps[2].kind, SYS_WAIT);
        assert_string_equal(t->steps[2].name, "Other");
        assert_true(other->trigger == 0 && other->trigger_step == 1 && other->waiter == 0 && other->root == 0);
        assert_int_equal(other->period_ns, 10 * MS);
        assert_int_equal(s->places[0].busy, active);
        assert_true(s->choices[0].may_busy && s->choices[0].may_suspend);
        assert_false(s->choices[1].may_busy);
        small_free(&o.b, s);
    }
}

/* The trigger and the wait are inside of a runnable, which is taken apart. */
static void test_inside_runnable(void **state)
{
    offload o = offload_model(false);
    make_model *m = o.b.m;
    int outer = small_runnable(&o.b, "Outer", 1, 1);
    (void)state;
    for (size_t i = 0; i < m->task_items[o.b.task].count; i++)
        runnable_does(m, outer, m->task_items[o.b.task].at[i]);
    runnable_does(m, outer, item_ticks(m, -1, 5, 5));
    m->task_items[o.b.task].count = 0;
    task_does(m, o.b.task, item_call(outer));
    sys_system *s = small_system(&o.b, NULL);
    const sys_task *t = &s->tasks[0];
    assert_int_equal(t->step_count, 6);
    assert_string_equal(t->steps[0].name, "Outer");
    assert_string_equal(t->steps[1].name, "R");
    assert_int_equal(t->steps[2].kind, SYS_TRIGGER);
    assert_int_equal(t->steps[3].kind, SYS_WAIT);
    assert_int_equal(t->steps[5].on[0].max_ns, 5);
    small_free(&o.b, s);
}

static void test_waits(void **state)
{
    (void)state;
    offload o = offload_model(true); /* it goes on after the event */
    task_does(o.b.m, o.other, item_call(o.r));
    sys_system *s = small_system(&o.b, NULL);
    assert_non_null(system_finding(s, "Task Other continues after it has set event Done"));
    small_free(&o.b, s);

    o = offload_model(true); /* waits again for what is there already */
    o.b.m->task_items[o.b.task].at[3] = o.b.m->task_items[o.b.task].at[2];
    s = small_system(&o.b, NULL);
    assert_int_equal(s->tasks[0].step_count, 4);
    small_free(&o.b, s);

    o = offload_model(true); /* waits again after it has cleared the event */
    task_does(o.b.m, o.b.task, o.b.m->task_items[o.b.task].at[2]);
    small_refused(&o.b, NULL, "Task T waits twice for task Other");

    o = offload_model(true); /* nobody sets it */
    o.b.m->task_items[o.other].count = 1;
    small_refused(&o.b, NULL, "Task T waits for event Done, which no task sets for it");

    o = offload_model(true); /* a task sets it that T has not triggered */
    int third = small_task(&o.b, "Third", o.b.stimulus);
    task_does(o.b.m, third, o.b.m->task_items[o.other].at[1]);
    o.b.m->task_items[o.other].count = 1;
    small_refused(&o.b, NULL, "waits for event Done, which Third sets: only events of tasks that it has triggered");

    o = offload_model(true); /* two tasks set it */
    third = small_task(&o.b, "Third", o.b.stimulus);
    task_does(o.b.m, third, o.b.m->task_items[o.other].at[1]);
    small_refused(&o.b, NULL, "which several tasks set, Other and Third");

    o = offload_model(true); /* triggered afterwards */
    am_item trigger = o.b.m->task_items[o.b.task].at[1];
    o.b.m->task_items[o.b.task].at[1] = o.b.m->task_items[o.b.task].at[2];
    o.b.m->task_items[o.b.task].at[2] = trigger;
    small_refused(&o.b, NULL, "only events of tasks that it has triggered before");

    o = offload_model(true); /* any of two events */
    int events[] = {o.event, model_os_event(o.b.m, "Other")};
    o.b.m->task_items[o.b.task].at[2].events = events;
    o.b.m->task_items[o.b.task].at[2].event_count = 2;
    small_refused(&o.b, NULL, "waits for any one of several events");

    o = offload_model(true);
    task_does(o.b.m, o.b.task, o.b.m->task_items[o.b.task].at[2]);
    o.b.m->task_items[o.b.task].at[5].active = false;
    o.b.m->task_items[o.b.task].at[3] = item_of(AM_ITEM_SCHEDULE_POINT); /* not cleared */
    s = small_system(&o.b, NULL);
    assert_true(s->places[0].busy);
    assert_non_null(system_finding(s, "waits for some events actively and for others passively"));
    small_free(&o.b, s);
}

static void test_triggers(void **state)
{
    (void)state;
    offload o = offload_model(true); /* from two places */
    task_does(o.b.m, o.b.task, item_trigger(o.stimulus));
    small_refused(&o.b, NULL, "Task Other is triggered from several places, by T and by T (stimulus start_other)");

    o = offload_model(true); /* in the only branch */
    am_item branch = item_with(o.b.m, AM_ITEM_BRANCH, &o.b.m->task_items[o.b.task].at[1], 1);
    branch.probability = 1;
    o.b.m->task_items[o.b.task].at[1] = item_with(o.b.m, AM_ITEM_SWITCH, &branch, 1);
    sys_system *s = small_system(&o.b, NULL);
    assert_int_equal(s->tasks[0].steps[1].kind, SYS_TRIGGER);
    small_free(&o.b, s);

    o = offload_model(true); /* in a loop */
    o.b.m->task_items[o.b.task].at[1] = item_with(o.b.m, AM_ITEM_LOOP, &o.b.m->task_items[o.b.task].at[1], 1);
    small_refused(&o.b, NULL, "a loop in T triggers tasks");

    o = offload_model(true); /* in a group without order */
    o.b.m->task_items[o.b.task].at[1] = item_with(o.b.m, AM_ITEM_GROUP, &o.b.m->task_items[o.b.task].at[1], 1);
    o.b.m->task_items[o.b.task].at[1].unordered = true;
    s = small_system(&o.b, NULL);
    assert_non_null(system_finding(s, "a group without order triggers tasks or waits for them"));
    small_free(&o.b, s);

    o = offload_model(true); /* two tasks by one stimulus */
    task_does(o.b.m, small_task(&o.b, "Third", o.stimulus), item_call(o.r));
    s = small_system(&o.b, NULL);
    assert_int_equal(s->tasks[0].step_count, 5);
    assert_true(s->tasks[2].trigger == 0 && s->tasks[2].trigger_step == 2 && s->tasks[2].waiter == SYS_NONE);
    small_free(&o.b, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periodic),        cmocka_unit_test(test_bad_periodic),
        cmocka_unit_test(test_other_stimuli),   cmocka_unit_test(test_refused_stimuli),
        cmocka_unit_test(test_starts),          cmocka_unit_test(test_offload),
        cmocka_unit_test(test_inside_runnable), cmocka_unit_test(test_waits),
        cmocka_unit_test(test_triggers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
