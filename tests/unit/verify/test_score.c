/* Agreement and scores, by hand and on recorded hardware. */
#include "model/scenario.h"
#include "support/support.h"
#include "verify/score.h"

#include <stdio.h>
#include <string.h>

static gcast_corpus *open_family(const char *family)
{
    gcast_error err;
    gcast_corpus *corpus;
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/h200/%s.jsonl.gz", SOURCE_DIR, family);
    assert_ok(gcast_corpus_open(path, &corpus, &err), &err);
    return corpus;
}

static gcast_scenario *first_of(const char *family)
{
    gcast_error err;
    gcast_scenario *s;
    gcast_corpus *corpus = open_family(family);
    assert_ok(gcast_corpus_next(corpus, &s, &err), &err);
    assert_non_null(s);
    gcast_corpus_close(corpus);
    return s;
}

static void reads_a_scenario(void **state)
{
    (void)state;
    gcast_scenario *s = first_of("thesis");
    assert_string_equal(s->family, "thesis");
    assert_string_equal(s->workload->name, "thesis-ex");
    assert_int_equal(s->run_count, 2);
    const gcast_run *run = s->runs[0];
    assert_string_equal(run->source, "measured");
    assert_int_equal(run->gpu->sms, 2);
    assert_int_equal(run->op_count, 4);
    assert_true(run->blocks_recorded);
    assert_int_equal(run->ops[1].block_count, 7);
    assert_int_equal(run->ops[1].call_ns, 40075);
    assert_int_equal(run->ops[1].blocks[6].sm, 0);
    assert_int_equal(run->ops[1].blocks[6].start_ns, 4046496);
    assert_int_equal(run->ops[1].dispatched_ns, 4046496);
    assert_int_equal(run->ops[1].end_ns, 10046592);
    gcast_scenario_free(s);
}

/* A run agrees with itself shifted in time, but not where an end moves by more than the tolerance. */
static void agreement(void **state)
{
    (void)state;
    gcast_scenario *s = first_of("thesis");
    gcast_run shifted = *s->runs[0];
    gcast_run_op ops[4];
    memcpy(ops, shifted.ops, sizeof ops);
    for (size_t i = 0; i < 4; i++) {
        ops[i].start_ns += 1000000;
        ops[i].end_ns += 1000000;
    }
    shifted.ops = ops;
    gcast_agreement a = gcast_run_compare(&shifted, s->runs[0]);
    assert_true(a.agree);
    assert_int_equal(a.error_ns, 0);
    assert_int_equal(a.tolerance_ns, (12081408 - 45920) / 100);
    ops[2].end_ns += a.tolerance_ns;
    assert_true(gcast_run_compare(&shifted, s->runs[0]).agree);
    ops[2].end_ns += 1;
    a = gcast_run_compare(&shifted, s->runs[0]);
    assert_false(a.agree);
    assert_int_equal(a.worst_op, 2);
    for (size_t i = 0; i < 4; i++) { /* an operation that did not run has no end */
        ops[i].skipped = true;
        ops[i].start_ns = ops[i].end_ns = -1;
    }
    a = gcast_run_compare(&shifted, s->runs[0]);
    assert_false(a.agree);
    assert_int_equal(a.error_ns, INT64_MAX);
    gcast_scenario_free(s);
}

/* On a partition of two SMs an H200 does what the thesis saw on a TX2, and the prediction agrees. */
static void thesis_on_hardware(void **state)
{
    (void)state;
    gcast_error err;
    gcast_score all = {0}, one;
    gcast_agreement worst;
    gcast_corpus *corpus = open_family("thesis");
    for (gcast_scenario *s;;) {
        assert_ok(gcast_corpus_next(corpus, &s, &err), &err);
        if (!s)
            break;
        assert_ok(gcast_scenario_score(s, NULL, NULL, &one, &worst, &err), &err);
        assert_true(worst.agree && worst.error_ns < 20000);
        gcast_score_add(&all, &one);
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
    assert_int_equal(all.scenarios, 4);
    assert_int_equal(all.predictions, 8);
    assert_int_equal(all.hits, 8);
    assert_int_equal(all.pairs, 8);
    assert_int_equal(all.agreeing, 8);
    assert_true(gcast_score_ratio(&all) == 1);
}

/* Scores without pairs have no limit and no ratio. */
static void no_pairs(void **state)
{
    (void)state;
    gcast_score s = {.scenarios = 2, .predictions = 2, .hits = 1};
    assert_true(gcast_score_value(&s) == 0.5);
    assert_true(gcast_score_limit(&s) == -1);
    assert_true(gcast_score_ratio(&s) == -1);
}

static void release_times_must_fit(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_scenario *s = first_of("thesis");
    gcast_simulate_options options = gcast_simulate_options_default();
    options.releases = (int64_t[]){1, 2, 3};
    options.release_count = 3;
    assert_int_equal(gcast_workload_simulate(s->workload, NULL, &options, &run, &err), GCAST_USAGE);
    assert_string_equal(err.message, "3 release times are given for 4 operations");
    gcast_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_scenario),       cmocka_unit_test(agreement),
        cmocka_unit_test(thesis_on_hardware),     cmocka_unit_test(no_pairs),
        cmocka_unit_test(release_times_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
