/* Jobs that are late, and meet others. For each system there is an execution as a workload of its own, in which some
 * job is released as late as it may be, together with another that the file has before it. No method may say less than
 * it shows. */
#include <stdio.h>
#include <string.h>

#include "analyze/witness/witness.h"
#include "gridcast/analyze.h"
#include "gridcast/read.h"
#include "gridcast/simulate.h"
#include "support/support.h"

#define FOLDER SOURCE_DIR "/tests/data/late/"

static gcast_workload *read_system(const char *name, const char *ending)
{
    gcast_error err;
    gcast_workload *w;
    char path[512];
    snprintf(path, sizeof path, "%s%s%s.json", FOLDER, name, ending);
    assert_ok(gcast_workload_load(path, NULL, &w, &err), &err);
    return w;
}

/* Which op of the system an op of the execution stands for: labels are those of the system, with the job's number. */
static size_t op_of(const gcast_workload *w, const char *label)
{
    size_t length = strcspn(label, "#");
    for (size_t i = 0; i < w->op_count; i++)
        if (strlen(w->ops[i].label) == length && strncmp(w->ops[i].label, label, length) == 0)
            return i;
    fail_msg("%s is not an op of the system", label);
    return 0;
}

static void check_execution(const gcast_analysis *a, const gcast_workload *w, const gcast_workload *executed)
{
    gcast_error err;
    gcast_run *run;
    assert_ok(gcast_workload_simulate(executed, NULL, NULL, &run, &err), &err);
    for (size_t i = 0; i < run->op_count; i++)
        for (size_t k = 0; k < a->response_count; k++) {
            const gcast_response *r = &a->responses[k];
            int64_t ns = gcast_response_ns(&run->ops[i]);
            if (op_of(w, executed->ops[run->ops[i].op].label) == r->op && (ns < r->best_ns || ns > r->worst_ns))
                fail_msg("%s takes %lld ns, said %lld to %lld", executed->ops[run->ops[i].op].label, (long long)ns,
                         (long long)r->best_ns, (long long)r->worst_ns);
        }
    gcast_run_free(run);
}

/* Also counts answers of a search that merges states. */
static int check_methods(const char *name)
{
    int coarse = 0;
    gcast_error err;
    gcast_workload *w = read_system(name, ""), *executed = read_system(name, "-executed");
    for (int n = 0; n < 3; n++) {
        gcast_analyze_options options = gcast_analyze_options_default();
        gcast_analysis *a;
        options.max_ms = 1000000000;
        options.coarse = n == 2;
        assert_ok(gcast_workload_analyze(w, NULL, n ? GCAST_METHOD_EXPLORE : GCAST_METHOD_BOUND, &options, &a, &err),
                  &err);
        assert_true(a->complete || options.coarse);
        if (a->complete)
            check_execution(a, w, executed);
        coarse += options.coarse && a->complete;
        gcast_analysis_free(a);
    }
    gcast_workload_free(w);
    gcast_workload_free(executed);
    return coarse;
}

static void late_job_comes_after_one_released_with_it(void **state)
{
    (void)state;
    assert_int_equal(check_methods("tie") + check_methods("copies") + check_methods("after-copies"), 2);
}

/* The search sees B late by its jitter, together with the next A, which goes first; and a nanosecond before it. */
static void search_lets_late_jobs_meet(void **state)
{
    (void)state;
    gcast_error err;
    gcast_witness *seen;
    gcast_workload *w = read_system("tie", "");
    assert_ok(gcast_workload_witness(w, NULL, NULL, &seen, &err), &err);
    assert_int_equal(seen->seen_ns[0], 5999999);
    assert_int_equal(seen->seen_ns[1], 6000000);
    gcast_witness_free(seen);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(late_job_comes_after_one_released_with_it),
                                       cmocka_unit_test(search_lets_late_jobs_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
