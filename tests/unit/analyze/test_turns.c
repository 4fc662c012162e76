/* Turns: when kernels enter that waited in connections of one half. Times were worked out by hand from docs/model.md,
 * and both the oracle and the simulator must give them. Runs recorded on an H200 must be predicted too. */
#include "model/scenario.h"
#include "property/hand.h"
#include "verify/score.h"

/* Turns of 20 on four connections, and streams 1 to 9 as s[1] to s[9]. */
static void setup(fixture *f, int s[10])
{
    f->gpu->connections = 4;
    f->gpu->turn_ns = 20;
    for (int i = 1; i < 10; i++)
        s[i] = stream(f, i, 0, false);
}

/* Two kernels in each of the first four streams: connections 0 to 3. */
static void add_pairs(fixture *f, const int s[10], const int64_t first[4])
{
    for (int i = 0; i < 4; i++) {
        add(f, kernel(s[1 + i], 2 * i, 1, 32, first[i] - 2 * i));
        add(f, kernel(s[1 + i], 2 * i + 1, 1, 32, 10));
    }
}

#define assert_enters(f, ...)                                                                                          \
    do {                                                                                                               \
        const int64_t want[] = {__VA_ARGS__};                                                                          \
        assert_int_equal((f)->r.op_count, sizeof want / sizeof *want);                                                 \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.ops[i_].enter_ns, want[i_]);                                                       \
    } while (0)

/* In each half, the kernel that may enter first waits for a turn while the other one waits too; the last one enters at
 * once. */
static void one_waits_beside_another(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, s);
    add_pairs(f, s, (const int64_t[]){100, 200, 300, 400});
    run(f);
    assert_enters(f, 0, 120, 2, 220, 4, 300, 6, 400);
}

/* Turns within one half follow each other; those of the two halves overlap. */
static void turns_follow_each_other(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, s);
    add_pairs(f, s, (const int64_t[]){100, 105, 110, 110});
    run(f);
    assert_enters(f, 0, 120, 2, 125, 4, 140, 6, 145);
}

/* At one time the even half comes first. */
static void even_half_comes_first(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, s);
    add_pairs(f, s, (const int64_t[]){100, 100, 300, 300});
    run(f);
    assert_enters(f, 0, 120, 2, 120, 4, 300, 6, 300);
    assert_true(f->r.ops[1].entry < f->r.ops[3].entry);
}

/* A kernel that has not arrived does not wait for a turn. */
static void before_arrival(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, s);
    f->gpu->launch_latency_ns = 50;
    add(f, kernel(s[1], 0, 1, 32, 100));  /* 50 to 150 */
    add(f, kernel(s[1], 1, 1, 32, 10));   /* waits in 0 */
    add(f, kernel(s[2], 2, 1, 32, 300));  /* 52 to 352 */
    add(f, kernel(s[2], 3, 1, 32, 10));   /* waits in 1 */
    add(f, kernel(s[3], 110, 1, 32, 10)); /* in 2, there from 160 on */
    run(f);
    assert_int_equal(f->r.ops[4].connection, 2);
    assert_enters(f, 50, 150, 52, 352, 160);
}

/* A kernel that enters when it arrives needs no turn, though another one waits. */
static void arrivals_enter_at_once(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, s);
    add(f, kernel(s[1], 0, 1, 32, 100));
    add(f, kernel(s[1], 1, 1, 32, 10));
    add(f, kernel(s[2], 2, 1, 32, 300));
    add(f, kernel(s[2], 3, 1, 32, 10));
    add(f, kernel(s[3], 60, 1, 32, 10));
    add(f, kernel(s[3], 61, 1, 32, 10)); /* waited, and the second of stream 1 still does */
    run(f);
    assert_enters(f, 0, 100, 2, 302, 60, 90);
}

/* The next kernel in its connection follows at once. */
static void next_in_connection_follows(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, s);
    add_pairs(f, s, (const int64_t[]){100, 500, 500, 500});
    add(f, kernel(s[5], 10, 1, 32, 10)); /* none is empty: behind the second of stream 1 */
    run(f);
    assert_int_equal(f->r.ops[8].connection, 0);
    assert_int_equal(f->r.ops[1].enter_ns, 120);
    assert_int_equal(f->r.ops[8].enter_ns, 120);
}

/* The wait for a turn is explained as such, not as a wait for the kernel in front. */
static void wait_is_explained(void **state)
{
    fixture *f = *state;
    gcast_run *simulated;
    gcast_explanation *e;
    int s[10];
    setup(f, s);
    add_pairs(f, s, (const int64_t[]){100, 200, 300, 400});
    f->options.record_blocks = true;
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &simulated, &f->err), &f->err);
    assert_ok(gcast_run_explain(simulated, 1, &e, &f->err), &f->err);
    assert_int_equal(e->wait_count, 3);
    assert_int_equal(e->waits[0].reason, GCAST_WHY_STREAM);
    assert_int_equal(e->waits[1].reason, GCAST_WHY_TURN);
    assert_int_equal(e->waits[1].from_ns, 100);
    assert_int_equal(e->waits[1].to_ns, 120);
    assert_int_equal(e->waits[2].reason, GCAST_WHY_RUN);
    gcast_explanation_free(e);
    gcast_run_free(simulated);
}

/* No bound is below the simulated response, and explore gives just that. */
static void analyses_have_turns(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, s);
    add_pairs(f, s, (const int64_t[]){100, 105, 110, 110});
    run(f);
    const gcast_method methods[] = {GCAST_METHOD_BOUND, GCAST_METHOD_EXPLORE};
    for (int m = 0; m < 2; m++) {
        gcast_error err;
        gcast_analysis *a;
        gcast_analyze_options options = gcast_analyze_options_default();
        assert_ok(gcast_workload_analyze(f->w, f->gpu, methods[m], &options, &a, &err), &err);
        assert_int_equal(a->response_count, f->r.op_count);
        for (size_t i = 0; i < a->response_count; i++) {
            int64_t seen = gcast_response_ns(&f->r.ops[i]);
            assert_true(a->responses[i].worst_ns >= seen && (m == 0 || a->responses[i].worst_ns == seen));
        }
        gcast_analysis_free(a);
    }
}

/* Chains of kernels beside each other, and one beside streams that wait, on an H200. */
static void as_recorded(void **state)
{
    (void)state;
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s;
    gcast_score sum = {0};
    assert_ok(gcast_corpus_open(SOURCE_DIR "/tests/data/h200-turns/turns.jsonl.gz", &corpus, &err), &err);
    while (gcast_corpus_next(corpus, &s, &err) == GCAST_OK && s) {
        gcast_score one;
        assert_ok(gcast_scenario_score(s, s->workload->gpu, NULL, &one, NULL, &err), &err);
        gcast_score_add(&sum, &one);
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
    assert_int_equal(sum.predictions, 130);
    assert_int_equal(sum.hits, 105); /* 47 without turns */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(one_waits_beside_another), HAND_CASE(turns_follow_each_other), HAND_CASE(even_half_comes_first),
        HAND_CASE(before_arrival),           HAND_CASE(arrivals_enter_at_once),  HAND_CASE(next_in_connection_follows),
        HAND_CASE(wait_is_explained),        HAND_CASE(analyses_have_turns),     cmocka_unit_test(as_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
