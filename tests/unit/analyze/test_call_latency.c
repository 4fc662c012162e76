/* Latencies of calls in an analysis: where they are from, what a range does to each method, and how long calls may take
 * where nobody has measured it. */
#include "analyze/answer.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "files/workload_formats.h"
#include "support/builders.h"

/* Two tasks of one kernel each, A of 3 us and B of `duration` ns, that fill the GPU; B has a deadline of 10 us. */
static gcast_workload *two_tasks(const char *gpu, int duration)
{
    char json[1000];
    snprintf(json, sizeof json,
             "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"%s\", \"partition\": {\"sms\": 1}, \"tasks\": ["
             "{\"name\": \"a\", \"stream\": 1, \"period_ns\": 100000000, \"ops\": [{\"kind\": \"kernel\","
             " \"label\": \"A\", \"grid\": 2, \"block\": 1024, \"duration_ns\": 3000}]},"
             "{\"name\": \"b\", \"stream\": 2, \"period_ns\": 100000000, \"deadline_ns\": 10000, \"ops\": [{\"kind\":"
             " \"kernel\", \"label\": \"B\", \"grid\": 2, \"block\": 1024, \"duration_ns\": %d}]}]}",
             gpu, duration);
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    return w;
}

static gcast_analysis *analysis_of(const gcast_workload *w, gcast_method method, const gcast_analyze_options *options)
{
    gcast_error err;
    gcast_analysis *a;
    assert_ok(gcast_workload_analyze(w, NULL, method, options, &a, &err), &err);
    return a;
}

static void assert_latency(const gcast_call_latency *c, gcast_latency_source source, int64_t min_ns, int64_t max_ns)
{
    assert_true(c->used);
    assert_int_equal(c->source, source);
    assert_int_equal(c->min_ns, min_ns);
    assert_int_equal(c->max_ns, max_ns);
}

/* A longest latency alone that the GPU never has would make the shortest shorter, too. */
static void below_the_least(void **state)
{
    (void)state;
    gcast_error err;
    gcast_analysis *a;
    gcast_workload *w = two_tasks("h200", 1000);
    gcast_analyze_options options = gcast_analyze_options_default();
    options.launch_max_ns = 3000;
    assert_int_equal(gcast_workload_analyze(w, NULL, GCAST_METHOD_BOUND, &options, &a, &err), GCAST_USAGE);
    assert_non_null(strstr(err.message, "give a range MIN..MAX"));
    gcast_workload_free(w);
}

static void given_measured_or_assumed(void **state)
{
    (void)state;
    static const struct {
        const char *gpu;
        int64_t min_ns, max_ns, quantile; /* asked for */
        gcast_latency_source source;      /* found */
        int64_t found_min_ns, found_max_ns, one_in;
    } cases[] = {
        {"tx2", -1, -1, 0, GCAST_LATENCY_ASSUMED, 0, 0, 0},
        {"tx2", -1, 500, 0, GCAST_LATENCY_GIVEN, 0, 500, 0},
        {"tx2", 20, 500, 0, GCAST_LATENCY_GIVEN, 20, 500, 0},
        {"h200", -1, -1, 0, GCAST_LATENCY_MEASURED, 3951, 3513712, 0},
        {"h200", -1, -1, 1000, GCAST_LATENCY_MEASURED, 3951, 124848, 1000},
        {"h200", -1, -1, 500, GCAST_LATENCY_MEASURED, 3951, 124848, 1000},
        {"h200", -1, -1, 100000, GCAST_LATENCY_MEASURED, 3951, 507180, 100000},
        {"h200", -1, 50000, 0, GCAST_LATENCY_GIVEN, 3951, 50000, 0},
        {"h200", 3000, 3000, 0, GCAST_LATENCY_GIVEN, 3000, 3000, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_workload *w = two_tasks(cases[i].gpu, 1000);
        gcast_analyze_options options = gcast_analyze_options_default();
        options.launch_min_ns = cases[i].min_ns;
        options.launch_max_ns = cases[i].max_ns;
        options.quantile = cases[i].quantile;
        gcast_analysis *a = analysis_of(w, GCAST_METHOD_BOUND, &options);
        assert_latency(&a->launch, cases[i].source, cases[i].found_min_ns, cases[i].found_max_ns);
        assert_int_equal(a->launch.one_in, cases[i].one_in);
        assert_false(a->copy.used);
        gcast_analysis_free(a);
        gcast_workload_free(w);
    }
}

/* A is called first. With one latency B waits for it; with a range each may wait for the other, and for its latency. */
static void calls_pass_each_other(void **state)
{
    (void)state;
    gcast_workload *w = two_tasks("tx2", 1000);
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_analysis *a = analysis_of(w, GCAST_METHOD_EXACT, &options);
    assert_true(a->complete);
    assert_int_equal(a->responses[0].worst_ns, 3000);
    assert_int_equal(a->responses[1].worst_ns, 4000);
    gcast_analysis_free(a);
    options.launch_max_ns = 200;
    static const gcast_method methods[] = {GCAST_METHOD_BOUND, GCAST_METHOD_EXPLORE};
    for (size_t i = 0; i < 2; i++) {
        a = analysis_of(w, methods[i], &options);
        assert_true(a->complete);
        assert_int_equal(a->responses[0].best_ns, 3000);
        assert_int_equal(a->responses[1].best_ns, 1000);
        /* A 199 after its call, and B before it; B with A */
        assert_in_range(a->responses[0].worst_ns, 4199, 4200);
        assert_int_equal(a->responses[1].worst_ns, 4200);
        gcast_analysis_free(a);
    }
    a = analysis_of(w, GCAST_METHOD_EXACT, &options);
    assert_false(a->complete);
    assert_non_null(strstr(a->why_not, "launch latency is a range"));
    gcast_analysis_free(a);
    options.launch_min_ns = 200;
    a = analysis_of(w, GCAST_METHOD_EXACT, &options);
    assert_true(a->complete);
    assert_int_equal(a->responses[0].worst_ns, 3200);
    gcast_analysis_free(a);
    gcast_workload_free(w);
}

static gcast_answer *answer_of(const gcast_workload *w, const gcast_analyze_options *options)
{
    gcast_error err;
    gcast_answer *answer;
    gcast_analysis *a = analysis_of(w, GCAST_METHOD_BOUND, options);
    assert_ok(gcast_answer_create(w, w->gpu, &a, 1, &answer, &err), &err);
    assert_ok(gcast_answer_find_limit(answer, options, &err), &err);
    return answer;
}

static void limit_of_latencies_that_are_assumed(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = two_tasks("tx2", 1000);
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_answer *answer = answer_of(w, &options);
    assert_true(answer->conditional);
    assert_int_equal(gcast_answer_verdict(answer, &answer->responses[1]), GCAST_DEADLINE_MET_IF);
    assert_in_range(answer->launch_limit_ns, 5900, 6000); /* 10 us less 3 and 1 */
    assert_false(answer->limit_may_be_longer);
    assert_true(answer->responses[1].launch_limit_ns >= answer->launch_limit_ns);
    options.launch_max_ns = answer->launch_limit_ns;
    gcast_answer_free(answer);
    answer = answer_of(w, &options);
    assert_false(answer->conditional);
    assert_int_equal(answer->launch_limit_ns, -1);
    assert_int_equal(gcast_answer_verdict(answer, &answer->responses[1]), GCAST_DEADLINE_MET);
    gcast_answer_free(answer);
    options.launch_max_ns += 200;
    answer = answer_of(w, &options);
    assert_int_equal(gcast_answer_verdict(answer, &answer->responses[1]), GCAST_DEADLINE_OPEN);
    gcast_answer_free(answer);
    options.launch_max_ns = INT64_MAX;
    gcast_analysis *a;
    assert_int_equal(gcast_workload_analyze(w, NULL, GCAST_METHOD_BOUND, &options, &a, &err), GCAST_USAGE);
    gcast_workload_free(w);
}

static void simulated_latencies(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = two_tasks("tx2", 1000);
    static const int64_t latencies[] = {199, 0};
    gcast_simulate_options options = gcast_simulate_options_default();
    options.latencies = latencies;
    options.latency_count = 1;
    assert_int_equal(gcast_workload_simulate(w, NULL, &options, &run, &err), GCAST_USAGE);
    options.latency_count = 2;
    assert_ok(gcast_workload_simulate(w, NULL, &options, &run, &err), &err);
    assert_int_equal(run->ops[0].arrive_ns, 199);
    assert_int_equal(run->ops[0].start_ns, 1000);
    assert_int_equal(run->ops[1].start_ns, 0);
    gcast_run_free(run);
    gcast_workload_free(w);
}

/* A copy of 1000 bytes at 1 byte a nanosecond, and 50 ns, may take 1.31 times as long: for bound and explore its time
 * is a range, exact has none. One whose duration is given takes that. */
static void copies_may_be_slow(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("Some GPU", 8, 6, 4, &err);
    gpu->h2d_bytes_per_s = gpu->d2d_bytes_per_s = 1000000000;
    gpu->h2d_overhead_ns = 50;
    static const gcast_method methods[] = {GCAST_METHOD_BOUND, GCAST_METHOD_EXPLORE, GCAST_METHOD_EXACT};
    static const struct {
        const char *text;        /* of the copy */
        int slow_percent;        /* of the GPU */
        int64_t best_ns, max_ns; /* what is found */
    } cases[] = {
        {"\"direction\": \"h2d\", \"bytes\": 1000", 100, 1050, 1050},
        {"\"direction\": \"h2d\", \"bytes\": 1000", 131, 1050, 1376},
        {"\"direction\": \"d2d\", \"bytes\": 1000", 131, 1000, 1000},
        {"\"direction\": \"h2d\", \"bytes\": 1000, \"duration_ns\": 77", 131, 77, 77},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char json[400];
        gcast_workload *w;
        snprintf(json, sizeof json,
                 "{\"schema\": \"gridcast.workload/1\", \"ops\": [{\"kind\": \"copy\", \"stream\": 1, %s}]}",
                 cases[i].text);
        assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
        gpu->copy_slow_percent = cases[i].slow_percent;
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            gcast_analysis *a;
            assert_ok(gcast_workload_analyze(w, gpu, methods[m], NULL, &a, &err), &err);
            bool is_range = cases[i].best_ns < cases[i].max_ns;
            if (is_range && methods[m] == GCAST_METHOD_EXACT) {
                assert_false(a->complete);
                assert_non_null(strstr(a->why_not, "copy_slow_percent"));
            } else {
                assert_true(a->complete);
                assert_int_equal(a->responses[0].best_ns, cases[i].best_ns);
                assert_int_equal(a->responses[0].worst_ns, cases[i].max_ns);
                bool is_said = false;
                for (size_t n = 0; n < a->assumption_count; n++)
                    is_said = is_said || strstr(a->assumptions[n], "up to 131 % of its usual time");
                assert_int_equal(is_said, is_range);
            }
            gcast_analysis_free(a);
        }
        gcast_workload_free(w);
    }
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_the_least),       cmocka_unit_test(given_measured_or_assumed),
        cmocka_unit_test(calls_pass_each_other), cmocka_unit_test(limit_of_latencies_that_are_assumed),
        cmocka_unit_test(simulated_latencies),   cmocka_unit_test(copies_may_be_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
