#include "support/support.h"

#include <string.h>

#include "ptx/module.h"
#include "support/ptx.h"

static void tells_kinds_apart(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".global .u32 g[4]; .func f() { ret; }\n"
                                         ".entry k() { .reg .b32 %r<4>; .reg .v4 .f32 v; .reg .pred p;\n"
                                         "any %r2, v.y, %tid.x, %laneid, -5, 5U, 0f3F800000, 1.5, g+4, f, END, _, !p, "
                                         "%r1|p, {%r0, _, 7}, %r1.h1, v.a; END: }");
    static const ptx_operand_kind kinds[] = {PTX_OP_REG,   PTX_OP_REG,  PTX_OP_SPECIAL, PTX_OP_SPECIAL, PTX_OP_INT,
                                             PTX_OP_INT,   PTX_OP_F32,  PTX_OP_F64,     PTX_OP_VAR,     PTX_OP_FUNCTION,
                                             PTX_OP_LABEL, PTX_OP_SINK, PTX_OP_REG,     PTX_OP_PAIR,    PTX_OP_VECTOR,
                                             PTX_OP_REG,   PTX_OP_REG};
    const ptx_instruction *n = support_ptx_instruction(m, 0);
    const ptx_operand *o = n->operand;
    assert_int_equal(n->operands, sizeof kinds / sizeof *kinds);
    for (uint32_t i = 0; i < n->operands; i++)
        assert_int_equal(o[i].kind, kinds[i]);
    assert_int_equal(o[0].reg, 2);
    assert_int_equal(o[1].reg, 4);
    assert_int_equal(o[1].component, 2);
    assert_string_equal(o[2].name, "%tid");
    assert_int_equal(o[2].component, 1);
    assert_true((int64_t)o[4].bits == -5 && o[4].is_signed && o[5].bits == 5 && !o[5].is_signed);
    assert_ptr_equal(o[8].var, m->var[0]);
    assert_int_equal(o[8].offset, 4);
    assert_ptr_equal(o[9].function, m->function[0]);
    assert_int_equal(m->function[1]->item[o[10].target].kind, PTX_ITEM_LABEL);
    assert_true(o[12].negated);
    assert_int_equal(o[13].item[1].reg, 5);
    assert_int_equal(o[14].items, 3);
    assert_int_equal(o[14].item[1].kind, PTX_OP_SINK);
    assert_int_equal(o[15].component, 10);
    assert_int_equal(o[16].component, 4);
    assert_int_equal(o[0].at.line, 6);
    assert_int_equal(o[0].at.column, 5);
    ptx_free(m);
}

static void reads_addresses(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(
        PTX_KERNEL("any [%rd1], [%rd1+8], [%rd1+-8], [%rd1 - 8], [out+4*2], [0x10], [-4], [%rd1, {%r1, %r2}];"));
    const ptx_operand *o = support_ptx_instruction(m, 0)->operand;
    static const int64_t offsets[] = {0, 8, -8, -8, 8, 16, -4, 0};
    static const uint32_t items[] = {1, 1, 1, 1, 1, 0, 0, 2};
    for (int i = 0; i < 8; i++) {
        assert_int_equal(o[i].kind, PTX_OP_ADDRESS);
        assert_int_equal(o[i].offset, offsets[i]);
        assert_int_equal(o[i].items, items[i]);
    }
    assert_int_equal(o[4].item[0].kind, PTX_OP_VAR);
    assert_string_equal(o[4].item[0].var->name, "out");
    assert_int_equal(o[7].item[1].kind, PTX_OP_VECTOR);
    ptx_free(m);
}

static void refuses_wrong_operands(void **state)
{
    (void)state;
    support_ptx_error(PTX_KERNEL("add.s32 %r1, %r9, 1;"), 5, 14, "register %r9 is not declared");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, nothing;"), 5, 14, "nothing is not declared");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, %tid.q;"), 5, 18, "a component such as .x");
    support_ptx_error(PTX_KERNEL("ld.u32 %r1, [%rd1+%r2];"), 5, 19, "expected a number");
    support_ptx_error(PTX_KERNEL("ld.u32 %r1, [%rd1+1.5];"), 5, 18, "an offset is an integer");
    support_ptx_error(PTX_KERNEL("ld.u32 %r1, [1.5];"), 5, 14, "no floating-point number");
    support_ptx_error(PTX_KERNEL("ld.u32 %r1, [%rd1;"), 5, 18, "expected `]`");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, {%r2;"), 5, 18, "expected `}`");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1, {{{{{{{{{1}}}}}}}}};"), 5, 22, "more than 8 brackets");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1,;"), 5, 13, "expected an operand, not `;`");
    support_ptx_error(PTX_KERNEL("mov.pred %p1, !1;"), 5, 16, "expected a predicate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_kinds_apart),
        cmocka_unit_test(reads_addresses),
        cmocka_unit_test(refuses_wrong_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
