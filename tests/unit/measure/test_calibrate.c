#include "files/workload_formats.h"
#include "support/support.h"

#include <string.h>

static gcast_workload *looping(void)
{
    const char *text = "{\"name\": \"t\", \"max_iterations\": 3, \"max_time\": 0, \"cuda_device\": 0, \"benchmarks\": ["
                       "{\"filename\": \"counter_spin.so\", \"label\": \"K\", \"thread_count\": 1, \"block_count\": 1,"
                       " \"data_size\": 0}]}";
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read(text, strlen(text), "t", NULL, &w, &err), &err);
    return w;
}

static gcast_status calibrate(gcast_workload *w, const char *text, gcast_error *err)
{
    return gcast_workload_calibrate(w, text, strlen(text), "c.json", err);
}

static void sets_every_iteration(void **state)
{
    (void)state;
    gcast_workload *w = looping();
    gcast_error err;
    assert_ok(calibrate(w, "{\"K\": 50, \"K#2\": 60}", &err), &err);
    assert_int_equal(w->ops[0].max_ns, 50);
    assert_int_equal(w->ops[2].max_ns, 60);
    assert_int_equal(w->ops[4].max_ns, 50);
    assert_int_equal(w->ops[1].kind, GCAST_KIND_SYNC);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_OK);
    gcast_workload_free(w);
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path;
    } cases[] = {
        {"{\"K\": 0}", "/K"},     {"{\"K\": 1.5}", "/K"},         {"{\"L\": 1}", "/L"},
        {"{\"K\": \"1\"}", "/K"}, {"{\"K: end\": 1}", "/K: end"}, {"[]", ""},
    };
    gcast_workload *w = looping();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_error err;
        assert_int_equal(calibrate(w, cases[i].text, &err), GCAST_INPUT);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.file, "c.json");
    }
    assert_int_equal(w->ops[0].max_ns, GCAST_UNKNOWN_NS);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_every_iteration),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
