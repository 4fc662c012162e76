/* gcast_answer: the tightest bounds of several analyses, their verdicts, and both reports. */
#include "analyze/answer.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/workload_formats.h"
#include "gridcast/names.h"

/* A task whose kernel takes 6 or 60 of 100 us, with a deadline of 10 us. */
static gcast_workload *one_task(const char *duration)
{
    char json[500];
    snprintf(json, sizeof json,
             "{\"schema\": \"gridcast.workload/1\", \"name\": \"task\", \"gpu\": \"tx2\", \"tasks\": [{\"name\": \"t\","
             " \"stream\": 1, \"period_ns\": 100000, \"deadline_ns\": 10000, \"ops\": [{\"kind\": \"kernel\","
             " \"label\": \"K\", \"grid\": 1, \"block\": 32, \"duration_ns\": %s}]}]}",
             duration);
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    return w;
}

static gcast_answer *answer_of(const gcast_workload *w, const gcast_method *methods, size_t count)
{
    gcast_error err;
    gcast_analysis *analyses[GCAST_METHODS];
    gcast_answer *answer;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.launch_max_ns = 0; /* so that no verdict is on a condition */
    for (size_t i = 0; i < count; i++)
        assert_ok(gcast_workload_analyze(w, NULL, methods[i], &options, &analyses[i], &err), &err);
    assert_ok(gcast_answer_create(w, w->gpu, analyses, count, &answer, &err), &err);
    return answer;
}

static void takes_the_tightest(void **state)
{
    (void)state;
    static const gcast_method methods[] = {GCAST_METHOD_BOUND, GCAST_METHOD_EXACT};
    gcast_workload *w = one_task("6000");
    gcast_answer *a = answer_of(w, methods, 2);
    const gcast_response *bound = a->analyses[0]->responses, *exact = a->analyses[1]->responses;
    assert_true(a->complete && a->attained);
    assert_int_equal(a->response_count, 1);
    assert_int_equal(a->responses[0].worst_ns, exact->worst_ns);
    assert_true(bound->worst_ns >= exact->worst_ns);
    assert_int_equal(gcast_answer_verdict(a, a->responses), GCAST_DEADLINE_MET);
    assert_int_equal(gcast_answer_slack_ns(a, a->responses), 10000 - exact->worst_ns);
    gcast_answer_free(a);
    gcast_workload_free(w);
}

static void verdicts(void **state)
{
    (void)state;
    static const gcast_method exact[] = {GCAST_METHOD_EXACT}, bound[] = {GCAST_METHOD_BOUND};
    static const struct {
        const char *duration;
        const gcast_method *method;
        gcast_deadline_verdict verdict;
    } cases[] = {
        {"60000", exact, GCAST_DEADLINE_MISSED},
        {"{\"min\": 1000, \"max\": 60000}", bound, GCAST_DEADLINE_OPEN},
        {"{\"min\": 20000, \"max\": 60000}", bound, GCAST_DEADLINE_MISSED}, /* in every execution */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_workload *w = one_task(cases[i].duration);
        gcast_answer *a = answer_of(w, cases[i].method, 1);
        assert_int_equal(gcast_answer_verdict(a, a->responses), cases[i].verdict);
        gcast_answer_free(a);
        gcast_workload_free(w);
    }
    assert_string_equal(gcast_name(GCAST_NAMES_VERDICT, GCAST_DEADLINE_OPEN), "open");
    assert_string_equal(gcast_name(GCAST_NAMES_METHOD, GCAST_METHOD_BOUND), "bound");
}

static bool append(void *t, const char *bytes, size_t size)
{
    text_bytes(t, bytes, size);
    return true;
}

static char *report(const gcast_answer *a, gcast_format format)
{
    gcast_error err;
    text t;
    text_open(&t, NULL, NULL);
    assert_ok(gcast_answer_report(a, format, NULL, append, &t, &err), &err);
    return text_take(&t, NULL);
}

static void reports(void **state)
{
    (void)state;
    static const gcast_method methods[] = {GCAST_METHOD_EXACT};
    gcast_error err;
    gcast_workload *w = one_task("6000");
    gcast_answer *a = answer_of(w, methods, 1);
    char *json = report(a, GCAST_FORMAT_JSON), *table = report(a, GCAST_FORMAT_TABLE);
    assert_non_null(strstr(json, "{\"schema\": \"gridcast.analysis/1\", \"workload\": \"task\", \"gpu\": \"tx2\""));
    assert_non_null(strstr(json, "\"deadline_ns\": 10000"));
    assert_non_null(strstr(json, "\"verdict\": \"met\"}]}\n"));
    assert_non_null(strstr(table, "method exact: 1 of 1 deadlines met\n"));
    char *picture = report(a, GCAST_FORMAT_SVG);
    assert_non_null(strstr(picture, "period 100us, deadline 10us"));
    assert_non_null(strstr(picture, ">met<"));
    assert_non_null(strstr(picture, ">4us<")); /* the slack */
    assert_int_equal(gcast_answer_report(a, GCAST_FORMAT_CSV, NULL, append, NULL, &err), GCAST_USAGE);
    assert_string_equal(err.message, "an analysis cannot be written as .csv");
    free(picture);
    free(json);
    free(table);
    gcast_answer_free(a);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_tightest),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
