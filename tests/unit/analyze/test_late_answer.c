/* Late executions of an answer: which responses are searched for, what was seen, and the execution that shows it. */
#include <string.h>

#include "gridcast/analyze.h"
#include "gridcast/read.h"
#include "gridcast/simulate.h"
#include "support/support.h"

static gcast_workload *load(const char *path)
{
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_load(path, NULL, &w, &err), &err);
    return w;
}

static gcast_answer *answer_by(const gcast_workload *w, gcast_method method, const gcast_search_options *search)
{
    gcast_error err;
    gcast_answer *answer;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.search = search;
    assert_ok(gcast_workload_answer(w, NULL, &method, 1, &options, &answer, &err), &err);
    return answer;
}

/* The simulation of the execution shows the response. */
static void assert_shown(const gcast_answer *answer, const gcast_late *late)
{
    gcast_error err;
    gcast_workload *execution;
    gcast_run *run;
    size_t op;
    assert_ok(gcast_answer_late_execution(answer, late->op, &execution, &op, &err), &err);
    assert_ok(gcast_workload_simulate(execution, NULL, NULL, &run, &err), &err);
    assert_int_equal(gcast_response_ns(&run->ops[op]), late->response_ns);
    gcast_run_free(run);
    gcast_workload_free(execution);
}

static void what_misses_is_found(void **state)
{
    (void)state;
    gcast_workload *w = load(SOURCE_DIR "/tests/data/late/tie.json");
    gcast_search_options search = gcast_search_options_default();
    gcast_answer *answer = answer_by(w, GCAST_METHOD_BOUND, &search);
    gcast_late late;
    assert_true(answer->searched);
    assert_true(gcast_answer_find_late(answer, GCAST_NO_OP, &late));
    assert_string_equal(w->ops[late.op].label, "B");
    assert_int_equal(late.response_ns, 6000000);
    assert_int_equal(late.late_ns, 4000000);
    assert_shown(answer, &late);
    gcast_answer_free(answer);
    gcast_workload_free(w);
}

static void nothing_is_searched_for_without_need(void **state)
{
    (void)state;
    gcast_error err;
    gcast_late late;
    gcast_workload *w = load(SOURCE_DIR "/tests/data/late/tie.json"), *execution;
    gcast_answer *answer = answer_by(w, GCAST_METHOD_BOUND, NULL);
    assert_false(answer->searched);
    assert_false(gcast_answer_find_late(answer, GCAST_NO_OP, &late));
    assert_int_equal(gcast_answer_late_execution(answer, 0, &execution, NULL, &err), GCAST_USAGE);
    assert_null(execution);
    gcast_answer_free(answer);
    gcast_workload_free(w);

    w = load(SOURCE_DIR "/examples/07-deadlines.json"); /* exact attains its worst times */
    gcast_search_options search = gcast_search_options_default();
    search.all = true;
    answer = answer_by(w, GCAST_METHOD_EXACT, &search);
    assert_false(gcast_answer_find_late(answer, GCAST_NO_OP, &late));
    gcast_answer_free(answer);
    search.attained = true;
    answer = answer_by(w, GCAST_METHOD_EXACT, &search);
    assert_false(answer->searched); /* nothing new is known */
    assert_true(gcast_answer_find_late(answer, GCAST_NO_OP, &late));
    assert_int_equal(late.response_ns, answer->responses[late.op].worst_ns);
    assert_shown(answer, &late);
    gcast_answer_free(answer);
    gcast_workload_free(w);
}

static bool append(void *data, const char *bytes, size_t size)
{
    size_t *total = data;
    (void)bytes;
    *total += size;
    return true;
}

static void an_execution_is_drawn(void **state)
{
    (void)state;
    gcast_error err;
    gcast_late late;
    size_t size = 0;
    gcast_workload *w = load(SOURCE_DIR "/tests/data/late/tie.json");
    gcast_search_options search = gcast_search_options_default();
    search.op = 0;
    gcast_answer *answer = answer_by(w, GCAST_METHOD_BOUND, &search);
    assert_true(gcast_answer_find_late(answer, 0, &late));
    assert_int_equal(late.op, 0);
    assert_ok(gcast_answer_report_late(answer, 0, GCAST_FORMAT_SVG, append, &size, &err), &err);
    assert_true(size > 1000);
    assert_int_equal(gcast_answer_report_late(answer, 0, GCAST_FORMAT_JSON, append, &size, &err), GCAST_USAGE);
    assert_int_equal(gcast_answer_report_late(answer, GCAST_NO_OP, GCAST_FORMAT_SVG, append, &size, &err), GCAST_USAGE);
    gcast_answer_free(answer);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_misses_is_found),
        cmocka_unit_test(nothing_is_searched_for_without_need),
        cmocka_unit_test(an_execution_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
