/* Systems of models that are made by calls: limits on responses from below, on runnables, and on delays. */
#include <string.h>

#include "support/small_model.h"
#include "support/support.h"
#include "support/waters.h"

#define MS 1000000
#define MS_PS INT64_C(1000000000)

static int limit(small *b, const char *name, am_limit_kind kind, int entity, int64_t lower_ps, int64_t upper_ps)
{
    int index = model_deadline(b->m, name, entity, 1);
    b->m->limits[index].kind = kind;
    b->m->limits[index].lower_ps = lower_ps;
    b->m->limits[index].upper_ps = upper_ps;
    return index;
}

static void delay(small *b, const char *name, int source, int target, am_mapping_type mapping)
{
    am_limit *l = &b->m->limits[limit(b, name, AM_LIMIT_DELAY, -1, -1, MS_PS)];
    l->source = source;
    l->target = target;
    l->mapping = mapping;
}

static const sys_limit *limit_named(const sys_system *s, const char *name)
{
    for (size_t i = 0; i < s->limit_count; i++)
        if (strcmp(s->limits[i].name, name) == 0)
            return &s->limits[i];
    fail_msg("no limit %s", name);
    return NULL;
}

static void check_span(const sys_limit *l, size_t index, int task, size_t first, size_t end, bool inside)
{
    assert_true(index < l->span_count);
    const sys_span *s = &l->spans[index];
    if (s->task != task || s->first != first || s->end != end || s->inside != inside)
        fail_msg("%s: span %zu: task %d, %zu to %zu, %d", l->name, index, s->task, s->first, s->end, s->inside);
}

static void check_point(const sys_event *e, size_t index, sys_instant at, size_t step, bool sure)
{
    assert_true(index < e->point_count);
    assert_int_equal(e->points[index].at, at);
    assert_int_equal(e->points[index].step, step);
    assert_int_equal(e->points[index].sure, sure);
}

/* Lower limits are rounded up, upper ones down; a requirement on a response with an upper limit is a deadline. */
static void test_values(void **state)
{
    small b = small_busy_model();
    (void)state;
    limit(&b, "Below", AM_LIMIT_PROCESS, b.task, 1500, -1);
    limit(&b, "Above", AM_LIMIT_PROCESS, b.task, -1, 5 * MS_PS);
    limit(&b, "Of_r", AM_LIMIT_RUNNABLE, 0, -1, 2500);
    limit(&b, "Of_r_below", AM_LIMIT_RUNNABLE, 0, 1, -1);
    int other = limit(&b, "Other", AM_LIMIT_RUNNABLE, 0, -1, 2500);
    int load = limit(&b, "Load", AM_LIMIT_PROCESS, b.task, 1, -1);
    b.m->limits[other].metric = b.m->limits[load].metric = AM_METRIC_OTHER;
    limit(&b, "Unused", AM_LIMIT_RUNNABLE, small_runnable(&b, "Unused", 1, 1), -1, 1000);
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->limit_count, 3);
    assert_int_equal(s->tasks[0].deadline_ns, 5 * MS);
    const sys_limit *l = limit_named(s, "Below");
    assert_true(l->kind == SYS_LIMIT_RESPONSE && l->task == 0 && l->min_ns == 2 && l->max_ns == SYS_NO_LIMIT);
    assert_string_equal(l->on, s->tasks[0].name);
    l = limit_named(s, "Of_r");
    assert_true(l->kind == SYS_LIMIT_RUNNABLE && l->min_ns == SYS_NO_LIMIT && l->max_ns == 2);
    assert_string_equal(l->on, "R");
    assert_int_equal(limit_named(s, "Of_r_below")->min_ns, 1);
    assert_non_null(system_finding(s, "Other and Load: limits of a kind that is not analysed."));
    assert_non_null(system_finding(s, "Unused: no task calls the runnable."));
    small_free(&b, s);
}

/* T calls A, then Outer (which calls A inside), then Sync, which calls A, triggers U, waits for it and calls A again; a
 * switch of T may call A. U calls A too, and sets the event. */
static small calls(int *a, int *sync)
{
    small b = small_model();
    make_model *m = b.m;
    int start = model_stimulus(m, "Start", AM_STIMULUS_INTER_PROCESS, 0), done = model_os_event(m, "Done");
    int u = small_task(&b, "U", start), outer = model_runnable(m, "Outer");
    *a = small_runnable(&b, "A", 10, 20);
    *sync = model_runnable(m, "Sync");
    runnable_does(m, outer, item_call(*a));
    runnable_does(m, *sync, item_call(*a));
    runnable_does(m, *sync, item_trigger(start));
    runnable_does(m, *sync, item_event(m, AM_ITEM_WAIT_EVENT, done));
    runnable_does(m, *sync, item_call(*a));
    am_item call = item_call(*a), branch = item_with(m, AM_ITEM_BRANCH, &call, 1);
    branch.probability = 0.5;
    am_item set = item_event(m, AM_ITEM_SET_EVENT, done);
    set.process = b.task;
    task_does(m, b.task, item_call(*a));
    task_does(m, b.task, item_call(outer));
    task_does(m, b.task, item_call(*sync));
    task_does(m, b.task, item_with(m, AM_ITEM_SWITCH, &branch, 1));
    task_does(m, u, item_call(*a));
    task_does(m, u, set);
    return b;
}

static void test_runnables(void **state)
{
    int a, sync;
    small b = calls(&a, &sync);
    (void)state;
    limit(&b, "Of_a", AM_LIMIT_RUNNABLE, a, -1, MS_PS);
    limit(&b, "Of_sync", AM_LIMIT_RUNNABLE, sync, -1, MS_PS);
    sys_system *s = small_system(&b, NULL);
    /* steps of T: A, Outer, A, trigger, wait, A, the switch */
    assert_int_equal(s->tasks[0].step_count, 7);
    const sys_limit *l = limit_named(s, "Of_sync");
    assert_int_equal(l->span_count, 1);
    check_span(l, 0, 0, 2, 6, false);
    l = limit_named(s, "Of_a");
    assert_int_equal(l->span_count, 6);
    check_span(l, 0, 0, 0, 1, false);
    check_span(l, 1, 0, 2, 3, false);
    check_span(l, 2, 0, 5, 6, false);
    check_span(l, 3, 0, 1, 2, true);
    check_span(l, 4, 0, 6, 7, true);
    check_span(l, 5, 1, 0, 1, false);
    small_free(&b, s);
}

static void test_events(void **state)
{
    int a, sync;
    small b = calls(&a, &sync);
    make_model *m = b.m;
    int x = model_label(m, "X", 8), y = model_label(m, "Y", 8);
    (void)state;
    runnable_does(m, a, item_access(x, true));
    am_item read = item_access(y, false), branch = item_with(m, AM_ITEM_BRANCH, &read, 1);
    task_does(m, b.task, item_with(m, AM_ITEM_SWITCH, &branch, 1));
    int activate = model_event(m, "activate", AM_EVENT_PROCESS, b.task, "activate");
    int start = model_event(m, "start", AM_EVENT_PROCESS, b.task, "start");
    int end = model_event(m, "end", AM_EVENT_PROCESS, b.task, "terminate");
    int of_sync = model_event(m, "of_sync", AM_EVENT_RUNNABLE, sync, "terminate");
    int of_a = model_event(m, "of_a", AM_EVENT_RUNNABLE, a, "start");
    int wx = model_event(m, "wx", AM_EVENT_LABEL, x, "write"), ry = model_event(m, "ry", AM_EVENT_LABEL, y, "read");
    int stimulus = model_event(m, "stimulus", AM_EVENT_STIMULUS, b.stimulus, "");
    m->events[of_a].process = m->events[wx].process = b.task;
    delay(&b, "1", activate, end, AM_MAPPING_ONE_TO_ONE);
    delay(&b, "2", start, of_sync, AM_MAPPING_UNIQUE);
    delay(&b, "3", of_a, wx, AM_MAPPING_REACTION);
    delay(&b, "4", stimulus, ry, AM_MAPPING_NOT_SAID);
    sys_system *s = small_system(&b, NULL);
    const sys_limit *l = limit_named(s, "1");
    assert_true(l->kind == SYS_LIMIT_DELAY && l->mapping == SYS_MAPPING_ONE_TO_ONE && l->max_ns == MS);
    check_point(&l->source, 0, SYS_AT_RELEASE, 0, true);
    check_point(&l->target, 0, SYS_AT_END, 6, true);
    l = limit_named(s, "2");
    assert_int_equal(l->mapping, SYS_MAPPING_UNIQUE);
    check_point(&l->source, 0, SYS_AT_START, 0, true);
    check_point(&l->target, 0, SYS_AT_END, 5, true);
    l = limit_named(s, "3");
    assert_true(l->source.point_count == 5 && l->target.point_count == 5 && l->target.data == SYS_WRITE);
    check_point(&l->source, 2, SYS_AT_START, 5, true);
    check_point(&l->source, 3, SYS_AT_ANY, 1, true);
    check_point(&l->source, 4, SYS_AT_ANY, 6, false);
    check_point(&l->target, 1, SYS_AT_ANY, 1, true);
    check_point(&l->target, 4, SYS_AT_ANY, 6, false);
    l = limit_named(s, "4");
    assert_true(l->mapping == SYS_MAPPING_REACTION && l->target.data == SYS_READ);
    check_point(&l->source, 0, SYS_AT_RELEASE, 0, true);
    check_point(&l->target, 0, SYS_AT_ANY, 6, false);
    assert_non_null(system_finding(s, "The model gives no mappingType for 4: Reaction is assumed"));
    small_free(&b, s);
}

static void test_not_checked(void **state)
{
    int a, sync;
    small b = calls(&a, &sync);
    make_model *m = b.m;
    (void)state;
    int end = model_event(m, "end", AM_EVENT_PROCESS, b.task, "terminate");
    int several = model_event(m, "several", AM_EVENT_RUNNABLE, a, "start");
    int preempt = model_event(m, "preempt", AM_EVENT_PROCESS, b.task, "preempt");
    int other = model_event(m, "other", AM_EVENT_OTHER, 0, "");
    int any = model_event(m, "any", AM_EVENT_LABEL, model_label(m, "X", 8), "");
    int never = model_event(m, "never", AM_EVENT_LABEL, 0, "read");
    int idle = model_event(m, "idle", AM_EVENT_PROCESS, small_task(&b, "Idle", -1), "start");
    int resume = model_event(m, "resume", AM_EVENT_RUNNABLE, sync, "resume");
    m->events[any].process = m->events[never].process = b.task;
    const int targets[] = {several, preempt, other, any, never, idle, resume, -1};
    const char *const names[] = {"D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        delay(&b, names[i], end, targets[i], AM_MAPPING_REACTION);
    m->limits[limit(&b, "Nothing", AM_LIMIT_DELAY, -1, -1, -1)].source = end;
    sys_system *s = small_system(&b, NULL);
    assert_int_equal(s->limit_count, 0);
    assert_non_null(system_finding(s, "D0: event several happens in several tasks."));
    assert_non_null(system_finding(s, "D1: event preempt is not of type activate, start or terminate."));
    assert_non_null(system_finding(s, "D2: event other is not understood."));
    assert_non_null(system_finding(s, "D3: event any is not of type read or write."));
    assert_non_null(system_finding(s, "D4: event never never happens."));
    assert_non_null(system_finding(s, "D5: task Idle is left out."));
    assert_non_null(system_finding(s, "D6: event resume is not of type start or terminate."));
    assert_non_null(system_finding(s, "D7: event (not said) happens in no task."));
    assert_non_null(system_finding(s, "Nothing: it has neither a lower nor an upper limit."));
    small_free(&b, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_runnables),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
