/* The bound against every recorded run: no kernel or copy of an H200 was slower.
 *
 * A run is bounded as it was: calls are its releases, blocks and copies take what they took.
 * What is left to the bound is who waits for whom. Three things of a real run are not in the
 * model. The clocks: GPU times are 20 microseconds or more late on the host's clock in these
 * files, so that responses are counted longer than they were. Calls that take longer at times,
 * up to 154 microseconds so counted, 363 in one run: the latency is taken as the longest from
 * call to start in the run, of those that by the simulation wait for nothing, and as 60 at
 * least. And that gap, hand-over and switch of the preset are typical times, not the longest:
 * what the latency is taken too long, and the GPU's noise, must cover that. */
#include "support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/each_file.h"

#define LEAST_LATENCY 60000

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

static int64_t latency_of(const gcast_workload *as_it_was, const gcast_gpu *gpu, const gcast_run *run)
{
    gcast_error err;
    gcast_run *simulated;
    int64_t longest = LEAST_LATENCY;
    assert_ok(gcast_simulate(as_it_was, gpu, NULL, &simulated, &err), &err);
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t ns = run->ops[i].start_ns - run->ops[i].call_ns;
        if (simulated->ops[i].start_ns == simulated->ops[i].arrive_ns && ns > longest)
            longest = ns;
    }
    gcast_run_free(simulated);
    return longest;
}

static struct {
    size_t runs, bounded, operations, late;
    uint64_t ratios[2001]; /* hundredths that the bound is of the response */
} seen;

static void check_run(const gcast_workload *w, const gcast_run *run)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_workload *as_it_was = as_run(w, run);
    gcast_gpu *gpu = gcast_gpu_copy(w->gpu, &err);
    assert_non_null(gpu);
    gpu->launch_latency_ns = gpu->copy_latency_ns = latency_of(as_it_was, gpu, run);
    assert_ok(gcast_analyze(as_it_was, gpu, GCAST_METHOD_BOUND, NULL, &a, &err), &err);
    seen.runs++;
    seen.bounded += a->complete;
    for (size_t i = 0; i < a->response_count && a->complete; i++) {
        const gcast_run_op *o = &run->ops[a->responses[i].op];
        int64_t response = o->end_ns - o->call_ns;
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
    gcast_gpu_free(gpu);
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
        for (size_t i = 0; i < s->run_count; i++)
            check_run(s->workload, s->runs[i]);
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
