/* Method explore on ops that are after others, on tasks whose ops are in several streams, and on sporadic tasks. The
 * executions of these systems can be counted out by hand. Two SMs hold two blocks of 1024 threads each. */
#include <string.h>

#include "model/workload/workload.h"
#include "property/hand.h"
#include "support/builders.h"

static gcast_analyze_options options;

static int setup(void **state)
{
    options = gcast_analyze_options_default();
    options.max_ms = 1000000000;
    return hand_setup(state);
}

static gcast_analysis *explore(fixture *f)
{
    gcast_analysis *a;
    assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_EXPLORE, &options, &a, &f->err), &f->err);
    return a;
}

static bool assumes(const gcast_analysis *a, const char *words)
{
    for (size_t i = 0; i < a->assumption_count; i++)
        if (strstr(a->assumptions[i], words))
            return true;
    return false;
}

/* The best and the worst response of each op, one op after the other. */
static void check_responses(fixture *f, bool is_coarse, const int64_t *want, size_t count)
{
    options.coarse = is_coarse;
    gcast_analysis *a = explore(f);
    assert_string_equal(a->why_not ? a->why_not : "", "");
    assert_true(assumes(a, "every order of events") == !is_coarse);
    assert_int_equal(2 * a->response_count, count);
    for (size_t i = 0; i < a->response_count; i++) {
        assert_int_equal(a->responses[i].best_ns, want[2 * i]);
        assert_int_equal(a->responses[i].worst_ns, want[2 * i + 1]);
    }
    gcast_analysis_free(a);
}

#define assert_by_events(f, ...)                                                                                       \
    check_responses(f, false, (const int64_t[]){__VA_ARGS__}, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
#define assert_by_both(f, ...)                                                                                         \
    do {                                                                                                               \
        assert_by_events(f, __VA_ARGS__);                                                                              \
        check_responses(f, true, (const int64_t[]){__VA_ARGS__}, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t));  \
    } while (0)

static void assert_gives_up(fixture *f, const char *words)
{
    gcast_analysis *a = explore(f);
    assert_false(a->complete);
    assert_non_null(strstr(a->why_not, words));
    gcast_analysis_free(a);
}

static gcast_op ranged(int stream, uint32_t blocks, int64_t min, int64_t max)
{
    gcast_op op = kernel(stream, 0, blocks, 1024, max);
    op.min_ns = min;
    return op;
}

static void task(fixture *f, int stream, int64_t offset, int64_t period, int64_t jitter, bool sporadic)
{
    gcast_task task = {.name = "task",
                       .stream = stream,
                       .offset_ns = offset,
                       .period_ns = period,
                       .jitter_ns = jitter,
                       .sporadic = sporadic};
    assert_true(support_add_task(f->w, &task, &f->err) >= 0);
}

static void after(fixture *f, size_t op, uint32_t named)
{
    assert_true(workload_set_after(f->w, op, &named, 1));
}

static void streams(fixture *f, int count)
{
    for (int i = 1; i <= count; i++)
        stream(f, i, 0, false);
}

/* The event of the first op is seen before, or after, the next op of its stream enters. */
static void gaps_differ(void **state)
{
    fixture *f = *state;
    streams(f, 2);
    f->gpu->stream_gap_ns = 1;
    f->gpu->event_gap_ns = 4;
    add(f, ranged(0, 1, 10, 20));
    add(f, ranged(0, 1, 5, 5));
    add(f, ranged(1, 1, 3, 3));
    after(f, 2, 0);
    assert_by_both(f, 10, 20, 16, 26, 17, 27);
    f->gpu->stream_gap_ns = 6;
    f->gpu->event_gap_ns = 2;
    assert_by_both(f, 10, 20, 21, 31, 15, 25);
    f->gpu->event_gap_ns = 0;
    assert_by_both(f, 10, 20, 21, 31, 19, 29);
}

/* The last op waits for both others, however late their job is. */
static void a_job_joins_its_streams(void **state)
{
    fixture *f = *state;
    streams(f, 3);
    task(f, 0, 0, 100, 7, false);
    add(f, ranged(0, 1, 10, 20));
    add(f, ranged(1, 1, 5, 25));
    add(f, ranged(2, 1, 3, 3));
    assert_true(workload_set_after(f->w, 2, (const uint32_t[]){0, 1}, 2));
    assert_by_both(f, 10, 20, 5, 25, 13, 28);
}

/* Behind an op that waits for its event, its stream waits; another stream goes on. */
static void an_event_holds_its_stream(void **state)
{
    fixture *f = *state;
    streams(f, 3);
    task(f, 0, 0, 100, 0, false);
    add(f, ranged(0, 4, 10, 20));
    add(f, ranged(1, 1, 2, 2));
    add(f, ranged(1, 1, 2, 2));
    add(f, ranged(2, 1, 2, 2));
    after(f, 1, 0);
    assert_by_events(f, 10, 20, 12, 22, 14, 24, 12, 22);
}

/* The second op waits only where it is called after the first. */
static void it_is_open_who_is_called_first(void **state)
{
    fixture *f = *state;
    streams(f, 2);
    options.any_order = true;
    add(f, ranged(0, 1, 10, 20));
    add(f, ranged(1, 1, 3, 3));
    after(f, 1, 0);
    assert_by_events(f, 10, 20, 3, 23);
    options.coarse = true;
    gcast_analysis *a = explore(f);
    assert_true(a->complete && assumes(a, "every order of events")); /* there is no coarser search */
    gcast_analysis_free(a);
    options.any_order = false;
    assert_by_both(f, 10, 20, 13, 23);
}

/* Jobs that wait for events are explored, however many orders are open. */
static void no_burst_has_events(void **state)
{
    fixture *f = *state;
    streams(f, 4);
    options.coarse = true;
    options.max_states = 30;
    options.horizon_ns = 90;
    task(f, 0, 0, 100, 5, false);
    add(f, ranged(0, 1, 10, 10));
    task(f, 1, 0, 100, 5, false);
    add(f, ranged(1, 1, 10, 10));
    task(f, 2, 0, 100, 5, false);
    add(f, ranged(2, 1, 10, 10));
    gcast_analysis *a = explore(f);
    assert_true(a->complete && assumes(a, "the work of all of them is the bound"));
    gcast_analysis_free(a);
    add(f, ranged(3, 1, 10, 10));
    after(f, 3, 2);
    a = explore(f);
    assert_true(a->complete && !assumes(a, "the work of all of them is the bound"));
    assert_int_equal(a->responses[3].best_ns, 20);
    gcast_analysis_free(a);
}

/* The copy ends at 2, and the kernel after it is before the second wave of the first kernel. */
static void an_event_lets_a_higher_level_in(void **state)
{
    fixture *f = *state;
    streams(f, 2);
    stream(f, 3, -1, false);
    f->gpu->priority_levels = 2;
    add(f, ranged(0, 20, 3, 3));
    add(f, copy(1, 1, GCAST_H2D, 1));
    gcast_op op = ranged(2, 4, 5, 5);
    op.release_ns = 1;
    add(f, op);
    after(f, 2, 1);
    assert_by_events(f, 20, 20, 1, 1, 7, 7);
    options.coarse = true;
    gcast_analysis *a = explore(f);
    assert_true(a->complete && a->responses[2].best_ns <= 7 && a->responses[2].worst_ns >= 7);
    gcast_analysis_free(a);
}

/* A job of the first task may come when the GPU has just become busy; two of them are no nearer than a period. */
static void sporadic_jobs_come_at_any_time(void **state)
{
    fixture *f = *state;
    streams(f, 2);
    task(f, 0, 0, 10, 0, true);
    add(f, ranged(0, 4, 2, 2));
    task(f, 1, 5, 20, 0, false);
    add(f, ranged(1, 4, 3, 3));
    assert_gives_up(f, "give a horizon, or a period and jitter");
    options.horizon_ns = 40;
    assert_by_events(f, 2, 4, 3, 5);
}

/* Two jobs may come a nanosecond apart, if the first is late; not three. */
static void late_sporadic_jobs_come_together(void **state)
{
    fixture *f = *state;
    streams(f, 1);
    task(f, 0, 0, 10, 9, true);
    add(f, ranged(0, 4, 4, 4));
    options.horizon_ns = 20;
    assert_by_events(f, 4, 7);
    ((gcast_task *)f->w->tasks)[0].jitter_ns = 10;
    assert_gives_up(f, "jitter_ns of its period or more");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, hand_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(gaps_differ),
        CASE(a_job_joins_its_streams),
        CASE(an_event_holds_its_stream),
        CASE(it_is_open_who_is_called_first),
        CASE(no_burst_has_events),
        CASE(an_event_lets_a_higher_level_in),
        CASE(sporadic_jobs_come_at_any_time),
        CASE(late_sporadic_jobs_come_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
