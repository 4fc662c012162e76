#include "support/support.h"

#include <string.h>

#include "ptx/module.h"
#include "support/ptx.h"

static void reads_heads(void **state)
{
    (void)state;
    ptx_module *m = support_ptx("// comment\n.version 7.8\n.target sm_90a, debug\n.address_size 32\n"
                                ".file 1 \"a.cu\", 17, 5\n.file 2 \"b.h\"\n"
                                ".section .debug_str { $L: .b8 1, 2 .b32 $L+5 }\n.section .debug_macinfo { }\n");
    assert_int_equal(m->version_major, 7);
    assert_int_equal(m->version_minor, 8);
    assert_string_equal(m->target, "sm_90a, debug");
    assert_int_equal(m->sm, 90);
    assert_int_equal(m->address_bits, 32);
    assert_int_equal(m->files, 2);
    assert_string_equal(m->file[0].name, "a.cu");
    assert_string_equal(m->file[0].rest, "17, 5");
    assert_int_equal(m->file[1].index, 2);
    assert_null(m->file[1].rest);
    ptx_free(m);
}

static void needs_no_address_size(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(".version 6.0 .target sm_30");
    assert_int_equal(m->address_bits, 64);
    ptx_free(m);
}

static void keeps_the_order(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".global .u32 a; .func f(); .shared .u32 b; .const .u32 c; .entry k() { }");
    static const int32_t order[] = {0, ~0, 1, 2, ~1};
    assert_int_equal(m->order_count, 5);
    assert_memory_equal(m->order, order, sizeof order);
    ptx_free(m);
}

/* A use of a declared variable leads to its definition. */
static void leads_uses_to_the_definition(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".extern .global .u32 x; .func f() { .reg .b64 a; mov.u64 a, x; ret; }\n"
                                         ".visible .global .u32 x = 4;");
    assert_ptr_equal(support_ptx_instruction(m, 0)->operand[1].var, m->var[1]);
    ptx_free(m);
}

static void takes_text_that_ends_with_zeros(void **state)
{
    (void)state;
    static const char source[] = PTX_HEAD ".global .u32 a;\n\0\0";
    ptx_module *m;
    gcast_error err;
    assert_ok(ptx_parse(source, sizeof source, &m, &err), &err);
    assert_int_equal(m->vars, 1);
    ptx_free(m);
    ptx_free(NULL);
}

static void refuses_wrong_modules(void **state)
{
    (void)state;
    support_ptx_error("", 1, 1, "expected .version, but the text ends");
    support_ptx_error("hello", 1, 1, "expected .version, not `hello`");
    support_ptx_error(".version 5.9\n", 1, 10, "version 5.9 is not supported: 6.0 to 9.9");
    support_ptx_error(".version 10.0\n", 1, 10, "a version such as 8.0");
    support_ptx_error(".version 8\n", 1, 10, "a version such as 8.0");
    support_ptx_error(".version 8.0\n.address_size 64", 2, 1, "expected .target");
    support_ptx_error(".version 8.0\n.target 90", 2, 9, "a target such as sm_90");
    support_ptx_error(".version 8.0\n.target sm_90\n.address_size 48", 3, 15, "32 or 64");
    support_ptx_error(PTX_HEAD "add.s32 a, b;", 4, 1, "not `add`");
    support_ptx_error(PTX_HEAD ".section .debug_str { .b8 1", 4, 28, "expected `}`");
    support_ptx_error(PTX_HEAD ".file \"x\"", 4, 7, "the number of a file");
    support_ptx_error(PTX_HEAD "\n  /* open", 5, 3, "the comment does not end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_heads),
        cmocka_unit_test(needs_no_address_size),
        cmocka_unit_test(keeps_the_order),
        cmocka_unit_test(leads_uses_to_the_definition),
        cmocka_unit_test(takes_text_that_ends_with_zeros),
        cmocka_unit_test(refuses_wrong_modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
