/* The bound against every recorded run: no kernel or copy of an H200 was slower.
 *
 * A run is bounded as it was: calls are its releases, blocks and copies take what they took.
 * What is left to the bound is who waits for whom. Three things of a real run are not in the
 * model. The clocks of host and GPU are tied to each other within an interval only: a response
 * counts to the latest end that this allows. Calls take longer at times: operations that were
 * called when all before them had ended, and so waited for nothing, started up to 92
 * microseconds after their call, in one run 363. So the latency is taken as 100, or as what
 * the run's own took. And blocks that should start together scatter by the GPU's noise. */
#include "support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/each_file.h"

#define LEAST_LATENCY 100000

static int64_t latency_of(const gcast_run *run)
{
    int64_t longest = LEAST_LATENCY;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool waited = false;
        for (size_t j = 0; j < run->op_count; j++)
            waited =
                waited || (run->ops[j].call_ns < o->call_ns && run->ops[j].end_ns + run->gpu_zero_hi_ns > o->call_ns);
        int64_t ns = o->start_ns + run->gpu_zero_hi_ns - o->call_ns;
        longest = !waited && ns > longest ? ns : longest;
    }
    return longest;
}

static int64_t took(const gcast_run_op *o)
{
    int64_t longest = o->end_ns - o->start_ns;
    return longest > 0 ? longest : 1;
}

static void add_as_run(gcast_workload *to, const gcast_op *from, const gcast_run_op *o)
{
    gcast_error err;
    gcast_op op = *from;
    int64_t *block_ns = NULL;
    op.release_ns = o->call_ns;
    if (op.kind == GCAST_KIND_KERNEL) {
        assert_non_null(o->blocks);
        op.block_ns = block_ns = malloc(o->block_count * sizeof *block_ns);
        assert_non_null(block_ns);
        for (uint64_t i = 0; i < o->block_count; i++)
            block_ns[i] = o->blocks[i].end_ns - o->blocks[i].start_ns;
    } else {
        op.min_ns = op.max_ns = took(o);
    }
    assert_true(gcast_workload_add_op(to, &op, &err) >= 0);
    free(block_ns);
}

static gcast_workload *as_run(const gcast_workload *w, const gcast_run *run)
{
    gcast_error err;
    gcast_workload *to = gcast_workload_create(w->name, &err);
    assert_non_null(to);
    gcast_workload_set_partition(to, w->partition_sms);
    gcast_workload_set_connections(to, w->connections);
    for (size_t i = 0; i < w->stream_count; i++)
        assert_true(gcast_workload_add_stream(to, w->streams[i], &err) >= 0);
    for (size_t i = 0; i < w->op_count; i++)
        add_as_run(to, &w->ops[i], &run->ops[i]);
    return to;
}

static struct {
    size_t runs, bounded, operations, late;
    uint64_t ratios[2001]; /* hundredths that the bound is of the response */
} seen;

static void check_run(const gcast_workload *w, gcast_gpu *gpu, const gcast_run *run)
{
    gpu->launch_latency_ns = gpu->copy_latency_ns = latency_of(run);
    gcast_error err;
    gcast_analysis *a;
    gcast_workload *as_it_was = as_run(w, run);
    assert_ok(gcast_analyze(as_it_was, gpu, GCAST_METHOD_BOUND, NULL, &a, &err), &err);
    seen.runs++;
    seen.bounded += a->complete;
    for (size_t i = 0; i < a->response_count && a->complete; i++) {
        const gcast_run_op *o = &run->ops[a->responses[i].op];
        int64_t response = o->end_ns + run->gpu_zero_hi_ns - o->call_ns;
        int64_t ratio = a->responses[i].worst_ns * 100 / response;
        seen.ratios[ratio < 2000 ? ratio : 2000]++;
        seen.operations++;
        if (response <= a->responses[i].worst_ns + gpu->noise_ns)
            continue;
        printf("%s, %s: %" PRId64 " ns, the bound is %" PRId64 "\n", w->name, w->ops[o->op].label, response,
               a->responses[i].worst_ns);
        seen.late++;
    }
    gcast_analysis_free(a);
    gcast_workload_free(as_it_was);
}

static void check_file(const char *path)
{
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s;
    char *full = joined(SOURCE_DIR, path);
    assert_ok(gcast_corpus_open(full, &corpus, &err), &err);
    while (gcast_corpus_next(corpus, &s, &err) == GCAST_OK && s) {
        gcast_gpu *gpu = gcast_gpu_copy(s->workload->gpu, &err);
        assert_non_null(gpu);
        for (size_t i = 0; i < s->run_count; i++)
            check_run(s->workload, gpu, s->runs[i]);
        gcast_gpu_free(gpu);
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
    free(full);
}

static double ratio_at(size_t percent)
{
    size_t below = 0;
    for (size_t i = 0; i < sizeof seen.ratios / sizeof *seen.ratios; i++)
        if ((below += seen.ratios[i]) * 100 >= seen.operations * percent)
            return (double)i / 100;
    return 0;
}

static void no_run_is_slower(void **state)
{
    (void)state;
    assert_int_equal(each_file("tests/data/h200", ".jsonl.gz", check_file), 22);
    printf("%zu runs, %zu with a bound, %zu operations, %zu slower\n", seen.runs, seen.bounded, seen.operations,
           seen.late);
    printf("bound over response: median %.2f, 95th percentile %.2f\n", ratio_at(50), ratio_at(95));
    assert_int_equal(seen.runs, 858);
    assert_int_equal(seen.bounded, seen.runs);
    assert_int_equal(seen.late, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_run_is_slower)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
