#include "support/support.h"

#include <string.h>

#include "ptx/module.h"
#include "support/ptx.h"

static void reads_types_sizes_and_alignment(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".global .align 16 .v4 .f32 a[2][3], b;\n"
                                         ".extern .shared .b8 dynamic[];\n"
                                         ".visible .const .attribute(.unified(1, 2)) .u64 c;\n"
                                         ".weak .global .texref t;\n");
    assert_int_equal(m->vars, 5);
    const ptx_var *a = m->var[0];
    assert_string_equal(a->name, "a");
    assert_int_equal(a->space, PTX_SPACE_global);
    assert_int_equal(a->type, PTX_f32);
    assert_int_equal(a->width, 4);
    assert_int_equal(a->align, 16);
    assert_int_equal(a->dims, 2);
    assert_int_equal(a->dim[1], 3);
    assert_int_equal(a->bytes, 96);
    assert_int_equal(m->var[1]->bytes, 16);
    assert_int_equal(m->var[1]->at.column, 37);
    assert_int_equal(m->var[2]->link, PTX_EXTERN);
    assert_int_equal(m->var[2]->bytes, 0);
    assert_string_equal(m->var[3]->attribute, ".attribute(.unified(1, 2))");
    assert_string_equal(m->var[4]->opaque, "texref");
    assert_int_equal(m->var[4]->link, PTX_WEAK);
    ptx_free(m);
}

static void declares_registers(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".entry k() { .reg .b32 %r<3>, x; .reg .v4 .f32 v; .reg .pred none<0>; }");
    const ptx_function *f = m->function[0];
    static const char *const names[] = {"%r0", "%r1", "%r2", "x", "v"};
    assert_int_equal(f->registers, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(f->reg[i].name, names[i]);
    assert_int_equal(f->reg[4].width, 4);
    assert_int_equal(f->reg[4].type, PTX_f32);
    assert_int_equal(f->items, 3);
    assert_true(f->item[0].range);
    assert_int_equal(f->item[0].reg_count, 3);
    assert_int_equal(f->item[1].first_reg, 3);
    ptx_free(m);
}

static void refuses_wrong_declarations(void **state)
{
    (void)state;
    support_ptx_error(PTX_HEAD ".global .u33 x;", 4, 9, "expected a type, not `.u33`");
    support_ptx_error(PTX_HEAD ".global x;", 4, 9, "expected a type, not `x`");
    support_ptx_error(PTX_HEAD ".global .u32 .u32 x;", 4, 14, "expected a name");
    support_ptx_error(PTX_HEAD ".global .pred x;", 4, 15, "predicates have no memory");
    support_ptx_error(PTX_HEAD ".global .align 3 .u32 x;", 4, 16, "power of two, not 3");
    support_ptx_error(PTX_HEAD ".global .u32 x[2][];", 4, 19, "only the first");
    support_ptx_error(PTX_HEAD ".global .u32 x[2][0];", 4, 19, "an integer from 1");
    support_ptx_error(PTX_HEAD ".global .u32 x[-1];", 4, 16, "an integer from 0");
    support_ptx_error(PTX_HEAD ".global .u32 x[1.5];", 4, 16, "an integer from 0");
    support_ptx_error(PTX_HEAD ".global .u32 x[4294967296][4294967296];", 4, 14, "larger than any memory");
    support_ptx_error(PTX_HEAD ".global .u32 x[][4294967296][4294967296];", 4, 14, "larger than any memory");
    support_ptx_error(PTX_HEAD ".global .u32 x;\n.global .u32 x;", 5, 14, "declared twice; first in line 4");
    support_ptx_error(PTX_HEAD ".global .u32 x", 4, 15, "expected `;`, but the text ends");
    support_ptx_error(PTX_HEAD ".global .attribute .u32 x;", 4, 20, "a list of attributes");
    support_ptx_error(PTX_KERNEL(".reg .b32 %r3;"), 5, 11, "%r3 is declared twice; first in line 4");
    support_ptx_error(PTX_KERNEL(".reg .b32 %x<1000000000>;"), 5, 13, "more than 1048576 registers");
    support_ptx_error(PTX_KERNEL(".reg .b32 %x<1000000>, %y<1000000>;"), 5, 24, "more than 1048576 registers");
    support_ptx_error(PTX_KERNEL(".reg .b32 %x<n>;"), 5, 14, "how many registers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_types_sizes_and_alignment),
        cmocka_unit_test(declares_registers),
        cmocka_unit_test(refuses_wrong_declarations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
