/* Where deadlines are open: how much of their time kernels may take so that bound shows them to be met. */
#include "analyze/answer.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "analyze/time_limit.h"
#include "files/workload_formats.h"
#include "support/builders.h"

/* Two tasks of one kernel each that fill the GPU, A of up to 3 us and then B of up to 10, behind a copy of `copy_ns`. B
 * has a deadline. */
static gcast_workload *two_tasks(int deadline_ns, int copy_ns)
{
    char json[1200];
    snprintf(json, sizeof json,
             "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"partition\": {\"sms\": 1}, \"tasks\": ["
             "{\"name\": \"a\", \"stream\": 1, \"period_ns\": 100000000, \"ops\": [{\"kind\": \"kernel\","
             " \"label\": \"A\", \"grid\": 2, \"block\": 1024, \"duration_ns\": {\"min\": 1, \"max\": 3000}}]},"
             "{\"name\": \"b\", \"stream\": 2, \"period_ns\": 100000000, \"deadline_ns\": %d, \"ops\": [{\"kind\":"
             " \"copy\", \"label\": \"C\", \"direction\": \"h2d\", \"duration_ns\": %d}, {\"kind\":"
             " \"kernel\", \"label\": \"B\", \"grid\": 2, \"block\": 1024, \"duration_ns\": {\"min\": 1, \"max\": "
             "10000}}]}]}",
             deadline_ns, copy_ns);
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    return w;
}

static gcast_answer *answer_by(const gcast_workload *w, gcast_method method, const gcast_analyze_options *options)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_answer *answer;
    assert_ok(gcast_workload_analyze(w, NULL, method, options, &a, &err), &err);
    assert_ok(gcast_answer_create(w, w->gpu, &a, 1, &answer, &err), &err);
    assert_ok(gcast_answer_find_durations(answer, options, &err), &err);
    return answer;
}

/* With p percent B ends p x 13 us / 100 after its release; a copy takes what it takes. */
static void share_by_hand(void **state)
{
    (void)state;
    static const struct {
        int deadline_ns, copy_ns;
        gcast_method method;
        int percent;
    } cases[] = {
        {10000, 1, GCAST_METHOD_BOUND, 76},     /* 9.88 us; 10.01 with one more */
        {12999, 1, GCAST_METHOD_BOUND, 99},     /* 12.87 */
        {13000, 1, GCAST_METHOD_BOUND, 0},      /* it is met */
        {131, 1, GCAST_METHOD_BOUND, 1},        /* 0.13 */
        {129, 1, GCAST_METHOD_BOUND, 0},        /* none is short enough */
        {10000, 9999, GCAST_METHOD_BOUND, 0},   /* nor behind the copy */
        {15000, 10000, GCAST_METHOD_BOUND, 50}, /* the copy, then B alone */
        {10000, 1, GCAST_METHOD_EXPLORE, 0},    /* bound was not asked */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_workload *w = two_tasks(cases[i].deadline_ns, cases[i].copy_ns);
        gcast_answer *answer = answer_by(w, cases[i].method, NULL);
        assert_int_equal(answer->duration_percent, cases[i].percent);
        assert_false(answer->percent_may_be_larger);
        gcast_answer_free(answer);
        gcast_workload_free(w);
    }
}

static int64_t clock_ms;

/* Every reading of the clock takes a while. */
static int64_t slow_clock(void)
{
    return clock_ms += 1000;
}

/* A search that is stopped keeps what it has found. */
static void share_in_little_time(void **state)
{
    (void)state;
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_workload *w = two_tasks(10000, 1);
    gcast_error err;
    options.max_ms = 0;
    gcast_answer *answer = answer_by(w, GCAST_METHOD_BOUND, &options);
    assert_int_equal(answer->duration_percent, 76);
    answer->duration_percent = 0;
    options.max_ms = 3000;
    limit_test_clock = slow_clock;
    assert_ok(gcast_answer_find_durations(answer, &options, &err), &err);
    limit_test_clock = NULL;
    assert_int_equal(answer->duration_percent, 50);
    assert_true(answer->percent_may_be_larger);
    gcast_answer_free(answer);
    gcast_workload_free(w);
}

static bool note_fraction(void *data, double fraction)
{
    double *last = data;
    assert_true(fraction >= *last && fraction <= 1);
    *last = fraction;
    return true;
}

static bool stop(void *data, double fraction)
{
    (void)data;
    (void)fraction;
    return false;
}

static void progress_of_trials(void **state)
{
    (void)state;
    gcast_workload *w = two_tasks(10000, 1);
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_answer *answer = answer_by(w, GCAST_METHOD_BOUND, &options);
    gcast_error err;
    double last = 0;
    answer->duration_percent = 0;
    options.progress = note_fraction;
    options.progress_data = &last;
    assert_ok(gcast_answer_find_durations(answer, &options, &err), &err);
    assert_int_equal(answer->duration_percent, 76);
    assert_true(last > 0.5);
    options.progress = stop;
    answer->duration_percent = 0;
    assert_int_equal(gcast_answer_find_durations(answer, &options, &err), GCAST_RESOURCE);
    gcast_answer_free(answer);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(share_by_hand),
        cmocka_unit_test(share_in_little_time),
        cmocka_unit_test(progress_of_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
