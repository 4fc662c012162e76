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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_is_sound), cmocka_unit_test(spot_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
