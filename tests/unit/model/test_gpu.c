#include "gridcast/names.h"
#include "model/gpu.h"
#include "support/builders.h"
#include "support/support.h"

#include <string.h>

static gcast_gpu *make(int sms)
{
    gcast_error err;
    gcast_gpu *gpu = support_gpu("test", 9, 0, sms, &err);
    assert_non_null(gpu);
    return gpu;
}

static void assert_ranks(const gcast_gpu *gpu, const int *want)
{
    int order[GCAST_MAX_SMS];
    gcast_gpu_tie_ranks(gpu, order);
    for (int i = 0; i < gpu->sms; i++)
        assert_int_equal(order[i], want[i]);
}

static void tie_orders(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = make(5);
    assert_ranks(gpu, (int[]){0, 1, 2, 3, 4});
    gpu->tie_order = GCAST_TIES_DESCENDING;
    assert_ranks(gpu, (int[]){4, 3, 2, 1, 0});
    gpu->tie_order = GCAST_TIES_EVEN_ODD;
    assert_ranks(gpu, (int[]){0, 2, 4, 1, 3});
    assert_ok(gcast_gpu_set_tie_list(gpu, (int[]){3, 1, 4, 0, 2}, 5, &err), &err);
    assert_ranks(gpu, (int[]){3, 1, 4, 0, 2});
    assert_ok(gcast_gpu_partition(gpu, 4, &err), &err);
    assert_ranks(gpu, (int[]){3, 1, 0, 2});
    assert_ok(gcast_gpu_partition(gpu, 2, &err), &err);
    assert_ranks(gpu, (int[]){1, 0});
    assert_ok(gcast_gpu_check(gpu, &err), &err);
    gcast_gpu_free(gpu);
}

static void bad_tie_lists(void **state)
{
    (void)state;
    static const struct {
        int list[3], n;
    } cases[] = {{{0, 1, 2}, 2}, {{0, 1, 1}, 3}, {{0, 1, 3}, 3}, {{0, 1, -1}, 3}};
    gcast_gpu *gpu = make(3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_error err;
        assert_int_equal(gcast_gpu_set_tie_list(gpu, cases[i].list, cases[i].n, &err), GCAST_INPUT);
        assert_string_equal(err.path, "/tie_order");
    }
    assert_null(gpu->tie_list);
    gcast_gpu_free(gpu);
}

static void reaches(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = make(3);
    assert_int_equal(gcast_gpu_set_reach(gpu, (int[]){0, 1}, 2, &err), GCAST_INPUT);
    assert_int_equal(gcast_gpu_set_reach(gpu, (int[]){0, 1, -1}, 3, &err), GCAST_INPUT);
    assert_int_equal(gcast_gpu_set_reach(gpu, (int[]){0, 1, 1000001}, 3, &err), GCAST_INPUT);
    assert_string_equal(err.path, "/reach_ns");
    assert_null(gpu->reach_ns);
    assert_ok(gcast_gpu_set_reach(gpu, (int[]){5, 0, 7}, 3, &err), &err);
    assert_ok(gcast_gpu_partition(gpu, 2, &err), &err);
    gcast_gpu *copy = support_gpu_copy(gpu, &err);
    gcast_gpu_free(gpu);
    assert_int_equal(copy->reach_ns[0], 5);
    assert_int_equal(copy->reach_ns[1], 0);
    gcast_gpu_free(copy);
}

static void partitions(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = make(4);
    assert_int_equal(gcast_gpu_partition(gpu, 0, &err), GCAST_INPUT);
    assert_int_equal(gcast_gpu_partition(gpu, 5, &err), GCAST_INPUT);
    assert_string_equal(err.path, "/partition/sms");
    assert_int_equal(gpu->sms, 4);
    gpu->tie_order = GCAST_TIES_DESCENDING;
    assert_ok(gcast_gpu_partition(gpu, 4, &err), &err);
    assert_ranks(gpu, (int[]){3, 2, 1, 0});
    assert_ok(gcast_gpu_partition(gpu, 3, &err), &err);
    assert_ranks(gpu, (int[]){2, 1, 0});
    gcast_gpu_free(gpu);
    gpu = make(6);
    gpu->tie_order = GCAST_TIES_EVEN_ODD;
    assert_ok(gcast_gpu_partition(gpu, 5, &err), &err);
    assert_ranks(gpu, (int[]){0, 2, 4, 1, 3});
    gcast_gpu_free(gpu);
}

static void copies_are_deep(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *h200, *copy;
    assert_ok(gcast_gpu_preset("h200", &h200, &err), &err);
    copy = support_gpu_copy(h200, &err);
    assert_non_null(copy);
    assert_int_equal(copy->source_count, h200->source_count);
    assert_ptr_not_equal(copy->tie_list, h200->tie_list);
    gcast_gpu_free(h200);
    assert_string_equal(copy->name, "h200");
    assert_int_equal(copy->tie_list[0], 124);
    assert_ok(gcast_gpu_check(copy, &err), &err);
    gcast_gpu_free(copy);
    gcast_gpu_free(NULL);
}

static void checks(void **state)
{
    (void)state;
#define CASE(change, where)                                                                                            \
    do {                                                                                                               \
        gcast_error err;                                                                                               \
        gcast_gpu *g = make(4);                                                                                        \
        change;                                                                                                        \
        assert_int_equal(gcast_gpu_check(g, &err), GCAST_INPUT);                                                       \
        assert_string_equal(err.path, where);                                                                          \
        gcast_gpu_free(g);                                                                                             \
    } while (0)
    CASE(g->sms = 0, "/sms");
    CASE(g->sms = GCAST_MAX_SMS + 1, "/sms");
    CASE(g->priority_levels = 0, "/priority_levels");
    CASE(g->handover_ns = -1, "/handover_ns");
    CASE(g->d2h_bytes_per_s = -1, "/d2h_bytes_per_s");
    CASE(g->limits.register_unit = 0, "/register_unit");
    CASE(g->limits.smem_per_block = g->limits.smem_per_sm, "/smem_per_block");
    CASE(g->limits.smem_per_block_default = g->limits.smem_per_block + 1, "/smem_per_block_default");
    CASE(g->limits.carveouts = 0, "/carveouts");
    CASE(g->limits.carveout[1] = 0, "/carveouts");
    CASE(g->placement = GCAST_PLACEMENTS, "/placement");
    CASE(g->tie_order = GCAST_TIES_LIST, "/tie_order");
    CASE((g->register_quarters = true, g->limits.warps_per_sm = 63), "/register_quarters");
#undef CASE
}

static void finds_names(void **state)
{
    (void)state;
    for (int i = 0; i < GCAST_PLACEMENTS; i++) {
        int p;
        assert_true(gcast_find_name(GCAST_NAMES_PLACEMENT, gcast_name(GCAST_NAMES_PLACEMENT, i), &p));
        assert_int_equal(p, i);
    }
    int t;
    assert_true(gcast_find_name(GCAST_NAMES_TIE_ORDER, "even_odd", &t));
    assert_int_equal(t, GCAST_TIES_EVEN_ODD);
    assert_false(gcast_find_name(GCAST_NAMES_TIE_ORDER, "", &t));
    assert_string_equal(gcast_name(GCAST_NAMES_TIE_ORDER, GCAST_TIE_ORDERS), "?");
    assert_false(gcast_find_name(GCAST_NAMES, "even_odd", &t));
    assert_false(gcast_find_name(GCAST_NAMES_HINT, "?", &t)); /* hints have no names */
    assert_string_equal(gcast_name(GCAST_NAMES, 0), "?");
    assert_string_equal(gcast_name(GCAST_NAMES_STATUS, 7), "?"); /* between two that there are */
    assert_string_equal(gcast_text(GCAST_NAMES_STATUS, GCAST_INTERNAL), "an internal check failed");
    gcast_error err;
    assert_null(support_gpu("x", 4, 2, 1, &err));
    assert_string_equal(err.message, "compute capability 4.2 is not known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tie_orders),  cmocka_unit_test(bad_tie_lists),   cmocka_unit_test(partitions),
        cmocka_unit_test(reaches),     cmocka_unit_test(copies_are_deep), cmocka_unit_test(checks),
        cmocka_unit_test(finds_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
