#include "support/support.h"

#include <string.h>

#include "ptx/module.h"
#include "ptx/same.h"
#include "support/ptx.h"

#define BASE PTX_KERNEL("L: @%p1 add.s32 %r1, %r2, 5; bra L;")

static void overlooks_places(void **state)
{
    (void)state;
    ptx_module *a = support_ptx(BASE);
    ptx_module *b = support_ptx("// comment\n" PTX_KERNEL("\nL:\n\n  @%p1 /* c */ add.s32 %r1, %r2, 2+3;\nbra L;"));
    assert_true(ptx_same(a, b));
    ptx_free(a);
    ptx_free(b);
}

static void sees_every_difference(void **state)
{
    (void)state;
    static const char *const others[] = {
        PTX_KERNEL("L: @!%p1 add.s32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL("L: @%p2 add.s32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL("L: add.s32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL("L: @%p1 sub.s32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL("L: @%p1 add.u32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL("L: @%p1 add.sat.s32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL("L: @%p1 add.s32 %r1, %r3, 5; bra L;"),
        PTX_KERNEL("L: @%p1 add.s32 %r1, %r2, 6; bra L;"),
        PTX_KERNEL("L: @%p1 add.s32 %r1, %r2, 5U; bra L;"),
        PTX_KERNEL("M: @%p1 add.s32 %r1, %r2, 5; bra M;"),
        PTX_KERNEL("@%p1 add.s32 %r1, %r2, 5; L: bra L;"),
        PTX_KERNEL(".reg .b32 x; L: @%p1 add.s32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL(".loc 1 2 3 L: @%p1 add.s32 %r1, %r2, 5; bra L;"),
        PTX_KERNEL("L: { @%p1 add.s32 %r1, %r2, 5; bra L; }"),
        BASE ".global .u32 x;",
        BASE ".file 1 \"x\"",
    };
    ptx_module *a = support_ptx(BASE);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ptx_module *b = support_ptx(others[i]);
        if (ptx_same(a, b))
            fail_msg("the same as:\n%s", others[i]);
        ptx_free(b);
    }
    ptx_free(a);
}

static void compares_variables(void **state)
{
    (void)state;
    static const char *const others[] = {
        ".global .u32 x[2] = {1, 2};",          ".const .u32 x[2] = {1, 3};",  ".global .s32 x[2] = {1, 3};",
        ".global .u32 x[3] = {1, 3};",          ".global .u32 y[2] = {1, 3};", ".visible .global .u32 x[2] = {1, 3};",
        ".global .align 8 .u32 x[2] = {1, 3};", ".global .u32 x[2];",          ".global .u32 x[1][2] = {{1, 3}};",
    };
    ptx_module *a = support_ptx(PTX_HEAD ".global .u32 x[2] = {1, 3};");
    assert_true(ptx_same(a, a));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char source[300] = PTX_HEAD;
        ptx_module *b = support_ptx(strcat(source, others[i]));
        if (ptx_same(a, b))
            fail_msg("the same as:\n%s", source);
        ptx_free(b);
    }
    ptx_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlooks_places),
        cmocka_unit_test(sees_every_difference),
        cmocka_unit_test(compares_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
