#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "gridcast/ptx.h"
#include "ptx/public.h"
#include "support/ptx.h"

static void shows_kernels_and_parameters(void **state)
{
    (void)state;
    static const char source[] = PTX_HEAD ".entry declared(); .func f() { ret; }\n"
                                          ".visible .entry one(.param .u64 a, .param .align 4 .b8 b[12]) { ret; }\n"
                                          ".entry two(.param .texref t) { ret; }\n";
    gcast_ptx *p, *reparsed;
    gcast_error err;
    assert_ok(gcast_ptx_parse(source, strlen(source), "a.ptx", &p, &err), &err);
    assert_int_equal(gcast_ptx_kernels(p), 2);
    assert_string_equal(gcast_ptx_kernel(p, 0), "one");
    assert_string_equal(gcast_ptx_kernel(p, 1), "two");
    assert_int_equal(gcast_ptx_params(p, 0), 2);
    assert_int_equal(gcast_ptx_param_bytes(p, 0, 0), 8);
    assert_string_equal(gcast_ptx_param_type(p, 0, 0), "u64");
    assert_int_equal(gcast_ptx_param_bytes(p, 0, 1), 12);
    assert_int_equal(gcast_ptx_param_elements(p, 0, 0), 0);
    assert_int_equal(gcast_ptx_param_elements(p, 0, 1), 12);
    assert_int_equal(gcast_ptx_param_elements(p, 1, 0), 0);
    assert_string_equal(gcast_ptx_param_type(p, 1, 0), "texref");
    char *out;
    size_t size;
    assert_ok(gcast_ptx_print(p, &out, &size, &err), &err);
    assert_ok(gcast_ptx_parse(out, size, NULL, &reparsed, &err), &err);
    assert_true(gcast_ptx_same(p, reparsed));
    free(out);
    gcast_ptx_free(reparsed);
    gcast_ptx_free(p);
}

/* Also where blocks meet in a function that is called, or that is in a table that is used. */
static void knows_kernels_whose_blocks_meet(void **state)
{
    (void)state;
    static const char source[] =
        PTX_HEAD ".func deep() { .reg .b32 %r; mov.u32 %r, %envreg1; ret; }\n.func f() { call deep; ret; }\n"
                 ".global .u64 table[1] = {f};\n.entry no() { .reg .b32 %r; mov.u32 %r, %envreg3; ret; }\n"
                 ".entry by_call() { call f; ret; }\n"
                 ".entry by_table() { .reg .b64 %d; mov.u64 %d, table; ret; }\n";
    gcast_ptx *p;
    gcast_error err;
    assert_ok(gcast_ptx_parse(source, strlen(source), "a.ptx", &p, &err), &err);
    assert_int_equal(gcast_ptx_kernels(p), 3);
    for (uint32_t i = 0; i < 3; i++) {
        bool cooperative;
        assert_ok(gcast_ptx_cooperative(p, i, &cooperative, &err), &err);
        assert_int_equal(cooperative, i > 0);
    }
    gcast_ptx_free(p);
}

static void names_the_file_in_errors(void **state)
{
    (void)state;
    gcast_ptx *p;
    gcast_error err;
    assert_int_equal(gcast_ptx_parse("x", 1, "a.ptx", &p, &err), GCAST_INPUT);
    assert_null(p);
    assert_string_equal(err.file, "a.ptx");
    assert_int_equal(err.line, 1);
    assert_int_equal(gcast_ptx_parse("x", 1, NULL, &p, NULL), GCAST_INPUT);
    gcast_ptx_free(NULL);
}

static void knows_variables(void **state)
{
    (void)state;
    static const char source[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                 ".global .u32 seen;\n.const .b8 table[24];\n.shared .u32 held;\n";
    gcast_ptx *p;
    gcast_error err;
    uint64_t bytes = 0;
    assert_ok(gcast_ptx_parse(source, strlen(source), NULL, &p, &err), &err);
    assert_true(gcast_ptx_variable_bytes(p, "seen", &bytes));
    assert_int_equal(bytes, 4);
    assert_true(gcast_ptx_variable_bytes(p, "table", &bytes));
    assert_int_equal(bytes, 24);
    assert_false(gcast_ptx_variable_bytes(p, "held", &bytes));
    assert_false(gcast_ptx_variable_bytes(p, "none", &bytes));
    gcast_ptx_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_kernels_and_parameters),
        cmocka_unit_test(knows_kernels_whose_blocks_meet),
        cmocka_unit_test(knows_variables),
        cmocka_unit_test(names_the_file_in_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
