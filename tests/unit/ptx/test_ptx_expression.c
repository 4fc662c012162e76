#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "ptx/module.h"
#include "support/ptx.h"

static ptx_operand operand_of(const char *expression)
{
    char source[1024];
    snprintf(source, sizeof source, PTX_HEAD ".entry k() { .reg .b64 %%rd1; mov.b64 %%rd1, %s; }", expression);
    ptx_module *m = support_ptx(source);
    ptx_operand o = support_ptx_instruction(m, 0)->operand[1];
    ptx_free(m);
    return o;
}

static void folds_integers(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        int64_t value;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"-7 / 2", -3},
        {"-7 % 3", -1},
        {"~0", -1},
        {"1 + !5", 1},
        {"- - 5", 5},
        {"1 << 4 | 0xF", 31},
        {"-16 >> 2", -4},
        {"6 ^ 3 & 2", 4},
        {"1 < 2", 1},
        {"-1 < 1", 1},
        {"-1 < 1U", 0},
        {"2 <= 1", 0},
        {"2 >= 2", 1},
        {"3 != 3", 0},
        {"1 == 1 && 2 > 3", 0},
        {"0 || 7", 1},
        {"5 > 3 ? 10 : 20", 10},
        {"0 ? 1 : 0 ? 2 : 3", 3},
        {"(.s64) 3.7", 3},
        {"(.s64) -3.7", -3},
        {"1.5 < 2.5", 1},
        {"WARP_SZ - 1", 31},
        {"-9223372036854775807 - 1", INT64_MIN},
        {"(-9223372036854775807 - 1) / -1", INT64_MIN},
        {"(-9223372036854775807 - 1) % -1", 0},
        {"9223372036854775807 + 1", INT64_MIN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ptx_operand o = operand_of(cases[i].expression);
        assert_int_equal(o.kind, PTX_OP_INT);
        assert_true(o.is_signed);
        assert_int_equal((int64_t)o.bits, cases[i].value);
    }
}

static void keeps_unsigned_apart(void **state)
{
    (void)state;
    ptx_operand o = operand_of("0xFFFFFFFFFFFFFFFF / 2");
    assert_false(o.is_signed);
    assert_true(o.bits == INT64_MAX);
    o = operand_of("(.u64) -1 >> 63");
    assert_false(o.is_signed);
    assert_true(o.bits == 1);
    o = operand_of("7U % 4");
    assert_false(o.is_signed);
    assert_true(o.bits == 3);
}

static void folds_doubles(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        double value;
    } cases[] = {{"1.5 + 2", 3.5}, {"-1.5", -1.5}, {"3.0 / 2", 1.5}, {"2.0 * 2.0 - 1", 3}, {"1 ? 0.5 : 2", 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ptx_operand o = operand_of(cases[i].expression);
        uint64_t bits;
        memcpy(&bits, &cases[i].value, sizeof bits);
        assert_int_equal(o.kind, PTX_OP_F64);
        assert_true(o.bits == bits);
    }
}

static void refuses_expressions_without_a_result(void **state)
{
    (void)state;
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, 1 / 0;"), 5, 16, "division by zero");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, 1.0 / 0.0;"), 5, 18, "division by zero");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, 1 << 64;"), 5, 16, "0 to 63");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, 1.5 | 2;"), 5, 18, "integers only");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, ~1.5;"), 5, 14, "integers only");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, -0f3F800000;"), 5, 14, "0f...");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, (.s64) 1e300;"), 5, 14, "does not fit");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, (1;"), 5, 16, "expected `)`");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, 1 + ;"), 5, 18, "expected a number");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, 1 ? 2;"), 5, 19, "expected `:`");
}

static void refuses_deep_ones(void **state)
{
    (void)state;
    char source[20000];
    int used = snprintf(source, sizeof source, "%s", PTX_KERNEL("mov.u32 %r1, ")) - (int)strlen("\n}\n");
    memset(source + used, '(', 10000);
    strcpy(source + used + 10000, "1;\n}\n");
    support_ptx_error(source, 5, 14 + 65, "more than 64 levels");
    memset(source + used, '-', 10000);
    support_ptx_error(source, 5, 14 + 65, "more than 64 levels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_integers),    cmocka_unit_test(keeps_unsigned_apart),
        cmocka_unit_test(folds_doubles),     cmocka_unit_test(refuses_expressions_without_a_result),
        cmocka_unit_test(refuses_deep_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
