/* The bound against recorded runs: no kernel or copy of an H200 was slower. Runs are bounded as support/recorded.h
 * gives them; the bound only has to find which operation waits for which. */
#include "support/builders.h"
#include "support/recorded.h"
#include "support/support.h"

#define RUN_STEP 12 /* one of so many runs is compared */

static recorded_tally tally;

static void check_run(const gcast_workload *w, const gcast_run *run)
{
    static size_t run_count;
    if (run_count++ % RUN_STEP)
        return;
    gcast_error err;
    gcast_analysis *a;
    gcast_workload *as_it_was = recorded_workload(w, run, RECORDED_ONCE);
    gcast_gpu *gpu = support_gpu_copy(w->gpu, &err);
    assert_non_null(gpu);
    gpu->launch_latency_ns = gpu->copy_latency_ns = recorded_latency(as_it_was, gpu, run);
    gpu->launch_quantiles.samples = gpu->copy_quantiles.samples = 0; /* all calls take that long */
    assert_ok(gcast_workload_analyze(as_it_was, gpu, GCAST_METHOD_BOUND, NULL, &a, &err), &err);
    recorded_compare(&tally, w, run, a, 0);
    gcast_analysis_free(a);
    gcast_gpu_free(gpu);
    gcast_workload_free(as_it_was);
}

static void no_run_is_slower(void **state)
{
    (void)state;
    recorded_each(check_run);
    recorded_print(&tally);
    assert_int_equal(tally.runs, (3790 + RUN_STEP - 1) / RUN_STEP);
    assert_int_equal(tally.covered, tally.runs);
    assert_int_equal(tally.slower, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_run_is_slower)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
