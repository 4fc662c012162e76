/* Host threads whose barriers come in any order, so that many wait for each other for ever:
 * where an execution never ends, no analysis may say how long an operation takes, and no advice
 * be given. And what is said to wait for ever does so in every execution. GRIDCAST_PROPERTY_RUNS
 * sets how many systems (default 4000). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/advice.h"
#include "property/compare.h"
#include "property/generate.h"
#include "property/oracle.h"
#include "support/builders.h"

#define HOSTS 4
#define EXECUTIONS 8

typedef struct tally {
    uint64_t systems, never, by_times, bounded;
} tally;

static gcast_kind random_kind(support_random *r)
{
    return (gcast_kind)one_of(r, GCAST_KIND_BARRIER, GCAST_KIND_BARRIER, GCAST_KIND_BARRIER, GCAST_KIND_KERNEL,
                              GCAST_KIND_KERNEL, GCAST_KIND_SYNC, GCAST_KIND_MALLOC);
}

static void add_op(support_random *r, gcast_workload *w, int number, bool ranges, int skips)
{
    gcast_error err;
    char label[16];
    gcast_op op = gcast_op_default(random_kind(r));
    snprintf(label, sizeof label, "op%d", number);
    op.label = label;
    op.host = percent(r, 92) ? (int)support_between(r, 0, (int64_t)w->host_count - 1) : GCAST_NO_HOST;
    op.stream = op.kind == GCAST_KIND_KERNEL ? (int)support_between(r, 0, 1) : -1;
    op.barrier = (int)one_of(r, INT32_MAX, 7, 1, 0, 0);
    op.release_ns = percent(r, 80) ? 0 : one_of(r, 5, 20, 40);
    op.delay_ns = percent(r, 80) ? 0 : one_of(r, 5, 10);
    op.skip_ns = percent(r, skips) ? one_of(r, 0, 10, 20, 30, 50) : GCAST_NEVER;
    op.host_waits = percent(r, 50);
    op.block[0] = op.grid[0] = 1;
    op.min_ns = op.max_ns = one_of(r, 5, 10, 20);
    op.max_ns += ranges ? one_of(r, 0, 10, 40) : 0;
    assert_true(support_add_op(w, &op, &err) >= 0);
}

static gcast_workload *random_hosts(support_random *r, gcast_gpu *gpu)
{
    gcast_error err;
    gcast_workload *w = support_workload("barriers", &err);
    bool ranges = percent(r, 60);
    int ops = (int)support_between(r, 2, 10), skips = ranges && percent(r, 50) ? 40 : 5;
    assert_non_null(w);
    for (int i = 1; i <= 2; i++)
        assert_true(support_get_stream(w, i, &err) == i - 1);
    for (int64_t i = 0, n = support_between(r, 1, HOSTS); i < n; i++)
        assert_true(support_add_host(w, "host", &err) == i);
    for (int i = 0; i < ops; i++)
        add_op(r, w, i, ranges, skips);
    gcast_workload_set_gpu(w, gpu);
    assert_ok(gcast_workload_check(w, &err), &err);
    return w;
}

/* One execution; the oracle must come to the same end. */
static bool ends(const gcast_workload *w, support_random *r)
{
    gcast_error err, other;
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run = NULL;
    oracle_result oracle;
    options.durations = (gcast_durations)one_of(r, GCAST_DURATIONS_MAX, GCAST_DURATIONS_MIN, GCAST_DURATIONS_RANDOM);
    options.seed = support_next(r);
    gcast_status status = gcast_workload_simulate(w, NULL, &options, &run, &err);
    gcast_status slow = oracle_run(w, NULL, &options, &oracle, &other);
    if (slow != status)
        fprintf(stderr, "%s, the oracle: %s\n", status == GCAST_OK ? "it ends" : err.message,
                slow == GCAST_OK ? "it ends" : other.message);
    assert_int_equal(slow, status);
    if (status == GCAST_OK) {
        char difference[1024] = "";
        if (!compare_runs(run, &oracle, difference, sizeof difference))
            fail_msg("%s", difference);
        gcast_run_free(run);
        oracle_free(&oracle);
        return true;
    }
    assert_int_equal(status, GCAST_INPUT);
    assert_non_null(strstr(err.message, "never ends"));
    return false;
}

static void nothing_is_advised(const gcast_workload *w)
{
    gcast_error err;
    gcast_advice *a;
    assert_ok(gcast_workload_advise(w, NULL, NULL, &a, &err), &err);
    assert_non_null(a->sensitivity->why_not);
    assert_non_null(a->levels->why_not);
    assert_false(a->levels->found);
    gcast_advice_free(a);
}

/* Does some method know a worst time? *never_ends: one says that an op never ends. */
static bool has_answer(const gcast_workload *w, bool *never_ends)
{
    bool answered = false;
    *never_ends = false;
    for (int m = 0; m < GCAST_METHODS; m++) {
        gcast_error err;
        gcast_analysis *a;
        if (gcast_workload_analyze(w, NULL, (gcast_method)m, NULL, &a, &err) != GCAST_OK) {
            assert_non_null(strstr(err.message, "never ends"));
            *never_ends = true;
            continue;
        }
        for (size_t i = 0; i < a->response_count; i++)
            answered = answered || (a->responses[i].worst_ns != GCAST_NO_BOUND && !a->responses[i].never_called);
        gcast_analysis_free(a);
    }
    return answered;
}

static void attack(uint64_t seed, tally *t)
{
    support_random r = {seed * 0x9e3779b97f4a7c15 + 1};
    gcast_error err;
    gcast_gpu *gpu = support_gpu("two", 6, 2, 2, &err);
    int ended = 0;
    bool never_ends;
    assert_non_null(gpu);
    gcast_workload *w = random_hosts(&r, gpu);
    bool answered = has_answer(w, &never_ends);
    for (int i = 0; i < EXECUTIONS; i++)
        ended += ends(w, &r);
    if ((answered && ended < EXECUTIONS) || (never_ends && ended)) {
        fprintf(stderr, "seed %" PRIu64 ": %d of %d executions end\n", seed, ended, EXECUTIONS);
        dump_workload(stderr, &(generated){.workload = w});
        fail();
    }
    if (ended < EXECUTIONS)
        nothing_is_advised(w);
    t->systems++;
    t->never += ended == 0;
    t->by_times += ended && ended < EXECUTIONS;
    t->bounded += answered;
    gcast_workload_free(w);
}

static void what_never_ends_has_no_response(void **state)
{
    (void)state;
    uint64_t runs = support_runs(4000);
    tally t = {0};
    assert_true(runs > 0);
    for (uint64_t seed = 1; seed <= runs; seed++)
        attack(seed, &t);
    printf("%" PRIu64 " systems, %" PRIu64 " never end, %" PRIu64 " by their times, %" PRIu64 " with an answer\n",
           t.systems, t.never, t.by_times, t.bounded);
    assert_true(runs < 1000 ||
                (t.never * 10 > t.systems && t.by_times * 1000 > t.systems && t.bounded * 10 > t.systems));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_never_ends_has_no_response)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
