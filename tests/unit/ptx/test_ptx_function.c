#include "support/support.h"

#include <string.h>

#include "ptx/module.h"
#include "ptx/ptx.h"
#include "support/ptx.h"

static void reads_heads(void **state)
{
    (void)state;
    ptx_module *m =
        support_ptx(PTX_HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .align 8 .b8 b[16]);\n"
                             ".weak .func .attribute(.unified(1, 2)) plain { ret; }\n"
                             ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .f32 f)\n"
                             ".maxntid 256, 2 .minnctapersm 2 .reqntid 32 .pragma \"nounroll\"; { ret; }\n");
    const ptx_function *f = m->function[0];
    assert_int_equal(m->functions, 3);
    assert_false(f->has_body);
    assert_int_equal(f->link, PTX_EXTERN);
    assert_int_equal(f->returns, 1);
    assert_int_equal(f->params, 2);
    assert_int_equal(f->param[1].bytes, 16);
    assert_string_equal(m->function[1]->attribute, ".attribute(.unified(1, 2))");
    f = m->function[2];
    assert_true(f->is_entry && f->has_body);
    assert_string_equal(f->param[0].ptr, ".ptr .global .align 16");
    assert_int_equal(f->max_threads[0], 256);
    assert_int_equal(f->max_threads[1], 2);
    assert_int_equal(f->max_threads[2], 1);
    assert_int_equal(f->required_threads[0], 32);
    assert_string_equal(f->directives, ".maxntid 256, 2 .minnctapersm 2 .reqntid 32 .pragma \"nounroll\";");
    ptx_free(m);
}

static void makes_registers_of_parameters(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".func (.reg .u32 r) f(.reg .u32 x, .reg .f64 y) { mov.u32 r, x; ret; }");
    const ptx_function *f = m->function[0];
    static const char *const names[] = {"r", "x", "y"};
    assert_int_equal(f->registers, 3);
    for (int i = 0; i < 3; i++)
        assert_string_equal(f->reg[i].name, names[i]);
    assert_int_equal(support_ptx_instruction(m, 0)->operand[1].reg, 1);
    ptx_free(m);
}

/* A call of a declared function leads to its definition. */
static void leads_calls_to_the_body(void **state)
{
    (void)state;
    ptx_module *m = support_ptx(PTX_HEAD ".func f(); .func twin(); .func other();\n"
                                         ".func k() { call f; call twin; call other; ret; }\n"
                                         ".func f() { ret; }\n"
                                         ".alias twin, f;\n");
    assert_int_equal(m->functions, 5);
    const ptx_function *caller = m->function[3], *body = m->function[4];
    assert_true(body->has_body);
    assert_ptr_equal(caller->item[0].instruction->operand[0].function, body);
    assert_ptr_equal(caller->item[1].instruction->operand[0].function, body);
    assert_ptr_equal(caller->item[2].instruction->operand[0].function, m->function[2]);
    assert_string_equal(m->function[1]->alias, "f");
    assert_ptr_equal(ptx_find_function(m, "f"), body);
    assert_ptr_equal(ptx_find_function(m, "other"), m->function[2]);
    assert_null(ptx_find_function(m, "nobody"));
    ptx_free(m);
}

static void refuses_wrong_functions(void **state)
{
    (void)state;
    support_ptx_error(PTX_HEAD ".func f() { ret; }\n.func f() { ret; }", 5, 7, "f has a body already, in line 4");
    support_ptx_error(PTX_HEAD ".global .u32 f;\n.func f();", 5, 7, "declared as something else in line 4");
    support_ptx_error(PTX_HEAD ".func f(.param .u32 a, .param .u32 a);", 4, 36, "a is declared twice");
    support_ptx_error(PTX_HEAD ".func f(.local .u32 a);", 4, 9, "expected a parameter");
    support_ptx_error(PTX_HEAD ".entry 5();", 4, 8, "the name of a function");
    support_ptx_error(PTX_HEAD ".entry k() .maxntid 1, 2, 3, 4 { }", 4, 30, "one to three numbers");
    support_ptx_error(PTX_HEAD ".entry k() .maxntid 0 { }", 4, 21, "one to three numbers");
    support_ptx_error(PTX_HEAD ".entry k() ret; }", 4, 12, "a directive, `{` or `;`");
    support_ptx_error(PTX_HEAD ".func f(); .alias f, g;", 4, 22, "g is no function that is declared");
    support_ptx_error(PTX_HEAD ".func f(); .func g(); .alias f, g;", 4, 33, "g has no body");
    support_ptx_error(PTX_HEAD ".func f() { ret; } .alias f, f;", 4, 27, "has a body or is an alias");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_heads),
        cmocka_unit_test(makes_registers_of_parameters),
        cmocka_unit_test(leads_calls_to_the_body),
        cmocka_unit_test(refuses_wrong_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
