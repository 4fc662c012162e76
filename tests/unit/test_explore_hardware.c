/* Method explore against every recorded run that it covers: no kernel or copy of an H200 was
 * slower. Runs are as support/recorded.h has them, but for the latency: explore follows the order of arrivals, and
 * calls of a real run do not all take equally long. So each arrives at any time from its call to the latency after it,
 * and that much is added to its response. */
#include "support/recorded.h"
#include "support/support.h"

#define HORIZON (INT64_C(1) << 40)
#define NO_HURRY 1000000000

static recorded_tally tally;

static void check_run(const gcast_workload *w, const gcast_run *run)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_defaults();
    gcast_gpu *gpu = gcast_gpu_copy(w->gpu, &err);
    assert_non_null(gpu);
    gcast_workload *once = recorded_workload(w, run, RECORDED_ONCE);
    int64_t latency = recorded_latency(once, gpu, run);
    gcast_workload *late = recorded_workload(w, run, latency);
    gpu->launch_latency_ns = gpu->copy_latency_ns = 0;
    options.horizon_ns = HORIZON;
    options.most_ms = NO_HURRY;
    assert_ok(gcast_analyze(late, gpu, GCAST_METHOD_EXPLORE, &options, &a, &err), &err);
    recorded_compare(&tally, w, run, a, latency);
    gcast_analysis_free(a);
    gcast_workload_free(once);
    gcast_workload_free(late);
    gcast_gpu_free(gpu);
}

static void no_run_is_slower(void **state)
{
    (void)state;
    recorded_each(check_run);
    recorded_print(&tally);
    assert_int_equal(tally.runs, 2092);
    assert_int_equal(tally.covered, 258);
    assert_int_equal(tally.slower, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_run_is_slower)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
