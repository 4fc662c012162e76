/* Every analysis refuses kernels that the GPU does not schedule alone. */
#include "files/workload_formats.h"
#include "support/support.h"

#include <string.h>

static const char text[] = "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"ops\": ["
                           "{\"kind\": \"kernel\", \"label\": \"A\", \"stream\": 1, \"grid\": 2, \"block\": 64, "
                           "\"duration_ns\": 5}, {\"kind\": \"kernel\", \"label\": \"B\", \"stream\": 2, \"grid\": 4, "
                           "\"block\": 64, \"duration_ns\": 5, \"policy\": \"sm_centric\", \"plan\": {}}]}";

static gcast_workload *read_workload(void)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read_native(text, strlen(text), "t.json", &w, &err), &err);
    return w;
}

static void assert_refused(gcast_status status, const gcast_error *err, const char *message)
{
    assert_int_equal(status, GCAST_INPUT);
    assert_string_equal(err->message, message);
    assert_string_equal(err->path, "/ops/1/policy");
}

static void by_every_method(void **state)
{
    (void)state;
    gcast_workload *w = read_workload();
    for (int m = 0; m < GCAST_METHODS; m++) {
        gcast_error err;
        gcast_analysis *a;
        assert_refused(gcast_workload_analyze(w, NULL, (gcast_method)m, NULL, &a, &err), &err,
                       "B has the policy sm_centric: gridcast can simulate such kernels, but not analyze them");
    }
    gcast_workload_free(w);
}

static void by_the_search_for_orders(void **state)
{
    (void)state;
    gcast_workload *w = read_workload();
    gcast_error err;
    gcast_advice *a;
    gcast_advise_options options = gcast_advise_options_default();
    options.orders = true;
    assert_refused(
        gcast_workload_advise(w, NULL, &options, &a, &err), &err,
        "B has the policy sm_centric: a search for orders needs kernels without plans and without launches of kernels");
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_every_method),
        cmocka_unit_test(by_the_search_for_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
