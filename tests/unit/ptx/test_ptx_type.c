#include "support/support.h"

#include "ptx/ptx.h"

static void knows_types(void **state)
{
    (void)state;
    for (int t = 1; t < PTX_TYPES; t++)
        assert_int_equal(ptx_type_of(ptx_type_name((ptx_type)t)), t);
    assert_int_equal(ptx_type_of("u33"), PTX_NO_TYPE);
    assert_int_equal(ptx_type_of(""), PTX_NO_TYPE);
    assert_int_equal(ptx_type_bytes(PTX_bf16x2), 4);
    assert_int_equal(ptx_type_kind(PTX_pred), 'p');
    assert_int_equal(ptx_space_of("shared"), PTX_SPACE_shared);
    assert_int_equal(ptx_space_of("nowhere"), PTX_SPACE_NONE);
    assert_string_equal(ptx_space_name(PTX_SPACE_const), "const");
}

static void knows_special_registers(void **state)
{
    (void)state;
    static const char *const yes[] = {"%tid",      "%ntid",  "%aggr_smem_size", "%warpid",      "%envreg0",
                                      "%envreg31", "%pm7",   "%pm0_64",         "%clock64",     "%globaltimer",
                                      "%smid",     "%nsmid", "%clusterid",      "%lanemask_lt", "%laneid"};
    static const char *const no[] = {"%tidx", "%r1", "%envreg32", "%envreg", "%envreg01", "%pm8", "%pm1_32", "tid"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(ptx_is_special(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(ptx_is_special(no[i]));
}

static void knows_components(void **state)
{
    (void)state;
    assert_int_equal(ptx_component_of("x", 1), 1);
    assert_int_equal(ptx_component_of("a", 1), 4);
    assert_int_equal(ptx_component_of("b3", 2), 8);
    assert_int_equal(ptx_component_of("h1", 2), 10);
    assert_int_equal(ptx_component_of("q", 1), 0);
    for (uint8_t c = 1; c <= 10; c++)
        assert_int_equal(ptx_component_of(ptx_component_name(c), c <= 4 ? 1 : 2), c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_types),
        cmocka_unit_test(knows_special_registers),
        cmocka_unit_test(knows_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
