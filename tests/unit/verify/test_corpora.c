/* Scoring several corpora: which scenarios count, what stops it, and the times of operations. */
#include "support/support.h"

#include <stdlib.h>

#include "base/integers.h"
#include "model/scenario.h"
#include "verify/compare.h"
#include "verify/corpora.h"
#include "verify/score.h"

#define THESIS SOURCE_DIR "/tests/data/h200/thesis.jsonl.gz"

typedef struct visits {
    size_t count;       /* of scenarios scored */
    size_t max_count;   /* it stops after so many */
    double last;        /* progress told last */
    bool has_gone_back; /* progress was less than before */
} visits;

static bool count_scored(void *data, const gcast_scenario *scenario)
{
    visits *v = data;
    (void)scenario;
    return ++v->count < v->max_count;
}

static bool count_call(void *data, double fraction)
{
    visits *v = data;
    v->has_gone_back = v->has_gone_back || fraction < v->last;
    v->last = fraction;
    return true;
}

static verify_corpora corpora_of(const char *const *paths, size_t count, visits *v)
{
    return (verify_corpora){.paths = paths,
                            .count = count,
                            .progress = count_call,
                            .progress_data = v,
                            .scored = count_scored,
                            .scored_data = v};
}

static void scores_all_corpora(void **state)
{
    (void)state;
    const char *const paths[] = {THESIS, THESIS};
    visits once = {.max_count = SIZE_MAX}, twice = {.max_count = SIZE_MAX};
    verify_corpora one = corpora_of(paths, 1, &once), two = corpora_of(paths, 2, &twice);
    verify_scores s = {0}, t = {0};
    gcast_error err;
    assert_ok(verify_corpora_score(&one, &s, &err), &err);
    assert_ok(verify_corpora_score(&two, &t, &err), &err);
    assert_int_equal(s.all.scenarios, once.count);
    assert_int_equal(t.all.scenarios, 2 * once.count);
    assert_int_equal(t.all.hits, 2 * s.all.hits);
    assert_int_equal(t.families.count, s.families.count);
    assert_false(once.has_gone_back || twice.has_gone_back);
    verify_scores_free(&s);
    verify_scores_free(&t);
}

static void scores_what_is_wanted(void **state)
{
    (void)state;
    const char *const paths[] = {THESIS, THESIS};
    visits v = {.max_count = SIZE_MAX};
    verify_corpora c = corpora_of(paths, 1, &v);
    verify_scores s = {0};
    gcast_error err;
    c.scenario = "thesis-ex";
    assert_ok(verify_corpora_score(&c, &s, &err), &err);
    assert_int_equal(s.all.scenarios, 1);
    c.family = "another";
    assert_ok(verify_corpora_score(&c, &s, &err), &err);
    assert_int_equal(s.all.scenarios, 1);
    v = (visits){.max_count = 1};
    c = corpora_of(paths, 2, &v);
    assert_ok(verify_corpora_score(&c, &s, &err), &err);
    assert_int_equal(s.all.scenarios, 2); /* stopped after one more */
    verify_scores_free(&s);
}

static void refuses_a_corpus_without_scenarios(void **state)
{
    (void)state;
    const char *const paths[] = {"/dev/null"};
    visits v = {.max_count = SIZE_MAX};
    verify_corpora c = corpora_of(paths, 1, &v);
    verify_scores s = {0};
    gcast_error err;
    assert_int_equal(verify_corpora_score(&c, &s, &err), GCAST_INPUT);
    verify_scores_free(&s);
}

static void worst_miss_is_first(void **state)
{
    (void)state;
    verify_scores s = {0};
    assert_true(vec_push(&s.misses, ((verify_miss){"b", "x", {.error_ns = 30, .tolerance_ns = 20}})));
    assert_true(vec_push(&s.misses, ((verify_miss){"a", "y", {.error_ns = 60, .tolerance_ns = 40}})));
    assert_true(vec_push(&s.misses, ((verify_miss){"c", "z", {.error_ns = 90, .tolerance_ns = 10}})));
    verify_scores_sort(&s);
    assert_string_equal(s.misses.at[0].scenario, "c");
    assert_string_equal(s.misses.at[1].scenario, "a");
    assert_string_equal(s.misses.at[2].scenario, "b");
    verify_scores_free(&s);
}

static void times_count_from_the_first_start(void **state)
{
    (void)state;
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *scenario;
    gcast_run *prediction;
    verify_op_times_list list = {0};
    assert_ok(gcast_corpus_open(THESIS, &corpus, &err), &err);
    assert_ok(gcast_corpus_next(corpus, &scenario, &err), &err);
    assert_ok(gcast_scenario_predict(scenario, 0, NULL, false, &prediction, &err), &err);
    gcast_agreement a = gcast_run_compare(prediction, scenario->runs[0]);
    assert_true(verify_list_op_times(prediction, scenario->runs[0], &list));
    assert_int_equal(list.count, scenario->workload->op_count);
    int64_t first_ns = INT64_MAX, largest_ns = 0;
    for (size_t i = 0; i < list.count; i++) {
        first_ns = min_i64(first_ns, list.at[i].predicted_start_ns);
        largest_ns = max_i64(largest_ns, llabs(list.at[i].error_ns));
    }
    assert_int_equal(first_ns, 0);
    assert_int_equal(largest_ns, a.error_ns);
    vec_free(&list);
    gcast_run_free(prediction);
    gcast_scenario_free(scenario);
    gcast_corpus_close(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_all_corpora),
        cmocka_unit_test(scores_what_is_wanted),
        cmocka_unit_test(refuses_a_corpus_without_scenarios),
        cmocka_unit_test(worst_miss_is_first),
        cmocka_unit_test(times_count_from_the_first_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
