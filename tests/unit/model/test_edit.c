/* Changes to a workload that say something of its streams. */
#include "model/workload/workload.h"
#include "support/support.h"

/* A stream that came out of the NULL stream does not wait for it, and nobody assumes that. */
static void test_stream_like(void **state)
{
    gcast_workload *w;
    (void)state;
    assert_int_equal(gcast_workload_create("streams", &w, NULL), GCAST_OK);
    assert_int_equal(gcast_workload_get_stream(w, 0, NULL, NULL), GCAST_OK);
    assert_int_equal(gcast_workload_get_stream(w, 5, NULL, NULL), GCAST_OK);
    gcast_stream of_null = workload_stream_like(w, 0, 9), of_other = workload_stream_like(w, 1, 10);
    assert_int_equal(of_null.id, 9);
    assert_false(of_null.blocking);
    assert_true(of_null.blocking_given);
    assert_int_equal(of_other.id, 10);
    assert_false(of_other.blocking_given);
    workload_set_blocking(w, 1, false);
    assert_true(w->streams[1].blocking_given);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stream_like)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
