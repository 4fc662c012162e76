/* Latencies of calls: quantiles of samples and of conditions together, and measured with a driver without a GPU
 * (tests/measure/stub_cuda.c). */
#include <stdio.h>

#include "base/integers.h"
#include "measure/calibrate/latencies.h"
#include "measure/calibration.h"
#include "measure/stub_client.h"
#include "support/builders.h"

#define TRIES 50
#define SHORT_NS 20000000 /* for latencies: most conditions get a call or a few */

/* Samples first, first + step, ..., in descending order. */
static gcast_latency latency_of(size_t count, int64_t first, int64_t step, int64_t min_ns)
{
    latency_samples s = {.min_ns = min_ns};
    for (size_t i = count; i-- > 0;)
        assert_true(vec_push(&s.longest_ns, first + (int64_t)i * step));
    gcast_latency l = quantiles_of_samples(&s);
    vec_free(&s.longest_ns);
    return l;
}

static void check_quantile(const gcast_latency *l, int i, int64_t one_in, int64_t ns)
{
    assert_true(i < l->count);
    assert_int_equal(l->quantile[i].one_in, one_in);
    assert_int_equal(l->quantile[i].ns, ns);
}

/* Of n samples n / N are longer than the quantile of one in N. */
static void test_samples(void **state)
{
    (void)state;
    gcast_latency l = latency_of(1000, 1, 1, 0);
    assert_int_equal(l.samples, 1000);
    assert_int_equal(l.min_ns, 0);
    assert_int_equal(l.max_ns, 1000);
    assert_int_equal(l.count, 4);
    check_quantile(&l, 0, 2, 500);
    check_quantile(&l, 1, 10, 900);
    check_quantile(&l, 2, 100, 990);
    check_quantile(&l, 3, 1000, 999);
    l = latency_of(1, 7, 0, 5);
    assert_int_equal(l.count, 0);
    assert_int_equal(l.min_ns, 5);
    assert_int_equal(l.max_ns, 7);
    l = latency_of(0, 0, 0, -1);
    assert_int_equal(l.samples, 0);
    assert_int_equal(l.min_ns, 0);
}

/* Every quantile holds under each condition; one with few samples counts with its maximum. */
static void test_conditions(void **state)
{
    (void)state;
    gcast_error err;
    const gcast_latency_condition c[] = {
        {.call = GCAST_CALL_LAUNCH, .latency = latency_of(1000, 1, 1, 1)},
        {.call = GCAST_CALL_LAUNCH, .pause_ns = 20000000, .latency = latency_of(20, 100, 44, 90)},
        {.call = GCAST_CALL_H2D, .latency = latency_of(10, 5000, 1, 4000)},
        {.call = GCAST_CALL_D2H, .latency = latency_of(12, 3000, 1, 3000)},
        {.call = GCAST_CALL_LAUNCH, .gpu_busy = true},
    };
    gcast_latency l = quantiles_of_conditions(c, 5, true);
    assert_int_equal(l.samples, 1020);
    assert_int_equal(l.min_ns, 1);
    assert_int_equal(l.max_ns, 1000);
    assert_int_equal(l.count, 4);
    check_quantile(&l, 0, 2, 500);
    check_quantile(&l, 1, 10, 900);
    check_quantile(&l, 2, 100, 990);
    check_quantile(&l, 3, 1000, 999);
    const gcast_latency_condition slow[] = {
        {.call = GCAST_CALL_LAUNCH, .latency = latency_of(1000, 1, 1, 1)},
        {.call = GCAST_CALL_LAUNCH, .pause_ns = 20000000, .latency = latency_of(20, 1000, 100, 900)}};
    l = quantiles_of_conditions(slow, 2, true);
    check_quantile(&l, 0, 2, 1900);
    check_quantile(&l, 1, 10, 2700);
    check_quantile(&l, 2, 100, 2900); /* the longest of 20 */
    check_quantile(&l, 3, 1000, 2900);
    assert_int_equal(l.max_ns, 2900);
    l = quantiles_of_conditions(c, 5, false);
    assert_int_equal(l.samples, 22);
    assert_int_equal(l.min_ns, 3000);
    assert_int_equal(l.max_ns, 5009);
    assert_int_equal(l.count, 2);
    check_quantile(&l, 1, 10, 5008);
    gcast_gpu *gpu;
    assert_ok(gcast_gpu_create("g", 9, 0, 2, &gpu, &err), &err);
    gpu->launch_quantiles = l;
    assert_ok(gcast_gpu_check(gpu, &err), &err);
    gcast_gpu_free(gpu);
    l = quantiles_of_conditions(c, 0, true);
    assert_int_equal(l.samples, 0);
}

static gcast_status calibrate(int64_t latency_ns, gcast_calibration **c, gcast_error *err)
{
    gcast_measure_options options = gcast_measure_options_default();
    options.library = STUB_CUDA;
    options.latency_ns = latency_ns;
    return gcast_calibration_measure(2, &options, 1, c, err);
}

/* Every condition has samples, which go into a GPU with a source each. */
static void test_calibration(void **state)
{
    (void)state;
    gcast_error err;
    gcast_calibration *c;
    assert_ok(calibrate(SHORT_NS, &c, &err), &err);
    assert_int_equal(c->condition_count, 48);
    int64_t launches = 0;
    for (size_t i = 0; i < c->condition_count; i++) {
        const gcast_latency_condition *at = &c->conditions[i];
        assert_true(at->latency.samples > 0);
        assert_true(at->latency.min_ns <= at->latency.max_ns);
        if (at->call == GCAST_CALL_LAUNCH)
            launches += at->latency.samples;
    }
    assert_int_equal(c->launch_quantiles.samples, launches);
    assert_true(launches >= 16);
    assert_true(c->clocks_open_ns > 0);
    gcast_gpu *gpu = support_gpu_copy(c->gpu, &err);
    assert_ok(gcast_calibration_apply(c, gpu, &err), &err);
    assert_ok(gcast_gpu_check(gpu, &err), &err);
    assert_int_equal(gpu->launch_quantiles.samples, launches);
    assert_true(gpu->copy_quantiles.samples >= 32);
    const gcast_reading *slow = &c->readings[GCAST_READ_COPY_SLOW];
    assert_true(slow->samples >= 8); /* each way, GPU and host idle and busy */
    assert_int_equal(gpu->copy_slow_percent, max_i64(slow->max, 100));
    size_t sources = 0;
    for (size_t i = 0; i < gpu->source_count; i++)
        sources += strcmp(gpu->sources[i].fields, "launch_quantiles") == 0;
    assert_int_equal(sources, 16);
    gcast_gpu_free(gpu);
    gcast_calibration_free(c);
    assert_ok(calibrate(0, &c, &err), &err);
    assert_int_equal(c->condition_count, 0);
    assert_int_equal(c->launch_quantiles.samples, 0);
    gcast_calibration_free(c);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

static gcast_status measure(int64_t limit_ns, latency_results *results, gcast_error *err)
{
    static const copy_fit copies[2];
    gcast_measure_options options = gcast_measure_options_default();
    options.library = STUB_CUDA;
    options.latency_ns = 1000000;
    options.limit_ns = limit_ns;
    samples slow = {0};
    gcast_status status = latencies_measure(0, &options, copies, results, &slow, err);
    assert_int_equal(slow.count, 0); /* the bandwidth is not known */
    vec_free(&slow);
    return status;
}

/* Each of the first calls fails once, and some later ones. */
static void test_failures(void **state)
{
    (void)state;
    gcast_error err;
    latency_results results;
    for (int i = 1; i < 1000; i += i < 40 ? 1 : 197) {
        char number[16];
        stub_restart(NULL);
        snprintf(number, sizeof number, "%d", i);
        setenv("STUB_FAIL", number, 1);
        gcast_status status = measure(0, &results, &err);
        if (status == GCAST_OK) { /* a slow machine makes fewer calls in that time */
            assert_in_range(stub_ask("stub_calls"), 40, i - 1);
            break;
        }
        assert_int_equal(status, GCAST_GPU);
        assert_non_null(strstr(err.message, "CUDA_ERROR_UNKNOWN"));
        assert_int_equal(stub_ask("stub_outstanding"), 0);
    }
}

/* A clock of the GPU that is 1 % faster would add 200 us to a launch after a pause of 20 ms, if it were aligned before
 * the pause only. Of so many tries one at least is not disturbed by other programs. */
static void test_drift(void **state)
{
    (void)state;
    gcast_error err;
    latency_results results;
    int64_t least_ns = INT64_MAX;
    setenv("STUB_DRIFT", "10000", 1);
    for (int k = 0; k < TRIES && least_ns > 150000; k++) {
        assert_ok(measure(0, &results, &err), &err);
        for (size_t i = 0; i < LATENCY_CONDITIONS; i++) {
            const gcast_latency_condition *c = &results.conditions[i];
            if (c->call == GCAST_CALL_LAUNCH && c->pause_ns == 20000000)
                least_ns = min_i64(c->latency.max_ns, least_ns);
        }
    }
    assert_in_range(least_ns, 0, 150000);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

/* A GPU that does not come to an end is left to itself. */
static void test_hang(void **state)
{
    (void)state;
    gcast_error err;
    latency_results results;
    setenv("STUB_HANG", "1", 1);
    assert_int_equal(measure(2000000, &results, &err), GCAST_GPU);
    assert_string_equal(err.message, "a call whose latency is measured is not done after 2 ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test_setup(test_calibration, stub_restart),
        cmocka_unit_test_setup(test_failures, stub_restart),
        cmocka_unit_test_setup(test_drift, stub_restart),
        cmocka_unit_test_setup(test_hang, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}
