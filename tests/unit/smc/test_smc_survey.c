/* Which kernels of a module can be transformed, why others cannot, and that plans are looked at before they are used.
 */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static const char source[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                             ".entry plain() { ret; }\n"
                             ".entry asks()\n{\n.reg .u32 %r;\nmov.u32 %r, %smid;\nret;\n}\n";

static gcast_ptx *parse(void)
{
    gcast_ptx *p = NULL;
    gcast_error err;
    assert_ok(gcast_ptx_parse(source, strlen(source), "k.ptx", &p, &err), &err);
    return p;
}

static void kernels_are_told_apart(void **state)
{
    (void)state;
    gcast_ptx *p = parse();
    gcast_smc_options o = gcast_smc_options_default();
    gcast_error err;
    o.kernel = "plain";
    assert_ok(gcast_smc_check(p, &o, &err), &err);
    o.kernel = "asks";
    assert_int_equal(gcast_smc_check(p, &o, &err), GCAST_INPUT);
    assert_int_equal(err.line, 8);
    assert_string_equal(err.message, "asks cannot be made SM-centric: it asks for its SM, which the plan chooses");
    o.kernel = NULL;
    assert_int_equal(gcast_smc_check(p, &o, NULL), GCAST_INPUT);
    o.kernel = "none";
    assert_int_equal(gcast_smc_check(p, &o, &err), GCAST_INPUT);
    assert_string_equal(err.message, "there is no kernel none");
    gcast_ptx_free(p);
}

static void a_bad_plan_is_refused(void **state)
{
    (void)state;
    gcast_plan_options wanted = gcast_plan_options_default();
    gcast_smc_options o = gcast_smc_options_default();
    gcast_plan *plan = NULL;
    gcast_error err;
    char *out;
    size_t size;
    memcpy(wanted.grid, (uint32_t[]){4, 1, 1}, sizeof wanted.grid);
    wanted.sms = 2;
    wanted.workers = 1;
    assert_ok(gcast_plan_make(&wanted, &plan, &err), &err);
    o.kernel = "plain";
    o.plan = plan;
    assert_ok(gcast_smc_transform(source, strlen(source), "k.ptx", &o, &out, &size, &err), &err);
    assert_non_null(strstr(out, "plain_smc_job"));
    free(out);
    plan->job[3] = 9;
    assert_int_equal(gcast_smc_transform(source, strlen(source), "k.ptx", &o, &out, &size, &err), GCAST_INPUT);
    assert_null(out);
    assert_string_equal(err.path, "/queues/1");
    assert_string_equal(err.file, "");
    gcast_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_told_apart),
        cmocka_unit_test(a_bad_plan_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
