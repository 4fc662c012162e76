#include "support/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/scenario.h"
#include "support/builders.h"
#include "support/each_file.h"
#include "support/support.h"

#define MIN_LATENCY 60000
#define ONCE (INT64_C(1) << 40) /* a period with one job in it */

static int64_t took(const gcast_run_op *o)
{
    int64_t longest = o->end_ns - o->start_ns;
    return longest > 0 ? longest : 1;
}

static void add_as_run(gcast_workload *to, const gcast_op *from, const gcast_run_op *o, int64_t late)
{
    gcast_error err;
    gcast_op op = *from;
    int64_t *block_ns = NULL;
    if (late == RECORDED_ONCE) {
        op.release_ns = o->call_ns;
    } else {
        gcast_task task = {
            .name = "once", .stream = op.stream, .offset_ns = o->call_ns, .period_ns = ONCE, .jitter_ns = late};
        assert_true(support_add_task(to, &task, &err) >= 0);
        op.release_ns = 0;
    }
    if (op.kind == GCAST_KIND_KERNEL) {
        assert_non_null(o->blocks);
        op.block_ns = block_ns = malloc(o->block_count * sizeof *block_ns);
        assert_non_null(block_ns);
        for (uint64_t i = 0; i < o->block_count; i++)
            block_ns[i] = o->blocks[i].end_ns - o->blocks[i].start_ns;
    } else {
        op.min_ns = op.max_ns = took(o);
    }
    assert_true(support_add_op(to, &op, &err) >= 0);
    free(block_ns);
}

gcast_workload *recorded_workload(const gcast_workload *w, const gcast_run *run, int64_t late)
{
    gcast_error err;
    gcast_workload *to = support_workload(w->name, &err);
    assert_non_null(to);
    gcast_workload_set_partition(to, w->partition_sms);
    gcast_workload_set_connections(to, w->connections);
    for (size_t i = 0; i < w->stream_count; i++)
        assert_true(support_add_stream(to, w->streams[i], &err) >= 0);
    for (size_t i = 0; i < w->op_count; i++)
        add_as_run(to, &w->ops[i], &run->ops[i], late);
    return to;
}

int64_t recorded_latency(const gcast_workload *original, const gcast_gpu *gpu, const gcast_run *run)
{
    gcast_error err;
    gcast_run *simulated;
    int64_t longest = MIN_LATENCY;
    assert_ok(gcast_workload_simulate(original, gpu, NULL, &simulated, &err), &err);
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t ns = run->ops[i].start_ns - run->ops[i].call_ns;
        if (simulated->ops[i].start_ns == simulated->ops[i].arrive_ns && ns > longest)
            longest = ns;
    }
    gcast_run_free(simulated);
    return longest;
}

static void (*check_one)(const gcast_workload *w, const gcast_run *run);

static void check_file(const char *path)
{
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s;
    char *corpus_path = joined(SOURCE_DIR, path);
    assert_ok(gcast_corpus_open(corpus_path, &corpus, &err), &err);
    while (gcast_corpus_next(corpus, &s, &err) == GCAST_OK && s) {
        for (size_t i = 0; i < s->run_count; i++)
            check_one(s->workload, s->runs[i]);
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
    free(corpus_path);
}

void recorded_each(void (*check)(const gcast_workload *w, const gcast_run *run))
{
    check_one = check;
    assert_int_equal(each_file("tests/data/h200", ".jsonl.gz", check_file), 22);
    assert_int_equal(each_file("tests/data/h200-other", ".jsonl.gz", check_file), 9);
    assert_int_equal(each_file("tests/data/h200-turns", ".jsonl.gz", check_file), 1);
    assert_int_equal(each_file("tests/data/h200-new", ".jsonl.gz", check_file), 1);
}

void recorded_compare(recorded_tally *t, const gcast_workload *w, const gcast_run *run, const gcast_analysis *a,
                      int64_t more)
{
    t->runs++;
    t->covered += a->complete;
    for (size_t i = 0; i < a->response_count && a->complete; i++) {
        const gcast_run_op *o = &run->ops[a->responses[i].op];
        int64_t response = o->end_ns - o->call_ns, bound = a->responses[i].worst_ns + more;
        int64_t ratio = bound * 100 / response;
        t->ratios[ratio < 2000 ? ratio : 2000]++;
        t->operations++;
        if (response <= bound)
            continue;
        t->slower++;
        printf("%s, %s: %" PRId64 " ns, said is %" PRId64 "\n", w->name, w->ops[o->op].label, response, bound);
    }
}

static double ratio_at(const recorded_tally *t, size_t percent)
{
    size_t below = 0;
    for (size_t i = 0; i < sizeof t->ratios / sizeof *t->ratios; i++)
        if ((below += t->ratios[i]) * 100 >= t->operations * percent)
            return (double)i / 100;
    return 0;
}

void recorded_print(const recorded_tally *t)
{
    printf("%zu runs, %zu covered, %zu operations, %zu slower\n", t->runs, t->covered, t->operations, t->slower);
    printf("said over response: median %.2f, 95th percentile %.2f\n", ratio_at(t, 50), ratio_at(t, 95));
}
