#include "support/support.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gcast_occupancy occupancy(const char *cc, gcast_block_shape shape, int carveout)
{
    int major, minor;
    gcast_occupancy o;
    gcast_error err;
    assert_int_equal(sscanf(cc, "%d.%d", &major, &minor), 2);
    assert_ok(gcast_occupancy_compute(gcast_limits_find(major, minor), &shape, carveout, &o, &err), &err);
    return o;
}

/* Rows recorded from cuda_occupancy.h by test_occupancy_header --record. */
static void as_recorded_from_nvidia(void **state)
{
    (void)state;
    size_t size, rows = 0;
    char *text = support_read("tests/data/occupancy/golden.csv", &size), *rest;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        int major, minor, carveout, blocks, by_warps, by_blocks, by_registers, by_smem, by_barriers, registers;
        long long smem, fixed, dynamic;
        gcast_block_shape s = {0};
        if (line[0] == 'c')
            continue;
        assert_int_equal(sscanf(line, "%d.%d,%d,%d,%lld,%lld,%d,%d,%d,%d,%d,%d,%d,%d,%d,%lld", &major, &minor,
                                &s.threads, &s.registers, &fixed, &dynamic, &s.barriers, &carveout, &blocks, &by_warps,
                                &by_blocks, &by_registers, &by_smem, &by_barriers, &registers, &smem),
                         16);
        s.static_smem = fixed;
        s.dynamic_smem = dynamic;
        gcast_occupancy o;
        gcast_error err;
        assert_ok(gcast_occupancy_compute(gcast_limits_find(major, minor), &s, carveout, &o, &err), &err);
        assert_int_equal(o.blocks_per_sm, blocks);
        assert_int_equal(o.limit[GCAST_RES_WARPS], by_warps);
        assert_int_equal(o.limit[GCAST_RES_BLOCKS], by_blocks);
        assert_int_equal(o.limit[GCAST_RES_REGISTERS], by_registers);
        assert_int_equal(o.limit[GCAST_RES_SHARED_MEMORY], by_smem);
        assert_int_equal(o.limit[GCAST_RES_BARRIERS], by_barriers);
        assert_int_equal(o.registers_per_block, registers);
        assert_int_equal(o.smem_per_block, smem);
        assert_int_equal(o.reason[0] != '\0', blocks == 0);
        rows++;
    }
    free(text);
    assert_int_equal(rows, 3000);
}

/* 128 threads, 32 registers, 4096 bytes: the check values of the CUDA 13.0 header. */
static void check_values(void **state)
{
    (void)state;
    static const struct {
        const char *cc;
        int blocks;
    } want[] = {{"3.5", 12}, {"3.7", 16}, {"5.0", 16},  {"5.2", 16},  {"5.3", 16},  {"6.0", 16},  {"6.1", 16},
                {"6.2", 16}, {"7.0", 16}, {"7.2", 16},  {"7.5", 8},   {"8.0", 16},  {"8.6", 12},  {"8.7", 12},
                {"8.9", 12}, {"9.0", 16}, {"10.0", 16}, {"10.3", 16}, {"11.0", 12}, {"12.0", 12}, {"12.1", 12}};
    gcast_block_shape s = {.threads = 128, .registers = 32, .static_smem = 4096};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        assert_int_equal(occupancy(want[i].cc, s, GCAST_CARVEOUT_DEFAULT).blocks_per_sm, want[i].blocks);
}

static void names_all_limiting_resources(void **state)
{
    (void)state;
    gcast_occupancy o = occupancy("9.0", (gcast_block_shape){.threads = 512, .registers = 32}, GCAST_CARVEOUT_DEFAULT);
    assert_int_equal(o.blocks_per_sm, 4);
    assert_int_equal(o.limited_by, 1u << GCAST_RES_THREADS | 1u << GCAST_RES_WARPS | 1u << GCAST_RES_REGISTERS);
    assert_int_equal(o.warps_per_sm, 64);
    o = occupancy("9.0", (gcast_block_shape){.threads = 33, .registers = 16}, GCAST_CARVEOUT_DEFAULT);
    assert_int_equal(o.blocks_per_sm, 32);
    assert_int_equal(o.warps_per_sm, 64);
    assert_int_equal(o.limit[GCAST_RES_THREADS], 62);
}

static void carveouts(void **state)
{
    (void)state;
    gcast_block_shape s = {.threads = 32, .static_smem = 7 * 1024};
    assert_int_equal(occupancy("9.0", s, GCAST_CARVEOUT_DEFAULT).smem_config, 228 * 1024);
    assert_int_equal(occupancy("9.0", s, 50).smem_config, 132 * 1024);
    gcast_occupancy o = occupancy("9.0", s, 0); /* too small for one block: the next one up */
    assert_int_equal(o.smem_config, 8 * 1024);
    assert_int_equal(o.blocks_per_sm, 1);
    o = occupancy("3.5", (gcast_block_shape){.threads = 32, .static_smem = 20 * 1024}, 0); /* before 7.0: the largest */
    assert_int_equal(o.smem_config, 48 * 1024);
    assert_int_equal(o.blocks_per_sm, 2);
}

static void cannot_launch(void **state)
{
    (void)state;
    static const struct {
        const char *cc, *reason;
        gcast_block_shape shape;
    } cases[] = {
        {"6.2", "a block of 1025 threads; the GPU takes at most 1024", {.threads = 1025}},
        {"6.2",
         "a block of 2147483647 threads; the GPU takes at most 1024",
         {.threads = INT_MAX, .registers = INT_MAX}},
        {"6.2", "256 registers per thread; the GPU takes at most 255", {.threads = 32, .registers = 256}},
        {"6.2",
         "a block takes 65536 registers (32 warps of 2048), and the GPU allows 32768",
         {.threads = 1024, .registers = 64}},
        {"6.2",
         "49153 bytes of shared memory per block; the GPU takes at most 49152",
         {.threads = 32, .static_smem = 49153}},
        {"6.2",
         "a block takes 36864 registers (24 warps of 1536), and the GPU allows 32768",
         {.threads = 672, .registers = 48}},
        {"9.0",
         "4294967294 bytes of shared memory per block; the GPU takes at most 232448",
         {.threads = 32, .static_smem = INT_MAX, .dynamic_smem = INT_MAX}},
        {"9.0", "65 named barriers per block; an SM has 64", {.threads = 32, .barriers = 65}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_occupancy o = occupancy(cases[i].cc, cases[i].shape, GCAST_CARVEOUT_DEFAULT);
        assert_int_equal(o.blocks_per_sm, 0);
        assert_int_equal(o.warps_per_sm, 0);
        assert_string_equal(o.reason, cases[i].reason);
    }
}

static void nonsense_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        gcast_block_shape shape;
        int carveout;
    } cases[] = {
        {"/block", {.threads = 0}, -1},
        {"/block", {.threads = INT_MIN}, -1},
        {"/registers", {.threads = 1, .registers = -1}, -1},
        {"/static_smem", {.threads = 1, .static_smem = INT64_MAX}, -1},
        {"/dynamic_smem", {.threads = 1, .dynamic_smem = -1}, -1},
        {"/barriers", {.threads = 1, .barriers = -1}, -1},
        {"/carveout", {.threads = 1}, 101},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_occupancy o;
        gcast_error err;
        assert_int_equal(gcast_occupancy_compute(gcast_limits_find(9, 0), &cases[i].shape, cases[i].carveout, &o, &err),
                         GCAST_INPUT);
        assert_string_equal(err.path, cases[i].path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_recorded_from_nvidia),
        cmocka_unit_test(check_values),
        cmocka_unit_test(names_all_limiting_resources),
        cmocka_unit_test(carveouts),
        cmocka_unit_test(cannot_launch),
        cmocka_unit_test(nonsense_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
