/* gcast_witness in windows: what lies beyond the first 3000 operations is found, and is shown from the start on. */
#include "analyze/witness/witness.h"
#include "files/workload_formats.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* A task of four short kernels, and one that comes once in a second, 70 us before a job of the first: 3600 operations
 * after the start. Only where it is late they meet. */
static gcast_workload *rare_task(const char *more)
{
    gcast_error err;
    gcast_workload *w;
    char json[1500];
    int size = snprintf(
        json, sizeof json,
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", %s \"tasks\": [{\"name\": \"t\", \"stream\": 1,"
        " \"period_ns\": 1000000, \"deadline_ns\": 50000, \"ops\": ["
        "{\"kind\": \"kernel\", \"label\": \"A\", \"grid\": 1, \"block\": 32, \"duration_ns\": 1000},"
        "{\"kind\": \"kernel\", \"label\": \"B\", \"grid\": 1, \"block\": 32, \"duration_ns\": 1000},"
        "{\"kind\": \"kernel\", \"label\": \"C\", \"grid\": 1, \"block\": 32, \"duration_ns\": 1000},"
        "{\"kind\": \"kernel\", \"label\": \"K\", \"grid\": 4, \"block\": 1024,"
        " \"duration_ns\": {\"min\": 1000, \"max\": 10000}}]}, {\"name\": \"u\", \"stream\": 2,"
        " \"period_ns\": 1000000000, \"offset_ns\": 899930000, \"jitter_ns\": 80000, \"ops\": ["
        "{\"kind\": \"kernel\", \"label\": \"L\", \"grid\": 4, \"block\": 1024,"
        " \"duration_ns\": {\"min\": 20000, \"max\": 40000}}]}]}",
        more);
    assert_ok(gcast_workload_read_native(json, (size_t)size, "test", &w, &err), &err);
    return w;
}

/* K of job 900 waits for L. Its witness begins with all operations before, which are as short as they can be. */
static void is_shown(const gcast_witness *witness, size_t k)
{
    gcast_error err;
    gcast_workload *made;
    gcast_run *run;
    size_t late, once = witness->workload->once_count;
    assert_ok(gcast_witness_workload(witness, k, &made, &late, &err), &err);
    assert_string_equal(made->ops[late].label, "K#900");
    assert_in_range(late, once + 3600 + 3,
                    once + 3600 + 4); /* L is called before it, or is so late that it is called after */
    assert_string_equal(made->ops[once + 3].label, "K#0");
    assert_int_equal(made->ops[once + 3].max_ns, 1000);
    assert_true(!once || made->ops[0].max_ns == 500);
    assert_ok(gcast_workload_simulate(made, NULL, NULL, &run, &err), &err);
    assert_int_equal(gcast_response_ns(&run->ops[late]), witness->seen_ns[k]);
    gcast_run_free(run);
    gcast_workload_free(made);
}

static void reaches_beyond_the_frame(const char *more)
{
    gcast_error err;
    gcast_witness *witness;
    gcast_workload *w = rare_task(more);
    gcast_witness_options options = gcast_witness_options_default();
    size_t k = w->once_count + 3;
    int64_t enough_ns[6] = {0};
    enough_ns[k] = 52500;
    options.enough_ns = enough_ns;
    options.max_operations = 2000000;
    assert_ok(gcast_workload_witness(w, NULL, &options, &witness, &err), &err);
    assert_in_range(witness->seen_ns[k], 45000, 53000); /* 10000 for K, 3000 for those before, 40000 for L */
    assert_true(witness->windows > 0);
    is_shown(witness, k);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

static void rare_tasks_are_met(void **state)
{
    (void)state;
    reaches_beyond_the_frame("");
}

/* What runs once is over before the window begins. */
static void ops_may_run_once(void **state)
{
    (void)state;
    reaches_beyond_the_frame("\"ops\": [{\"kind\": \"kernel\", \"label\": \"once\", \"stream\": 3, \"grid\": 1,"
                             " \"block\": 32, \"duration_ns\": {\"min\": 500, \"max\": 2000}}],");
}

/* There are no windows up to a horizon, since the caller says how far executions go. */
static void no_windows_with_a_horizon(void **state)
{
    (void)state;
    gcast_error err;
    gcast_witness *witness;
    gcast_workload *w = rare_task("");
    gcast_witness_options options = gcast_witness_options_default();
    options.max_operations = 200000;
    options.horizon_ns = 800000000;
    assert_ok(gcast_workload_witness(w, NULL, &options, &witness, &err), &err);
    assert_int_equal(witness->windows, 0);
    assert_int_equal(witness->seen_ns[3], 13000);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_tasks_are_met),
        cmocka_unit_test(ops_may_run_once),
        cmocka_unit_test(no_windows_with_a_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
