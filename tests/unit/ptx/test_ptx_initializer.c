#include "support/support.h"

#include <string.h>

#include "ptx/module.h"
#include "support/ptx.h"

static void fills_up_rows(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".global .u32 a[2][3] = {{1, 2}, {4}};\n"
                                         ".global .u32 b[2][2] = {{1}, 2, 3};\n"
                                         ".global .v2 .u32 c[] = {{1, 2}, {3, 4}, {5, 0}};\n"
                                         ".global .b8 d[4] = {7, 0, 0};\n");
    static const uint64_t a[] = {1, 2, 0, 4}, b[] = {1, 0, 2, 3}, c[] = {1, 2, 3, 4, 5}, d[] = {7};
    static const struct {
        const uint64_t *bits;
        uint32_t count;
    } expected[] = {{a, 4}, {b, 4}, {c, 5}, {d, 1}};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(m->var[i]->values, expected[i].count);
        for (uint32_t j = 0; j < expected[i].count; j++)
            assert_true(m->var[i]->value[j].bits == expected[i].bits[j]);
    }
    assert_int_equal(m->var[2]->dim[0], 3);
    assert_int_equal(m->var[2]->bytes, 24);
    ptx_free(m);
}

static void takes_addresses(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".global .u32 x; .func f() { ret; }\n"
                                         ".global .u64 a[] = {x, generic(x) + 8, f, x - 4};\n"
                                         ".global .u8 b = 0xff00(generic(x) + 1);\n");
    const ptx_value *v = m->var[1]->value;
    for (int i = 0; i < 4; i++)
        assert_int_equal(v[i].kind, PTX_VALUE_SYMBOL);
    assert_string_equal(v[0].symbol, "x");
    assert_true(v[1].generic && v[1].bits == 8);
    assert_string_equal(v[2].symbol, "f");
    assert_int_equal((int64_t)v[3].bits, -4);
    v = m->var[2]->value;
    assert_true(v->is_mask && v->mask == 0xff00 && v->generic && v->bits == 1);
    ptx_free(m);
}

/* What ptxas 13.0 writes into the image for these. */
static void gives_floats_their_format(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int kind;
        uint64_t bits;
    } cases[] = {
        {".global .f32 x = 1.5;", PTX_VALUE_F32, 0x3FC00000},
        {".global .f32 x = 0d3FF8000000000000;", PTX_VALUE_F32, 0x3FC00000},
        {".global .b32 x = 1.5;", PTX_VALUE_F32, 0x3FC00000},
        {".global .f64 x = 1.5;", PTX_VALUE_F64, 0x3FF8000000000000},
        {".global .b64 x = 1.5;", PTX_VALUE_F64, 0x3FF8000000000000},
        {".global .b64 x = 0f3FC00000;", PTX_VALUE_F32, 0x3FC00000},
        {".global .f64 x = 0f3FC00000;", PTX_VALUE_F64, 0x3FF8000000000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[200] = PTX_HEAD;
        ptx_module *m = support_ptx(strcat(source, cases[i].source));
        assert_int_equal(m->var[0]->value[0].kind, cases[i].kind);
        assert_true(m->var[0]->value[0].bits == cases[i].bits);
        ptx_free(m);
    }
}

static void refuses_values_that_do_not_fit(void **state)
{
    (void)state;
    support_ptx_error(PTX_HEAD ".global .u32 x[2] = {1, 2, 3};", 4, 29, "more values than x has room for");
    support_ptx_error(PTX_HEAD ".global .u32 x[2][2] = {{1, 2, 3}};", 4, 33, "more values than x has room for");
    support_ptx_error(PTX_HEAD ".global .u32 x[2] = {{1}};", 4, 22, "expected a value");
    support_ptx_error(PTX_HEAD ".global .u32 x[2] = 1;", 4, 21, "expected `{`");
    support_ptx_error(PTX_HEAD ".global .u32 x[] = {};", 4, 22, "is empty");
    support_ptx_error(PTX_HEAD ".global .u32 x[2][0] = {1};", 4, 19, "an integer from 1");
    support_ptx_error(PTX_HEAD ".global .u32 x = y;", 4, 18, "y is not declared");
    support_ptx_error(PTX_HEAD ".global .u32 x = 1.5;", 4, 18, "cannot hold a floating-point number");
    support_ptx_error(PTX_HEAD ".global .f16 x = 1.5;", 4, 18, "cannot hold a floating-point number");
    support_ptx_error(PTX_HEAD ".global .f32 x = 1;", 4, 18, "not integers");
    support_ptx_error(PTX_HEAD ".global .texref x = 1;", 4, 21, "cannot have an initializer");
    support_ptx_error(PTX_HEAD ".global .b8 x[9][9000000] = {{1}, {2}, {3}};", 4, 35, "leave out more than 1048576");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_up_rows),
        cmocka_unit_test(takes_addresses),
        cmocka_unit_test(gives_floats_their_format),
        cmocka_unit_test(refuses_values_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
