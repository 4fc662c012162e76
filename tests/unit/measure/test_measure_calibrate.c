/* A calibration against a driver without a GPU (tests/measure/stub_cuda.c): it is
 * complete, and every call that fails is reported and leaks nothing. */
#include <stdio.h>

#include "measure/calibration.h"
#include "measure/stub_client.h"
#include "support/builders.h"

static gcast_status calibrate(int sms, const char *library, size_t repeat, gcast_calibration **c, gcast_error *err)
{
    gcast_measure_options options = gcast_measure_options_default();
    options.latency_ns = 0; /* test_latency_quantiles has these */
    options.library = library;
    return gcast_calibration_measure(sms, &options, repeat, c, err);
}

static bool listen(void *data, double fraction)
{
    double *last = data;
    assert_true(fraction >= *last && fraction <= 1);
    *last = fraction;
    return true;
}

static bool refuse(void *data, double fraction)
{
    (void)data;
    (void)fraction;
    return false;
}

static void test_progress(void **state)
{
    (void)state;
    gcast_error err;
    gcast_calibration *c;
    double last = 0;
    gcast_measure_options options = gcast_measure_options_default();
    options.library = STUB_CUDA;
    options.latency_ns = 1;
    options.progress = listen;
    options.progress_data = &last;
    assert_ok(gcast_calibration_measure(2, &options, 2, &c, &err), &err);
    assert_true(last > 0.8);
    gcast_calibration_free(c);
    options.progress = refuse;
    assert_int_equal(gcast_calibration_measure(2, &options, 2, &c, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "stopped");
}

static void test_partition(void **state)
{
    (void)state;
    gcast_error err;
    gcast_calibration *c;
    setenv("STUB_SM", "40", 1);
    assert_ok(calibrate(2, STUB_CUDA, 2, &c, &err), &err);
    assert_string_equal(c->gpu->title, "Stub 0");
    assert_int_equal(c->gpu->sms, 2);
    assert_int_equal(c->readings[GCAST_READ_DISPATCH].samples, 2 * 8); /* the stub starts a block per nanosecond */
    assert_int_equal(c->readings[GCAST_READ_DISPATCH].median, 1000);
    assert_int_equal(c->launches, 2 * 16);
    assert_int_equal(c->orders, 1);
    assert_int_equal(c->order[1], 1);
    assert_true(gcast_calibration_stable(c));
    gcast_gpu *gpu = support_gpu_copy(c->gpu, &err);
    assert_ok(gcast_calibration_apply(c, gpu, &err), &err);
    assert_ok(gcast_gpu_check(gpu, &err), &err);
    gcast_gpu_free(gpu);
    gcast_calibration_free(c);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

/* The whole GPU; `library` is that of the device runtime. */
static gcast_calibration *calibrate_launches(const char *driver, const char *library)
{
    gcast_error err;
    gcast_calibration *c;
    gcast_measure_options options = gcast_measure_options_default();
    options.library = driver;
    options.latency_ns = 0;
    options.cudadevrt = library;
    assert_ok(gcast_calibration_measure(0, &options, 1, &c, &err), &err);
    return c;
}

/* The numbers are those of tests/measure/stub_devrt.c. */
static void test_launches(void **state)
{
    (void)state;
    static const struct {
        gcast_reading_id id;
        size_t samples;
        int64_t median;
    } expected[] = {{GCAST_READ_CHILD_LAUNCH, 200, 6000},   {GCAST_READ_CHILD_STEP, 200, 200},
                    {GCAST_READ_CHILD_CALL, 200, 5800},     {GCAST_READ_CHILD_CALL_STEP, 200, 220},
                    {GCAST_READ_CHILD_SERVICE, 50, 213},    {GCAST_READ_CHILD_POOL, 10, 2048},
                    {GCAST_READ_CHILD_REFUSED, 210, 13000}, {GCAST_READ_CHILD_QUEUES, 10, 64}};
    gcast_error err;
    gcast_calibration *c = calibrate_launches(STUB_CUDA, STUB_CUDA); /* any file that can be read */
    assert_null(c->children_missing);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(c->readings[expected[i].id].samples, expected[i].samples);
        assert_int_equal(c->readings[expected[i].id].median, expected[i].median);
    }
    gcast_gpu *gpu = support_gpu_copy(c->gpu, &err);
    assert_ok(gcast_calibration_apply(c, gpu, &err), &err);
    assert_int_equal(gpu->child_step_ns, 200);
    assert_int_equal(gpu->child_queues, 64);
    gcast_gpu_free(gpu);
    gcast_calibration_free(c);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

/* Where launches cannot be measured, all else is. */
static void test_no_launches(void **state)
{
    (void)state;
    gcast_calibration *c = calibrate_launches(STUB_CUDA, "./none.a");
    assert_string_equal(c->children_missing, "./none.a cannot be read");
    assert_int_equal(c->readings[GCAST_READ_CHILD_LAUNCH].samples, 0);
    assert_int_equal(c->readings[GCAST_READ_DISPATCH].samples, 8);
    gcast_calibration_free(c);
    c = calibrate_launches(STUB_CUDA_OLD, STUB_CUDA);
    assert_string_equal(c->children_missing, "this driver cannot link");
    gcast_calibration_free(c);
    setenv("STUB_CC", "8", 1);
    c = calibrate_launches(STUB_CUDA, STUB_CUDA);
    assert_string_equal(c->children_missing, "that needs compute capability 9.0 or newer");
    gcast_calibration_free(c);
    unsetenv("STUB_CC");
    setenv("STUB_LOST", "1", 1); /* what cannot be right adds no sample */
    c = calibrate_launches(STUB_CUDA, STUB_CUDA);
    assert_null(c->children_missing);
    assert_int_equal(c->readings[GCAST_READ_CHILD_LAUNCH].samples, 0);
    assert_int_equal(c->readings[GCAST_READ_CHILD_SERVICE].samples, 0);
    assert_int_equal(c->readings[GCAST_READ_CHILD_POOL].samples, 10);
    gcast_calibration_free(c);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

/* Lets each of the first calls fail, then one of every 23, until none fails. */
static void test_failures(void **state)
{
    (void)state;
    gcast_status status = GCAST_GPU;
    int n = 0;
    while (status == GCAST_GPU && n < 5000) {
        char number[16];
        gcast_error err;
        gcast_calibration *c = NULL;
        stub_restart(NULL);
        n += n < 40 ? 1 : 23;
        snprintf(number, sizeof number, "%d", n);
        setenv("STUB_FAIL", number, 1);
        status = calibrate(2, STUB_CUDA, 1, &c, &err);
        assert_int_equal(stub_ask("stub_outstanding"), 0);
        if (status == GCAST_OK) {
            gcast_calibration_free(c);
            break;
        }
        assert_int_equal(status, GCAST_GPU);
        assert_null(c);
        assert_non_null(strstr(err.message, "CUDA_ERROR_UNKNOWN"));
    }
    assert_int_equal(status, GCAST_OK);
    assert_in_range(n, 400, 4999);
}

static void test_no_gpu(void **state)
{
    (void)state;
    gcast_error err;
    gcast_calibration *c = NULL;
    assert_int_equal(calibrate(0, "./libnone.so", 1, &c, &err), GCAST_GPU);
    assert_string_equal(err.message, "no usable GPU: ./libnone.so cannot be opened");
    assert_int_equal(calibrate(2, STUB_CUDA_OLD, 1, &c, &err), GCAST_GPU);
    assert_int_equal(calibrate(3, STUB_CUDA, 1, &c, &err), GCAST_GPU);
    assert_null(c);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_progress, stub_restart), cmocka_unit_test_setup(test_partition, stub_restart),
        cmocka_unit_test_setup(test_launches, stub_restart), cmocka_unit_test_setup(test_no_launches, stub_restart),
        cmocka_unit_test_setup(test_failures, stub_restart), cmocka_unit_test_setup(test_no_gpu, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}
