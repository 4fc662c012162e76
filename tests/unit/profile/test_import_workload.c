/* gcast_workload_import: the workload that gridcast import writes, its parts, and what is refused. */
#include <string.h>

#include "gridcast/profile.h"
#include "gridcast/read.h"
#include "gridcast/simulate.h"
#include "support/support.h"

#define SMALL SOURCE_DIR "/tests/data/profiles/one-small.json.gz"

static gcast_status import(const gcast_import_options *o, gcast_workload **w, gcast_error *err)
{
    return gcast_workload_import(SMALL, o, w, err);
}

/* The end is that of `gridcast whatif` (docs/quickstart-profile.md). */
static void whole(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_run *run;
    gcast_error err;
    assert_ok(import(NULL, &w, &err), &err);
    assert_string_equal(w->gpu->name, "h200");
    assert_true(w->note_count > 0);
    assert_ok(gcast_workload_simulate(w, NULL, NULL, &run, &err), &err);
    assert_int_equal(run->end_ns, 5877122);
    gcast_run_free(run);
    gcast_workload_free(w);
}

static void parts(void **state)
{
    (void)state;
    gcast_workload *all, *part;
    gcast_error err;
    gcast_gpu *gpu;
    gcast_import_options o = gcast_import_options_default();
    assert_ok(import(&o, &all, &err), &err);
    o.to_ns = 3000000;
    assert_ok(gcast_gpu_preset("b200", &gpu, &err), &err);
    o.gpu = gpu;
    o.name = "a part";
    assert_ok(import(&o, &part, &err), &err);
    assert_in_range(part->op_count, 1, all->op_count - 1);
    assert_string_equal(part->gpu->name, "b200");
    assert_string_equal(part->name, "a part");
    gcast_gpu_free(gpu);
    gcast_workload_free(part);
    gcast_workload_free(all);
}

static void refused(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_error err;
    gcast_import_options o = gcast_import_options_default();
    o.device = 3;
    assert_int_equal(import(&o, &w, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "nothing ran on GPU 3"));
    assert_null(w);
    o = gcast_import_options_default();
    o.step = 99;
    assert_int_equal(import(&o, &w, &err), GCAST_INPUT);
    o.step = 1;
    o.range = "forward";
    assert_int_equal(import(&o, &w, &err), GCAST_USAGE);
    assert_int_equal(gcast_workload_import(SOURCE_DIR "/examples/thesis.json", NULL, &w, &err), GCAST_INPUT);
    assert_int_equal(gcast_workload_import("none.json", NULL, &w, &err), GCAST_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole), cmocka_unit_test(parts), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
