/* Published schedules, through the public interface of the library. */
#include "support/support.h"

#include "model/gpu.h"
#include "simulate/blocks/sm.h"
#include "support/builders.h"

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
    op.stream = support_get_stream(w, stream, &err);
    op.grid[0] = (uint32_t)k.blocks;
    op.block[0] = (uint32_t)k.threads;
    op.min_ns = op.max_ns = k.ms * 1000000;
    assert_true(support_add_op(w, &op, &err) >= 0);
}

/* Calls all kernels at 0 in this order, each in its own stream; returns their ends in ms. */
static void expect(const kernel *kernels, int n, const int64_t *ends)
{
    gcast_error err;
    gcast_workload *w = support_workload("thesis", &err);
    gcast_gpu *gpu = support_gpu("tx2", 6, 2, 2, &err);
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run;
    for (int i = 0; i < n; i++)
        add(w, kernels[i], i + 1);
    for (int blocks = 0; blocks < 2; blocks++) {
        options.record_blocks = blocks;
        assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
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

/* ex06 and ex07 of the repository of the thesis; times of the second in tenths of a second. */
static void thesis_repository(void **state)
{
    (void)state;
    expect((kernel[]){{"K4", 1, 512, 11}, {"K2", 7, 512, 1}, {"K3", 10, 512, 4}, {"K5", 3, 512, 6}, {"K1", 4, 512, 2}},
           5, (int64_t[]){11, 1, 9, 11, 11});
    expect(
        (kernel[]){{"K5", 8, 512, 25}, {"K1", 5, 512, 15}, {"K4", 1, 512, 40}, {"K3", 7, 512, 15}, {"K2", 4, 512, 15}},
        5, (int64_t[]){25, 40, 65, 55, 70});
}

/* On every preset as many blocks fit on an empty SM as the occupancy calculation says. */
static void room_is_occupancy(void **state)
{
    (void)state;
    support_random r = {1};
    for (size_t i = 0; i < gcast_preset_count(); i++) {
        gcast_error err;
        gcast_gpu *gpu;
        assert_ok(gcast_gpu_preset(gcast_preset_name(i), &gpu, &err), &err);
        for (int n = 0; n < 2000; n++) {
            gcast_occupancy occupancy;
            gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
            op.shape.threads = (int)support_between(&r, 1, 1024);
            op.shape.registers = (int)support_between(&r, 0, 255);
            op.shape.static_smem = support_between(&r, 0, 3) ? 0 : support_between(&r, 0, 49152);
            op.shape.barriers = (int)support_between(&r, 0, 16);
            assert_ok(gcast_occupancy_compute(&gpu->limits, &op.shape, GCAST_CARVEOUT_DEFAULT, &occupancy, &err), &err);
            if (!occupancy.blocks_per_sm)
                continue;
            sm_state sm;
            sm_demand demand = sm_demand_of(gpu, &op);
            sm_empty(gpu, &sm);
            assert_int_equal(sm_fit_count(&sm, &demand), occupancy.blocks_per_sm);
        }
        gcast_gpu_free(gpu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thesis_orders),
        cmocka_unit_test(thesis_repository),
        cmocka_unit_test(room_is_occupancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
