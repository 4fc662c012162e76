/* Kernels that launch kernels, on a driver without a GPU (tests/measure/stub_devrt.c): every call that fails gives a
 * reason, and leaks nothing; a GPU that hangs is left alone; the caller may stop it. */
#include "measure/devrt/child_runs.h"

#include <stdio.h>

#include "measure/stub_client.h"

static gcast_measure_options stub_options(void)
{
    gcast_measure_options options = gcast_measure_options_default();
    options.library = STUB_CUDA;
    options.cudadevrt = STUB_CUDA; /* any file that can be read */
    return options;
}

static size_t sample_count(const observations *o)
{
    size_t count = 0;
    for (int id = GCAST_READ_CHILD_LAUNCH; id <= GCAST_READ_CHILD_QUEUES; id++)
        count += o->readings[id].count;
    return count;
}

/* Lets each of the first calls fail, then one of every 29. */
static void test_failures(void **state)
{
    (void)state;
    gcast_measure_options options = stub_options();
    int n = 0;
    for (bool failed = true; failed; n += n < 60 ? 1 : 29) {
        char number[16], reason[CHILD_REASON_BYTES];
        gcast_error err;
        observations o = {0};
        stub_restart(NULL);
        snprintf(number, sizeof number, "%d", n + 1);
        setenv("STUB_FAIL", number, 1);
        assert_ok(child_runs_measure(&o, &options, reason, &err), &err);
        failed = reason[0];
        assert_true(!failed || strstr(reason, "CUDA_ERROR_UNKNOWN"));
        assert_true(failed ? sample_count(&o) == 0 : sample_count(&o) == 4 * 200 + 50 + 10 + 210 + 10);
        assert_int_equal(stub_ask("stub_outstanding"), 0);
        observations_free(&o);
    }
    assert_in_range(n, 2000, 5000);
}

static void test_hang(void **state)
{
    (void)state;
    gcast_measure_options options = stub_options();
    char reason[CHILD_REASON_BYTES];
    gcast_error err;
    observations o = {0};
    options.limit_ns = 2000000;
    setenv("STUB_HANG", "1", 1);
    assert_ok(child_runs_measure(&o, &options, reason, &err), &err);
    assert_string_equal(reason, "a kernel that launches still runs after 2 ms; given up");
    assert_int_equal(sample_count(&o), 0);
    observations_free(&o);
}

/* Stops at the third part. */
static bool stop(void *data, double fraction)
{
    int *times = data;
    assert_in_range((int)(fraction * 100), 0, 99);
    return ++*times < 3;
}

static void test_stop(void **state)
{
    (void)state;
    gcast_measure_options options = stub_options();
    char reason[CHILD_REASON_BYTES];
    gcast_error err;
    observations o = {0};
    int times = 0;
    options.progress = stop;
    options.progress_data = &times;
    assert_int_equal(child_runs_measure(&o, &options, reason, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "stopped");
    assert_int_equal(sample_count(&o), 0);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
    observations_free(&o);
}

static void test_no_driver(void **state)
{
    (void)state;
    gcast_measure_options options = stub_options();
    char reason[CHILD_REASON_BYTES];
    gcast_error err;
    observations o = {0};
    options.library = "./libnone.so";
    assert_ok(child_runs_measure(&o, &options, reason, &err), &err);
    assert_string_equal(reason, "no usable GPU: ./libnone.so cannot be opened");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_failures, stub_restart),
        cmocka_unit_test_setup(test_stop, stub_restart),
        cmocka_unit_test_setup(test_no_driver, stub_restart),
        cmocka_unit_test_setup(test_hang, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}
