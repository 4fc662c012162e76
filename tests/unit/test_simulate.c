/* Published schedules, end to end through the library. */
#include "support/support.h"

#include <string.h>

typedef struct kernel {
    const char *label;
    int blocks, threads;
    int64_t ms;
} kernel;

static const kernel K1 = {"K1", 2, 512, 4}, K2 = {"K2", 7, 512, 6}, K3 = {"K3", 2, 512, 6}, K4 = {"K4", 5, 512, 5};

static void add(gcast_workload *w, kernel k, int stream)
{
    gcast_error err;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = k.label;
    op.stream = gcast_workload_stream(w, stream, &err);
    op.grid[0] = (uint32_t)k.blocks;
    op.block[0] = (uint32_t)k.threads;
    op.min_ns = op.max_ns = k.ms * 1000000;
    assert_true(gcast_workload_add_op(w, &op, &err) >= 0);
}

/* Each kernel in its own stream, all at 0, in this order; their ends in ms. */
static void expect(const kernel *kernels, int n, const int64_t *ends)
{
    gcast_error err;
    gcast_workload *w = gcast_workload_create("thesis", &err);
    gcast_gpu *gpu = gcast_gpu_create("tx2", 6, 2, 2, &err);
    gcast_simulate_options options = gcast_simulate_defaults();
    gcast_run *run;
    for (int i = 0; i < n; i++)
        add(w, kernels[i], i + 1);
    for (int blocks = 0; blocks < 2; blocks++) {
        options.record_blocks = blocks;
        assert_ok(gcast_simulate(w, gpu, &options, &run, &err), &err);
        assert_int_equal(run->op_count, n);
        for (int i = 0; i < n; i++)
            assert_int_equal(run->ops[i].end_ns, ends[i] * 1000000);
        gcast_run_free(run);
    }
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
}

static void thesis_orders(void **state)
{
    (void)state;
    expect((kernel[]){K1, K2, K3, K4}, 4, (int64_t[]){4, 10, 12, 11});
    expect((kernel[]){K2, K3, K4, K1}, 4, (int64_t[]){6, 12, 11, 10});
    expect((kernel[]){K2, K4, K1, K3}, 4, (int64_t[]){6, 11, 10, 12});
    expect((kernel[]){K2, K1, K3, K4}, 4, (int64_t[]){6, 8, 12, 11});
}

/* ex06 and ex07 of the thesis' repository; the second in tenths of a second. */
static void thesis_repository(void **state)
{
    (void)state;
    expect((kernel[]){{"K4", 1, 512, 11}, {"K2", 7, 512, 1}, {"K3", 10, 512, 4}, {"K5", 3, 512, 6}, {"K1", 4, 512, 2}},
           5, (int64_t[]){11, 1, 9, 11, 11});
    expect(
        (kernel[]){{"K5", 8, 512, 25}, {"K1", 5, 512, 15}, {"K4", 1, 512, 40}, {"K3", 7, 512, 15}, {"K2", 4, 512, 15}},
        5, (int64_t[]){25, 40, 65, 55, 70});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thesis_orders),
        cmocka_unit_test(thesis_repository),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
