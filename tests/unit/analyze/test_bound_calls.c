/* The bound from the host's call against recorded runs: an analysis knows the workload, when its calls were made, and
 * the GPU's file with its quantiles of latencies, and nothing else of the run. Durations are the workload's. Ends are
 * taken as late on the host's clock as the clocks allow.
 * The file's latencies are those of one calibration, which is younger than these runs. Of all 3790 runs no operation is
 * late at its maximum, and at one in 1000 8 of 56,495 kernels are (gridcast verify --bound; docs/evidence.md). */
#include <stdio.h>

#include "support/builders.h"
#include "support/recorded.h"
#include "support/support.h"

#define RUN_STEP 17   /* one of so many runs is compared */
#define QUANTILE 1000 /* one call in so many may take longer */

/* Operations of one kind. */
typedef struct kind_tally {
    size_t count;         /* of those that have a bound */
    size_t late;          /* after the bound with the longest latencies of the GPU's file */
    size_t late_quantile; /* after the bound with latencies that one call in QUANTILE exceeds */
} kind_tally;

static size_t runs, open_runs;    /* those compared, and those of them without a bound */
static kind_tally kernels;        /* of runs without copies */
static kind_tally kernels_beside; /* of runs with copies, behind which they may wait */
static kind_tally copies;

/* Every op is released at its call. */
static gcast_workload *called_workload(const gcast_workload *w, const gcast_run *run)
{
    gcast_error err;
    gcast_workload *called = support_workload(w->name, &err);
    assert_non_null(called);
    gcast_workload_set_partition(called, w->partition_sms);
    gcast_workload_set_connections(called, w->connections);
    for (size_t i = 0; i < w->stream_count; i++)
        assert_true(support_add_stream(called, w->streams[i], &err) >= 0);
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = w->ops[i];
        op.release_ns = run->ops[i].call_ns;
        assert_true(support_add_op(called, &op, &err) >= 0);
    }
    return called;
}

static gcast_analysis *bound(const gcast_workload *w, const gcast_gpu *gpu, int64_t quantile)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.quantile = quantile;
    assert_ok(gcast_workload_analyze(w, gpu, GCAST_METHOD_BOUND, &options, &a, &err), &err);
    return a;
}

static bool has_copies(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            return true;
    return false;
}

static kind_tally *tally_of(const gcast_workload *w, size_t op)
{
    if (w->ops[op].kind != GCAST_KIND_KERNEL)
        return &copies;
    return has_copies(w) ? &kernels_beside : &kernels;
}

static void print_tally(const char *name, const kind_tally *t)
{
    printf("%s: %zu, late at the maximum %zu, at one in %d %zu\n", name, t->count, t->late, QUANTILE, t->late_quantile);
}

static void check_run(const gcast_workload *w, const gcast_run *run)
{
    static size_t run_count;
    if (run_count++ % RUN_STEP)
        return;
    gcast_workload *called = called_workload(w, run);
    gcast_analysis *longest = bound(called, w->gpu, 0), *rare = bound(called, w->gpu, QUANTILE);
    bool is_open = !longest->complete || !rare->complete;
    runs++;
    open_runs += is_open;
    for (size_t i = 0; i < longest->response_count && !is_open; i++) {
        const gcast_run_op *o = &run->ops[longest->responses[i].op];
        kind_tally *t = tally_of(w, o->op);
        int64_t response = o->end_ns + run->gpu_zero_hi_ns - o->call_ns;
        t->count++;
        t->late_quantile += response > rare->responses[i].worst_ns;
        if (response <= longest->responses[i].worst_ns)
            continue;
        t->late++;
        printf("%s, %s: %lld ns from its call, the bound is %lld\n", w->name, w->ops[o->op].label, (long long)response,
               (long long)longest->responses[i].worst_ns);
    }
    gcast_analysis_free(longest);
    gcast_analysis_free(rare);
    gcast_workload_free(called);
}

static void late_operations(void **state)
{
    (void)state;
    recorded_each(check_run);
    printf("%zu runs, %zu without a bound\n", runs, open_runs);
    print_tally("kernels of runs without copies", &kernels);
    print_tally("kernels of runs with copies", &kernels_beside);
    print_tally("copies", &copies);
    assert_true(runs >= 3790 / RUN_STEP);
    assert_int_equal(open_runs, 0);
    assert_int_equal(kernels.late + kernels_beside.late + copies.late, 0);
    assert_true((kernels.late_quantile + kernels_beside.late_quantile) * QUANTILE <=
                kernels.count + kernels_beside.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(late_operations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
