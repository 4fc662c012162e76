#include "model/gpu.h"
#include "support/builders.h"
#include "support/support.h"

#include <string.h>

static void table_is_sound(void **state)
{
    (void)state;
    size_t count;
    const gcast_limits *table = gcast_limits_table(&count);
    assert_int_equal(count, 24);
    for (size_t i = 0; i < count; i++) {
        const gcast_limits *l = &table[i];
        gcast_error err;
        gcast_gpu *gpu = support_gpu("any", l->cc_major, l->cc_minor, 1, &err);
        assert_non_null(gpu);
        assert_ok(gcast_gpu_check(gpu, &err), &err);
        gcast_gpu_free(gpu);
        assert_int_equal(l->warps_per_sm * 32, l->threads_per_sm);
        assert_non_null(strstr(l->sources, "guide"));
        if (i)
            assert_true(l[-1].cc_major * 10 + l[-1].cc_minor < l->cc_major * 10 + l->cc_minor);
        assert_ptr_equal(gcast_limits_find(l->cc_major, l->cc_minor), l);
    }
}

/* Rows compared with other sources than their own. */
static void spot_checks(void **state)
{
    (void)state;
    const gcast_limits *tx2 = gcast_limits_find(6, 2), *h200 = gcast_limits_find(9, 0);
    assert_int_equal(tx2->registers_per_block, 32768); /* deviceQuery of a TX2 */
    assert_int_equal(tx2->smem_per_sm, 65536);
    assert_int_equal(h200->smem_per_block, 232448); /* asked of an H200 */
    assert_int_equal(h200->smem_per_sm, 233472);
    assert_int_equal(h200->smem_reserved, 1024);
    assert_int_equal(h200->blocks_per_sm, 32);
    assert_int_equal(gcast_limits_find(7, 5)->threads_per_sm, 1024);
    assert_int_equal(gcast_limits_find(8, 7)->smem_per_sm, 167936); /* deviceQuery of an Orin */
    assert_null(gcast_limits_find(4, 0));
    assert_null(gcast_limits_find(-1, 5));
}

static void assert_dimensions(const gcast_limits *l)
{
    assert_int_equal(l->block_x, 1024);
    assert_int_equal(l->block_y, 1024);
    assert_int_equal(l->block_z, 64);
    assert_int_equal(l->grid_x, 2147483647);
    assert_int_equal(l->grid_y, 65535);
    assert_int_equal(l->grid_z, 65535);
}

static void assert_textures(const gcast_limits *l, int width, int height, int edge)
{
    assert_int_equal(l->texture_1d, width);
    assert_int_equal(l->texture_2d_width, width);
    assert_int_equal(l->texture_2d_height, height);
    assert_int_equal(l->texture_3d, edge);
}

/* What deviceQuery prints of a TX2 (daleonpz/master_thesis_markdown), line by line. */
static void a_tx2_is_what_device_query_prints(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *tx2 = NULL;
    assert_ok(gcast_gpu_preset("tx2", &tx2, &err), &err);
    assert_int_equal(tx2->memory_bytes / 1048576, 7850);
    assert_int_equal(tx2->memory_bytes % 1048576, 0);
    assert_int_equal(tx2->sms, 2);
    assert_int_equal(tx2->limits.cores_per_sm, 128);
    assert_int_equal(tx2->l2_bytes, 524288);
    assert_int_equal(tx2->clock_mhz, 1300);
    assert_int_equal(tx2->limits.smem_per_block_default, 49152);
    assert_int_equal(tx2->limits.registers_per_block, 32768);
    assert_int_equal(tx2->limits.threads_per_sm, 2048);
    assert_int_equal(tx2->limits.threads_per_block, 1024);
    assert_dimensions(&tx2->limits);
    assert_textures(&tx2->limits, 131072, 65536, 16384);
    gcast_gpu_free(tx2);
}

/* What the driver answers on an H200, and deviceQuery of a GTX 950, a GRID K520 and a Tesla T4. */
static void other_gpus_are_too(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *h200 = NULL;
    assert_ok(gcast_gpu_preset("h200", &h200, &err), &err);
    assert_int_equal(h200->memory_bytes, 150109880320);
    assert_int_equal(h200->l2_bytes, 62914560);
    assert_int_equal(h200->clock_mhz, 1980);
    assert_int_equal(h200->limits.cores_per_sm, 128);
    assert_dimensions(&h200->limits);
    assert_textures(&h200->limits, 131072, 65536, 16384);
    gcast_gpu_free(h200);
    assert_int_equal(gcast_limits_find(5, 2)->cores_per_sm, 128);
    assert_textures(gcast_limits_find(5, 2), 65536, 65536, 4096);
    assert_int_equal(gcast_limits_find(3, 0)->cores_per_sm, 192);
    assert_textures(gcast_limits_find(3, 0), 65536, 65536, 4096);
    assert_int_equal(gcast_limits_find(7, 5)->cores_per_sm, 64);
    assert_textures(gcast_limits_find(7, 5), 131072, 65536, 16384);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_is_sound), cmocka_unit_test(spot_checks),
                                       cmocka_unit_test(a_tx2_is_what_device_query_prints),
                                       cmocka_unit_test(other_gpus_are_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
