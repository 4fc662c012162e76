/* How kernels were launched: clusters, cooperative and programmatic launches; told, and inferred from times. */
#include <string.h>

#include "gridcast/simulate.h"
#include "support/small_trace.h"

#define GPU "h200"

static int64_t launch(prof_trace *t, int64_t start_ns)
{
    return small_call(t, 7, "cudaLaunchKernelExC", start_ns, start_ns + 1000);
}

/* A kernel of 256 threads a block. */
static prof_op kernel(uint32_t blocks, int64_t start_ns, int64_t end_ns)
{
    prof_op op = prof_op_untold(GCAST_KIND_KERNEL);
    op.grid[0] = blocks;
    op.block[0] = 256;
    op.grid[1] = op.grid[2] = op.block[1] = op.block[2] = 1;
    op.start_ns = start_ns;
    op.end_ns = end_ns;
    return op;
}

static small_made make_one(const char *gpu, const char *name, prof_op op)
{
    prof_trace *t = small_trace();
    small_op_of(t, 5, launch(t, 0), name, op);
    return small_make(t, gpu, prof_make_options_default());
}

static void test_clusters(void **state)
{
    (void)state;
    prof_op op = kernel(264, 3000, 33000);
    op.cluster[0] = 4;
    op.cluster[1] = op.cluster[2] = 1;
    small_made m = make_one(GPU, "a", op);
    const gcast_op *a = small_op(m.made.workload, "a");
    assert_int_equal(a->cluster[0] * a->cluster[1] * a->cluster[2], 4);
    assert_int_equal(small_found(&m, "clusters"), 0);
    small_made_free(&m);
    m = make_one("sms:132 cc:9.0", "a", op); /* without GPCs */
    assert_int_equal(small_op(m.made.workload, "a")->cluster[0], 1);
    assert_int_equal(small_found(&m, "without known GPCs"), 1);
    small_made_free(&m);
    op.cluster[0] = 5; /* not of this grid */
    m = make_one(GPU, "a", op);
    assert_int_equal(small_op(m.made.workload, "a")->cluster[0], 1);
    small_made_free(&m);
}

/* Clusters of 16 blocks run only in GPCs of 16 SMs or more: waves are counted in clusters. */
static void test_cluster_waves(void **state)
{
    (void)state;
    prof_op op = kernel(132 * 2, 3000, 103000);
    op.block[0] = 1024; /* two blocks an SM, which clusters of 16 do not fill */
    op.registers = 32;
    op.cluster[0] = op.cluster[1] = op.cluster[2] = 1;
    small_made m = make_one(GPU, "a", op);
    assert_int_equal(small_op(m.made.workload, "a")->max_ns, 100000); /* one wave */
    small_made_free(&m);
    op.grid[0] = 16 * 16;
    op.cluster[0] = 16;
    m = make_one(GPU, "a", op);
    assert_int_equal(small_op(m.made.workload, "a")->cluster[0], 16);
    assert_true(small_op(m.made.workload, "a")->max_ns < 60000); /* more than one */
    small_made_free(&m);
}

/* Names may tell of clusters where the profile does not: that is said, and none are made up. */
static void test_cluster_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t count;
    } names[] = {{"cutlass3x_sm90_tensorop_s64x128x16gemm_128x128x64_2x1x1_0_tnt", 1},
                 {"cutlass_80_tensorop_128x128_32x5_tn", 0},
                 {"cutlass3x_sm90_128x128x64_1x1x1_0", 0},
                 {"cutlass_16x16x16_", 0},
                 {"cudnn_generated_sdpa_64x128x64_4x1x1_cga1x1x1_kernel0_0", 0},
                 {"cudnn_generated_sdpa_64x128x64_4x1x1_cga2x1x1_kernel0_0", 1},
                 {"other_2x1x1_", 0},
                 {"cga", 0},
                 {"cga2x", 0}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        small_made m = make_one(GPU, names[i].name, kernel(8, 3000, 33000));
        assert_int_equal(small_found(&m, "with a name that suggests clusters"), names[i].count);
        assert_int_equal(m.made.workload->ops[0].cluster[0], 1);
        small_made_free(&m);
    }
}

static void test_cooperative(void **state)
{
    (void)state;
    prof_op op = kernel(132 * 8, 3000, 33000);
    op.is_cooperative = true;
    small_made m = make_one(GPU, "a", op);
    assert_true(small_op(m.made.workload, "a")->cooperative);
    assert_true(small_op(m.made.recorded, "a")->cooperative);
    small_made_free(&m);
    op.grid[0]++; /* one more than fit */
    m = make_one(GPU, "a", op);
    assert_false(small_op(m.made.workload, "a")->cooperative);
    assert_int_equal(small_found(&m, "whose blocks do not all fit"), 1);
    small_made_free(&m);
}

/* b starts 30 us before the end of a, and ends after it. */
static prof_trace *pair(bool is_told, int64_t b_start_ns, int64_t b_end_ns)
{
    prof_trace *t = small_trace();
    int64_t a = launch(t, 0), b = launch(t, 2000);
    prof_op second = kernel(8, b_start_ns, b_end_ns);
    second.is_programmatic = is_told;
    small_op_of(t, 5, a, "a", kernel(8, 3000, 103000));
    small_op_of(t, 5, b, "b", second);
    return t;
}

/* Starts and ends of the replay are those of the recording. */
static void assert_replayed(const small_made *m)
{
    gcast_run *run;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(gcast_workload_simulate(m->made.workload, m->gpu, &options, &run, &err), &err);
    for (size_t i = 0; i < run->op_count; i++) {
        assert_in_range(run->ops[i].start_ns - run->ops[0].start_ns + 64,
                        m->made.run->ops[i].start_ns - m->made.run->ops[0].start_ns,
                        m->made.run->ops[i].start_ns - m->made.run->ops[0].start_ns + 128);
        assert_in_range(run->ops[i].end_ns - run->ops[0].start_ns + 64,
                        m->made.run->ops[i].end_ns - m->made.run->ops[0].start_ns,
                        m->made.run->ops[i].end_ns - m->made.run->ops[0].start_ns + 128);
    }
    gcast_run_free(run);
}

static void test_programmatic(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        small_made m = small_make(pair(told, 73000, 120000), GPU, prof_make_options_default());
        const gcast_op *a = small_op(m.made.workload, "a"), *b = small_op(m.made.workload, "b");
        assert_true(b->programmatic && !a->programmatic);
        assert_int_equal(a->trigger_ns, 70000 - m.gpu->programmatic_gap_ns);
        assert_int_equal(a->max_ns, 100000);
        assert_int_equal(b->wait_ns, 0);
        assert_int_equal(b->max_ns, 17000 - m.gpu->programmatic_wait_ns);
        assert_int_equal(small_found(&m, "a programmatic launch is assumed"), told ? 0 : 1);
        assert_int_equal(small_found(&m, "beside others"), 0);
        assert_replayed(&m);
        small_made_free(&m);
    }
}

/* It ended before the other: it did not wait. */
static void test_without_wait(void **state)
{
    (void)state;
    small_made m = small_make(pair(true, 73000, 90000), GPU, prof_make_options_default());
    const gcast_op *b = small_op(m.made.workload, "b");
    assert_int_equal(b->wait_ns, GCAST_NEVER);
    assert_int_equal(b->max_ns, 17000);
    small_made_free(&m);
}

/* Told, but it started after the end: the other had not triggered before that. */
static void test_not_early(void **state)
{
    (void)state;
    small_made m = small_make(pair(true, 103860, 120000), GPU, prof_make_options_default());
    const gcast_op *a = small_op(m.made.workload, "a"), *b = small_op(m.made.workload, "b");
    assert_true(b->programmatic);
    assert_int_equal(a->trigger_ns, GCAST_NEVER);
    assert_int_equal(b->wait_ns, GCAST_NEVER);
    assert_replayed(&m);
    small_made_free(&m);
    m = small_make(pair(false, 102950, 120000), GPU, prof_make_options_default()); /* 50 ns are no overlap */
    assert_false(small_op(m.made.workload, "b")->programmatic);
    small_made_free(&m);
}

/* The first kernel of a stream, or one behind a copy, may be launched so, too. */
static void test_first(void **state)
{
    (void)state;
    prof_op op = kernel(8, 3000, 33000);
    op.is_programmatic = true;
    small_made m = make_one(GPU, "a", op);
    assert_true(small_op(m.made.workload, "a")->programmatic);
    assert_replayed(&m);
    small_made_free(&m);
}

/* A GPU before 9.0 has no such launches. */
static void test_impossible(void **state)
{
    (void)state;
    small_made m = small_make(pair(false, 73000, 120000), "sms:4 cc:8.0", prof_make_options_default());
    assert_false(small_op(m.made.workload, "b")->programmatic);
    assert_int_equal(small_found(&m, "which this GPU cannot"), 1);
    small_made_free(&m);
    m = small_make(pair(true, 104000, 120000), "sms:4 cc:8.0", prof_make_options_default());
    assert_false(small_op(m.made.workload, "b")->programmatic);
    assert_int_equal(small_found(&m, "which this GPU does not support"), 1);
    small_made_free(&m);
}

/* Three in a row, each before the end of the one before; and b ran alone in 25 us, of which 10 came before the wait. */
static void test_chain(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t calls[4];
    for (int i = 0; i < 4; i++)
        calls[i] = launch(t, i * 2000);
    small_op_of(t, 5, calls[0], "b", kernel(8, 10000, 35000));
    small_op_of(t, 5, calls[1], "a", kernel(8, 40000, 103000));
    small_op_of(t, 5, calls[2], "b", kernel(8, 73000, 118700));
    small_op_of(t, 5, calls[3], "c", kernel(8, 113000, 140000));
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_op *b = small_op(m.made.workload, "b#2"), *c = small_op(m.made.workload, "c");
    assert_int_equal(b->max_ns, 25000);
    assert_int_equal(b->wait_ns, 10000);
    assert_int_equal(b->trigger_ns, 10000 + 113000 - m.gpu->programmatic_gap_ns - 103700); /* beyond the wait */
    assert_true(c->programmatic);
    assert_int_equal(small_found(&m, "a programmatic launch is assumed"), 2);
    gcast_run *run;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(gcast_workload_simulate(m.made.workload, m.gpu, &options, &run, &err), &err);
    int64_t zero = run->ops[1].start_ns - 40000;
    assert_in_range(run->ops[2].start_ns - zero, 72900, 73100);
    assert_in_range(run->ops[2].end_ns - zero, 118600, 118800);
    assert_in_range(run->ops[3].start_ns - zero, 112900, 113100);
    assert_in_range(run->ops[3].end_ns - zero, 139900, 140100);
    gcast_run_free(run);
    small_made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clusters),    cmocka_unit_test(test_cluster_waves), cmocka_unit_test(test_cluster_names),
        cmocka_unit_test(test_cooperative), cmocka_unit_test(test_programmatic),  cmocka_unit_test(test_without_wait),
        cmocka_unit_test(test_not_early),   cmocka_unit_test(test_impossible),    cmocka_unit_test(test_chain),
        cmocka_unit_test(test_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
