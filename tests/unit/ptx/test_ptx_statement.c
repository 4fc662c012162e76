#include "support/support.h"

#include <string.h>

#include "ptx/module.h"
#include "support/ptx.h"

static const ptx_function *kernel(const ptx_module *m)
{
    return m->function[m->functions - 1];
}

static void reads_instructions(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_KERNEL("@!%p1 ld.global.L1::evict_last.v2.f32 {%f1, %f2}, [%rd1];\nret;"));
    const ptx_instruction *n = support_ptx_instruction(m, 0);
    static const char *const mods[] = {"global", "L1::evict_last", "v2", "f32"};
    assert_string_equal(n->opcode, "ld");
    assert_int_equal(n->mods, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(n->mod[i], mods[i]);
    assert_int_equal(n->guard, 1);
    assert_true(n->guard_negated);
    assert_int_equal(n->at.line, 5);
    assert_int_equal(n->at.column, 7);
    assert_int_equal(n->operands, 2);
    assert_int_equal(support_ptx_instruction(m, 1)->guard, -1);
    assert_int_equal(support_ptx_instruction(m, 1)->operands, 0);
    ptx_free(m);
}

/* A label means that of the innermost scope that declares it, wherever in the scope it stands. */
static void finds_labels_by_scope(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_KERNEL("L: { bra L; bra M; L: ret; { bra L; } } bra L; M: ret;"));
    const ptx_function *f = kernel(m);
    uint32_t labels[3], count = 0;
    for (uint32_t i = 0; i < f->items; i++)
        if (f->item[i].kind == PTX_ITEM_LABEL)
            labels[count++] = i;
    assert_int_equal(count, 3);
    static const struct {
        uint32_t instruction, label;
    } branches[] = {{0, 1}, {1, 2}, {3, 1}, {4, 0}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(support_ptx_instruction(m, branches[i].instruction)->operand[0].target,
                         labels[branches[i].label]);
    ptx_free(m);
}

static void hides_outer_names(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_KERNEL("mov.b32 %r1, 1; { .reg .b32 %r1; mov.b32 %r1, 2; } mov.b32 %r1, 3;"));
    const ptx_function *f = kernel(m);
    uint32_t first = support_ptx_instruction(m, 0)->operand[0].reg;
    uint32_t inner = support_ptx_instruction(m, 1)->operand[0].reg;
    assert_int_not_equal(first, inner);
    assert_string_equal(f->reg[inner].name, "%r1");
    assert_int_equal(support_ptx_instruction(m, 2)->operand[0].reg, first);
    for (uint32_t i = 0; i < f->items; i++)
        if (f->item[i].kind == PTX_ITEM_OPEN || f->item[i].kind == PTX_ITEM_CLOSE)
            assert_int_equal(f->item[f->item[i].match].match, i);
    ptx_free(m);
}

static void carries_source_lines(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_KERNEL("mov.u32 %r1, 1; .loc 2 30 4, function_name $x+5, inlined_at 1 17 2\n"
                                           "mov.u32 %r1, 2; .pragma \"nounroll\"; ret;"));
    assert_int_equal(support_ptx_instruction(m, 0)->source_line, 0);
    const ptx_instruction *n = support_ptx_instruction(m, 1);
    assert_int_equal(n->source_file, 2);
    assert_int_equal(n->source_line, 30);
    assert_int_equal(n->source_column, 4);
    const ptx_function *f = kernel(m);
    assert_int_equal(f->item[f->items - 2].kind, PTX_ITEM_PRAGMA);
    assert_string_equal(f->item[f->items - 2].words, "\"nounroll\"");
    ptx_free(m);
}

static void reads_tables(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".func f() { ret; } .func g();\n"
                                         ".entry k() { .reg .b32 i; .reg .b64 a;\n"
                                         "T: .branchtargets A, B, A; brx.idx i, T;\n"
                                         "P: .callprototype (.param .b32 _) _ (.param .b64 _[2]) .noreturn;\n"
                                         "C: .calltargets f, g;\n"
                                         "call (i), a, (i), P; A: B: }");
    const ptx_function *f = kernel(m);
    const ptx_operand *o = &support_ptx_instruction(m, 0)->operand[1];
    assert_int_equal(o->kind, PTX_OP_TABLE);
    const ptx_item *t = &f->item[o->target];
    assert_int_equal(t->kind, PTX_ITEM_TARGETS);
    assert_int_equal(t->list.items, 3);
    assert_int_equal(t->list.item[0].target, t->list.item[2].target);
    assert_int_equal(f->item[t->list.item[1].target].kind, PTX_ITEM_LABEL);
    o = support_ptx_instruction(m, 1)->operand;
    assert_int_equal(o[0].kind, PTX_OP_LIST);
    assert_int_equal(o[1].kind, PTX_OP_REG);
    const ptx_function *prototype = f->item[o[3].target].prototype;
    assert_int_equal(prototype->returns, 1);
    assert_int_equal(prototype->param[0].bytes, 16);
    assert_string_equal(prototype->directives, ".noreturn");
    ptx_free(m);
}

static void refuses_wrong_statements(void **state)
{
    (void)state;
    support_ptx_error(PTX_KERNEL("bra GONE;"), 5, 5, "GONE is not declared");
    support_ptx_error(PTX_KERNEL("{ INNER: } bra INNER;"), 5, 16, "INNER is not declared");
    support_ptx_error(PTX_KERNEL("L: ret;\nL: ret;"), 6, 1, "L is declared twice; first in line 5");
    support_ptx_error(PTX_KERNEL("@%r1 ret;"), 5, 2, "%r1 is no predicate");
    support_ptx_error(PTX_KERNEL("@%p9 ret;"), 5, 2, "register %p9 is not declared");
    support_ptx_error(PTX_KERNEL("mov.u32 %r1 %r2;"), 5, 13, "expected `,` or `;`, not `%r2`");
    support_ptx_error(PTX_KERNEL("%r1 = 5;"), 5, 1, "expected an instruction, not `%r1`");
    support_ptx_error(PTX_KERNEL(".nothing 5;"), 5, 1, "not `.nothing`");
    support_ptx_error(PTX_KERNEL(".loc 1 2"), 6, 1, "a file, a line and a column");
    support_ptx_error(PTX_KERNEL("T: .branchtargets 5;"), 5, 19, "expected a label");
    support_ptx_error(PTX_KERNEL("{"), 7, 1, "but the text ends");
}

static void refuses_deep_scopes(void **state)
{
    (void)state;
    char source[5000] = PTX_HEAD ".entry k()\n";
    memset(source + strlen(source), '{', 4000);
    support_ptx_error(source, 5, 65, "more than 64 scopes inside each other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_instructions),  cmocka_unit_test(finds_labels_by_scope),
        cmocka_unit_test(hides_outer_names),   cmocka_unit_test(carries_source_lines),
        cmocka_unit_test(reads_tables),        cmocka_unit_test(refuses_wrong_statements),
        cmocka_unit_test(refuses_deep_scopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
