/* Answers are compared with executions: those of the methods stand, and wrong ones are refused. */
#include <string.h>

#include "analyze/answer.h"
#include "gridcast/analyze.h"
#include "gridcast/read.h"
#include "support/support.h"

#define TIE SOURCE_DIR "/tests/data/late/tie.json"

static gcast_workload *load(const char *path)
{
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_load(path, NULL, &w, &err), &err);
    return w;
}

static gcast_answer *answer_of(const gcast_workload *w, gcast_method method, const gcast_analyze_options *options)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_answer *answer;
    assert_ok(gcast_workload_analyze(w, NULL, method, options, &a, &err), &err);
    assert_ok(gcast_answer_create(w, w->gpu, &a, 1, &answer, &err), &err);
    return answer;
}

/* The answer of a method, with another worst or best response of an op. */
static void doctor(gcast_answer *answer, size_t op, int64_t best_ns, int64_t worst_ns)
{
    for (size_t i = 0; i < answer->response_count; i++)
        if (answer->responses[i].op == op) {
            ((gcast_response *)answer->responses)[i].best_ns = best_ns;
            ((gcast_response *)answer->responses)[i].worst_ns = worst_ns;
        }
}

/* A wrong answer is no answer: it names the op and the file, and nothing is met. */
static void assert_refused(gcast_answer *answer, const gcast_analyze_options *options, const char *label)
{
    gcast_error err;
    assert_int_equal(gcast_answer_check(answer, options, &err), GCAST_INTERNAL);
    assert_non_null(strstr(err.message, label));
    assert_non_null(strstr(err.message, "so no deadline is reported as met"));
    assert_string_equal(err.file, answer->workload->source);
    assert_false(answer->complete);
    for (size_t i = 0; i < answer->response_count; i++) {
        gcast_deadline_verdict v = gcast_answer_verdict(answer, &answer->responses[i]);
        assert_true(v == GCAST_DEADLINE_OPEN || v == GCAST_DEADLINE_NONE);
    }
    gcast_answer_free(answer);
}

static void answers_of_methods_stand(void **state)
{
    (void)state;
    static const char *const files[] = {TIE, SOURCE_DIR "/tests/data/late/copies.json",
                                        SOURCE_DIR "/tests/data/late/after-copies.json",
                                        SOURCE_DIR "/examples/07-deadlines.json", SOURCE_DIR "/examples/thesis.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int m = 0; m < GCAST_METHODS; m++) {
            gcast_error err;
            gcast_workload *w = load(files[i]);
            gcast_answer *answer = answer_of(w, (gcast_method)m, NULL);
            bool complete = answer->complete;
            assert_ok(gcast_answer_check(answer, NULL, &err), &err);
            assert_true(answer->complete == complete);
            gcast_answer_free(answer);
            gcast_workload_free(w);
        }
}

/* A takes 5 ms whenever it is on time, as the workload is simulated. */
static void as_it_is_contradicts(void **state)
{
    (void)state;
    gcast_workload *w = load(TIE);
    gcast_answer *answer = answer_of(w, GCAST_METHOD_BOUND, NULL);
    doctor(answer, 0, 0, 4999999);
    assert_refused(answer, NULL, "A takes 5000000 ns, but the analysis says at most 4999999 ns");
    answer = answer_of(w, GCAST_METHOD_BOUND, NULL);
    doctor(answer, 0, 5000001, 6000000);
    assert_refused(answer, NULL, "A takes 5000000 ns, but the analysis says at least 5000001 ns");
    gcast_workload_free(w);
}

/* B takes 1 ms on time, but 6 ms where it is late enough to come behind the next A. */
static void late_jobs_contradict(void **state)
{
    (void)state;
    gcast_workload *w = load(TIE);
    gcast_answer *answer = answer_of(w, GCAST_METHOD_EXPLORE, NULL);
    doctor(answer, 1, 1000000, 1000000);
    assert_refused(answer, NULL, "B takes ");
    gcast_workload_free(w);
}

/* A block takes up to 3 us longer, and a launch up to 1 us: 174 us at most. */
static void noise_and_latencies_contradict(void **state)
{
    (void)state;
    gcast_workload *w = load(SOURCE_DIR "/tests/cases/analyze-noise/noise.json");
    gcast_analyze_options options = gcast_analyze_options_default();
    options.launch_min_ns = 0;
    options.launch_max_ns = 1000;
    gcast_answer *answer = answer_of(w, GCAST_METHOD_BOUND, &options);
    gcast_error err;
    assert_int_equal(answer->responses[0].worst_ns, 174000);
    assert_ok(gcast_answer_check(answer, &options, &err), &err);
    doctor(answer, 0, 0, 173999);
    assert_refused(answer, &options, "K takes 174000 ns");
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_methods_stand),
        cmocka_unit_test(as_it_is_contradicts),
        cmocka_unit_test(late_jobs_contradict),
        cmocka_unit_test(noise_and_latencies_contradict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
