/* The queues of a run at a time: those that the RTSS 2017 paper shows for its figure 3, and of random runs what the
 * rules say about them, counted in another way. */
#include "property/generate.h"
#include "report/queue_rows.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* With all blocks; NULL where it cannot run. */
static gcast_run *run_of(const gcast_workload *w, const gcast_gpu *gpu, gcast_simulate_options options)
{
    gcast_error err;
    gcast_run *run = NULL;
    options.record_blocks = true;
    return gcast_workload_simulate(w, gpu, &options, &run, &err) == GCAST_OK ? run : NULL;
}

/* "K1 K4" of a row; an SM's have the number of blocks behind them. */
static void put(const queue_rows *q, queue_kind kind, int index, char *out, size_t size)
{
    *out = 0;
    for (size_t i = 0; i < q->rows.count; i++) {
        const queue_row *r = &q->rows.at[i];
        for (size_t k = 0; k < r->count && r->kind == kind && r->index <= index && index <= r->last; k++) {
            const queue_entry *e = &q->entries.at[r->first + k];
            const char *label = q->run->workload->ops[q->run->ops[e->run_op].op].label;
            size_t used = strlen(out);
            if (kind == QUEUE_SM || kind == QUEUE_EE)
                snprintf(out + used, size - used, "%s%s:%d", k ? ", " : "", label, (int)e->blocks);
            else
                snprintf(out + used, size - used, "%s%s", k ? ", " : "", label);
        }
    }
}

static void expect(const gcast_run *run, int64_t ms, const char *streams[3], const char *ee, const char *ce,
                   const char *copying, const char *sm)
{
    queue_rows q;
    char got[400];
    assert_true(queue_rows_make(run, ms * 1000000, &q));
    for (int i = 0; i < 3; i++) {
        put(&q, QUEUE_STREAM, i, got, sizeof got);
        assert_string_equal(got, streams[i]);
    }
    put(&q, QUEUE_EE, run->gpu->priority_levels - 1, got, sizeof got);
    assert_string_equal(got, ee);
    put(&q, QUEUE_CE, 0, got, sizeof got);
    assert_string_equal(got, ce);
    put(&q, QUEUE_COPYING, 0, got, sizeof got);
    assert_string_equal(got, copying);
    for (int i = 0; i < 2; i++) {
        put(&q, QUEUE_SM, i, got, sizeof got);
        assert_string_equal(got, sm);
    }
    queue_rows_free(&q);
}

#define STREAMS(...) ((const char *[3]){__VA_ARGS__})

static void figure_3(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w;
    gcast_gpu *gpu;
    gcast_read_options options = gcast_read_options_default();
    assert_ok(gcast_gpu_load("tx2", &gpu, &err), &err);
    options.gpu = gpu;
    assert_ok(
        gcast_workload_load(SOURCE_DIR "/tests/data/examiner/rtss_2017_fig3_bigexperiment.json", &options, &w, &err),
        &err);
    gcast_run *run = run_of(w, gpu, gcast_simulate_options_default());
    assert_non_null(run);
    expect(run, 0, STREAMS("K1, K2, K2: copy out, K3: copy in, K3, K3: copy out", "", ""), "K1:4", "", "", "K1:2");
    expect(run, 500, STREAMS("K1, K2, K2: copy out, K3: copy in, K3, K3: copy out", "K4", "K5, K5: copy out"),
           "K1:4, K4:0, K5:0", "", "", "K1:2");
    expect(run, 1000, STREAMS("K1, K2, K2: copy out, K3: copy in, K3, K3: copy out", "K4", "K5, K5: copy out"), "K5:0",
           "", "", "K1:1, K4:2");
    expect(run, 3010, STREAMS("K2: copy out, K3: copy in, K3, K3: copy out", "K6, K6: copy out", "K5: copy out"), "",
           "K2: copy out", "K5: copy out", "K6:1");
    expect(run, 9000, STREAMS("", "", ""), "", "", "", "");
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

static uint64_t resident_on(const gcast_run *run, int sm, int64_t t)
{
    uint64_t count = 0;
    for (size_t i = 0; i < run->op_count; i++)
        for (uint64_t b = 0; run->ops[i].blocks && b < run->ops[i].block_count; b++) {
            const gcast_block *block = &run->ops[i].blocks[b];
            count += (int)block->sm == sm && block->start_ns <= t && t < block->end_ns;
        }
    return count;
}

/* X1: only the head of an EE queue has dispatched blocks. C2: an engine has one copy at a time. G2, C1: what is in an
 * engine's queue is the head of its stream's. */
static void check_rules(const gcast_run *run, int64_t t)
{
    queue_rows q;
    size_t heads = 0, in_engines = 0;
    assert_true(queue_rows_make(run, t, &q));
    for (size_t i = 0; i < q.rows.count; i++) {
        const queue_row *r = &q.rows.at[i];
        const queue_entry *e = r->count ? &q.entries.at[r->first] : NULL;
        uint64_t blocks = 0;
        for (size_t k = 0; k < r->count; k++) {
            assert_true(r->kind != QUEUE_EE || k == 0 || e[k].blocks == 0);
            assert_true(r->kind != QUEUE_EE || e[k].blocks < run->ops[e[k].run_op].block_count);
            blocks += e[k].blocks;
        }
        heads += r->kind == QUEUE_STREAM && r->count;
        in_engines += r->kind == QUEUE_EE || r->kind == QUEUE_CE || r->kind == QUEUE_COPYING ? r->count : 0;
        assert_true(r->kind != QUEUE_COPYING || r->count <= 1);
        for (int sm = r->index; r->kind == QUEUE_SM && sm <= r->last; sm++)
            assert_int_equal(blocks, resident_on(run, sm, t));
    }
    assert_true(in_engines <= heads);
    queue_rows_free(&q);
}

static void rules_hold_in_random_runs(void **state)
{
    (void)state;
    int checked = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        generated g = generate(seed);
        gcast_run *run = run_of(g.workload, g.gpu, g.options);
        for (int i = 0; run && i < 20; i++, checked++)
            check_rules(run, run->end_ns * i / 20);
        if (run)
            gcast_run_free(run);
        generated_free(&g);
    }
    assert_true(checked > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3),
        cmocka_unit_test(rules_hold_in_random_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
