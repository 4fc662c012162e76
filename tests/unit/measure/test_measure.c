/* Measuring against a driver without a GPU (tests/measure/stub_cuda.c): the contents
 * of a run, and that every call that fails is reported and leaks nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stub_client.h"
#include "support/support.h"

static gcast_workload *workload(const char *text)
{
    gcast_error err;
    gcast_workload *w = NULL;
    assert_ok(gcast_workload_read(text, strlen(text), "test", NULL, &w, &err), &err);
    return w;
}

static gcast_status measure(const gcast_workload *w, const char *library, gcast_run **runs, size_t count,
                            gcast_error *err)
{
    gcast_measure_options options = gcast_measure_options_default();
    options.library = library;
    return gcast_workload_measure(w, &options, runs, count, err);
}

/* A short workload with everything that a workload can have. */
static const char everything[] =
    "{\"schema\": \"gridcast.workload/1\", \"name\": \"all\", \"partition\": {\"sms\": 2},"
    " \"streams\": [{\"id\": 1, \"priority\": -2}, {\"id\": 2, \"blocking\": true}, {\"id\": 3}],"
    " \"ops\": ["
    "  {\"kind\": \"kernel\", \"label\": \"K1\", \"stream\": 1, \"grid\": [2, 3, 2], \"block\": 64, \"registers\": 40,"
    "   \"static_smem\": 60000, \"dynamic_smem\": 1000, \"duration_ns\": 5000},"
    "  {\"kind\": \"kernel\", \"label\": \"K2\", \"stream\": 3, \"grid\": 3, \"block\": 32, \"body\": \"timer_spin\","
    "   \"block_ns\": [100, 200, 300], \"release_ns\": 20000},"
    "  {\"kind\": \"copy\", \"label\": \"in\", \"stream\": 1, \"direction\": \"h2d\", \"bytes\": 100},"
    "  {\"kind\": \"copy\", \"label\": \"out\", \"stream\": 1, \"direction\": \"d2h\", \"bytes\": 300},"
    "  {\"kind\": \"copy\", \"label\": \"over\", \"stream\": 1, \"direction\": \"d2d\", \"bytes\": 200},"
    "  {\"kind\": \"memset\", \"label\": \"clear\", \"stream\": 2, \"bytes\": 64},"
    "  {\"kind\": \"malloc\", \"label\": \"get\", \"host\": \"A\", \"bytes\": 128},"
    "  {\"kind\": \"barrier\", \"label\": \"meet A\", \"host\": \"A\", \"barrier\": 7},"
    "  {\"kind\": \"kernel\", \"label\": \"K3\", \"stream\": 3, \"host\": \"A\", \"host_waits\": true, \"grid\": 1,"
    "   \"block\": 32, \"duration_ns\": {\"min\": 10, \"max\": 20}},"
    "  {\"kind\": \"free\", \"label\": \"give\", \"host\": \"A\"},"
    "  {\"kind\": \"sync\", \"label\": \"wait\", \"host\": \"B\", \"scope\": \"device\"},"
    "  {\"kind\": \"barrier\", \"label\": \"meet B\", \"host\": \"B\", \"barrier\": 7},"
    "  {\"kind\": \"kernel\", \"label\": \"never\", \"stream\": 3, \"host\": \"B\", \"delay_ns\": 5, \"skip_ns\": 4,"
    "   \"grid\": 1, \"block\": 32, \"duration_ns\": 9},"
    "  {\"kind\": \"barrier\", \"label\": \"left B\", \"host\": \"B\", \"barrier\": 8},"
    "  {\"kind\": \"barrier\", \"label\": \"left A\", \"host\": \"A\", \"barrier\": 8}],"
    " \"tasks\": [{\"name\": \"T\", \"stream\": 3, \"period_ns\": 50000, \"offset_ns\": 50000,"
    "   \"ops\": [{\"kind\": \"kernel\", \"label\": \"job\", \"grid\": 2, \"block\": 32, \"duration_ns\": 1000}]}]}";

static const gcast_run_op *op_of(const gcast_run *run, const char *label)
{
    for (size_t i = 0; i < run->op_count; i++)
        if (strcmp(run->workload->ops[run->ops[i].op].label, label) == 0)
            return &run->ops[i];
    fail_msg("no %s", label);
    return NULL;
}

static void check_run(const gcast_run *run)
{
    assert_string_equal(run->source, "measured");
    assert_string_equal(run->gpu->name, "Stub 0");
    assert_int_equal(run->gpu->sms, 2);
    assert_true(run->blocks_recorded);
    assert_true(run->gpu_zero_lo_ns < 0 && run->gpu_zero_hi_ns == 0);
    const gcast_run_op *k1 = op_of(run, "K1"), *k2 = op_of(run, "K2"), *job = op_of(run, "job");
    assert_int_equal(k1->block_count, 12);
    assert_int_equal(k1->blocks[0].sm, 0);
    assert_int_equal(k1->blocks[1].sm, 1);
    assert_int_equal(k1->start_ns, k1->blocks[0].start_ns);
    assert_int_equal(k1->dispatched_ns, k1->blocks[11].start_ns);
    assert_int_equal(k1->end_ns, k1->blocks[11].start_ns + 5000);
    for (int b = 0; b < 3; b++)
        assert_int_equal(k2->blocks[b].end_ns - k2->blocks[b].start_ns, 100 * (b + 1));
    assert_true(k2->call_ns >= 20000 && job->call_ns >= 50000);
    assert_true(k2->start_ns >= k2->call_ns && k2->start_ns > k1->start_ns);
    assert_int_equal(op_of(run, "K3")->end_ns - op_of(run, "K3")->start_ns, 20);
    assert_int_equal(op_of(run, "out")->engine, 1);
    assert_int_equal(op_of(run, "over")->engine, 0);
    assert_true(op_of(run, "clear")->start_ns <= op_of(run, "clear")->end_ns);
    assert_true(op_of(run, "meet A")->end_ns >= op_of(run, "meet B")->call_ns);
    assert_true(op_of(run, "never")->skipped && op_of(run, "left B")->skipped);
    assert_false(op_of(run, "left A")->skipped);
}

static void test_everything(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *runs[2];
    gcast_workload *w = workload(everything);
    assert_ok(measure(w, STUB_CUDA, runs, 2, &err), &err);
    check_run(runs[0]);
    check_run(runs[1]);
    assert_int_equal(stub_ask("stub_first_priority"), -2);
    assert_int_equal(stub_ask("stub_blocking"), 1);
    assert_int_equal(stub_ask("stub_most_shared"), 61000);
    assert_int_equal(runs[0]->note_count, 1); /* on K3, whose duration is a range; registers are as asked */
    assert_non_null(strstr(runs[0]->notes[0], "maximum"));
    gcast_run_free(runs[0]);
    gcast_run_free(runs[1]);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
    gcast_workload_free(w);
}

/* Lets the first call fail, then the second, and so on, until none fails. */
static void test_every_failure(void **state)
{
    (void)state;
    gcast_workload *w = workload(everything);
    int n = 0;
    gcast_status status = GCAST_GPU;
    while (status == GCAST_GPU && n < 1000) {
        char number[16];
        gcast_error err;
        gcast_run *runs[2] = {NULL, NULL};
        stub_restart(NULL);
        snprintf(number, sizeof number, "%d", ++n);
        setenv("STUB_FAIL", number, 1);
        status = measure(w, STUB_CUDA, runs, 2, &err);
        assert_int_equal(stub_ask("stub_outstanding"), 0);
        if (status == GCAST_OK) {
            gcast_run_free(runs[0]);
            gcast_run_free(runs[1]);
            break;
        }
        assert_int_equal(status, GCAST_GPU);
        assert_null(runs[0]);
        assert_null(runs[1]);
        assert_non_null(strstr(err.message, "CUDA_ERROR_UNKNOWN"));
    }
    assert_int_equal(status, GCAST_OK);
    assert_in_range(n, 60, 999);
    gcast_workload_free(w);
}

static void refused(const char *text, const char *library, gcast_status expected, const char *message, const char *path)
{
    gcast_error err;
    gcast_run *run = NULL;
    gcast_workload *w = workload(text);
    assert_int_equal(measure(w, library, &run, 1, &err), expected);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
    assert_null(run);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
    gcast_workload_free(w);
}

#define WORKLOAD(more) "{\"schema\": \"gridcast.workload/1\", " more "}"
#define KERNEL(more)                                                                                                   \
    "{\"kind\": \"kernel\", \"label\": \"K\", \"stream\": 1, \"block\": 32, \"duration_ns\": 9, " more "}"

static void test_no_gpu(void **state)
{
    (void)state;
    static const char one[] = WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1") "]");
    static const char part[] = WORKLOAD("\"partition\": {\"sms\": 2}, \"ops\": [" KERNEL("\"grid\": 1") "]");
    static const char odd[] = WORKLOAD("\"partition\": {\"sms\": 3}, \"ops\": [" KERNEL("\"grid\": 1") "]");
    refused(one, "./libnone.so", GCAST_GPU, "no usable GPU: ./libnone.so cannot be opened", "");
    refused(one, "libm.so.6", GCAST_GPU, "no usable GPU: libm.so.6 has no cuInit", "");
    refused(part, STUB_CUDA_OLD, GCAST_GPU, "this driver cannot take a partition; that needs CUDA 12.4", "/partition");
    refused(odd, STUB_CUDA, GCAST_GPU, "Stub 0 has no partition of 3 SMs; the next is of 4", "/partition/sms");
    setenv("STUB_CC", "6", 1);
    refused(one, STUB_CUDA, GCAST_GPU, "Stub 0 has compute capability 6.0; measuring needs 7.0 or newer", "");
    setenv("STUB_CC", "99", 1);
    refused(one, STUB_CUDA, GCAST_GPU, "Stub 0 has compute capability 99.0, which is not known here", "");
    stub_restart(NULL);
    setenv("STUB_FAIL", "1", 1);
    refused(one, STUB_CUDA, GCAST_GPU, "no usable GPU: cuInit: CUDA_ERROR_UNKNOWN", "");
    stub_restart(NULL);
    setenv("STUB_ANSWERS", "0", 1);
    refused(one, STUB_CUDA, GCAST_GPU, "the GPU does not answer with its time", "");
}

static void test_not_measurable(void **state)
{
    (void)state;
    refused(WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1, \"allowed_sms\": [0]") "]"), STUB_CUDA, GCAST_INPUT,
            "K: a kernel that may use some SMs only cannot be measured", "/ops/0");
    refused(WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1, \"barriers\": 2") "]"), STUB_CUDA, GCAST_INPUT,
            "K: a kernel with more than one barrier cannot be measured", "/ops/0");
    refused(WORKLOAD("\"ops\": [" KERNEL("\"grid\": [65536, 65535, 2]") "]"), STUB_CUDA, GCAST_INPUT,
            "K: more than 4294967295 blocks cannot be recorded", "/ops/0");
    refused(WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1") ", {\"kind\": \"sync\", \"label\": \"S\", \"stream\": 1}]"),
            STUB_CUDA, GCAST_INPUT, "S: a call that waits cannot be measured without a host", "/ops/1");
    refused(WORKLOAD("\"partition\": {\"sms\": 2}, \"ops\": [{\"kind\": \"memset\", \"label\": \"M\", \"stream\": 0, "
                     "\"bytes\": 8}]"),
            STUB_CUDA, GCAST_INPUT, "M: the NULL stream cannot be measured in a partition, where it waits for nobody",
            "/ops/0");
    refused(WORKLOAD("\"ops\": [{\"kind\": \"copy\", \"label\": \"C\", \"stream\": 1, \"direction\": \"h2d\", "
                     "\"duration_ns\": 5}]"),
            STUB_CUDA, GCAST_INPUT, "C: how many bytes it moves is not known, so it cannot be measured", "/ops/0");
    refused(WORKLOAD("\"streams\": [{\"id\": 1}, {\"id\": 2, \"process\": 1}], \"ops\": [" KERNEL(
                "\"grid\": 1") ", {\"kind\": "
                               "\"memset\", \"label\": \"M\", \"stream\": 2, \"bytes\": 8}]"),
            STUB_CUDA, GCAST_INPUT, "M: several processes cannot be measured", "/ops/1");
    refused(WORKLOAD("\"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", \"stream\": 1, \"block\": 2048, \"grid\": 1, "
                     "\"duration_ns\": 9}]"),
            STUB_CUDA, GCAST_INPUT, "K can never run on Stub 0: a block of 2048 threads; the GPU takes at most 1024",
            "/ops/0");
}

/* A GPU that never completes its work: the limit ends the run, and nothing waits for the GPU. */
static void test_limit(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run = NULL;
    gcast_workload *w = workload(WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1") "]"));
    gcast_measure_options options = gcast_measure_options_default();
    options.library = STUB_CUDA;
    options.limit_ns = 3000000;
    setenv("STUB_HANG", "1", 1);
    assert_int_equal(gcast_workload_measure(w, &options, &run, 1, &err), GCAST_GPU);
    assert_string_equal(err.message, "the work is not done after 3 ms");
    assert_int_equal(err.hint, GCAST_HINT_LIMIT);
    assert_null(run);
    gcast_workload_free(w);
}

typedef struct listener {
    int calls, stop_at;
    double last;
} listener;

static bool listen(void *data, double fraction)
{
    listener *l = data;
    assert_true(fraction >= l->last && fraction <= 1);
    l->last = fraction;
    return ++l->calls != l->stop_at;
}

/* The progress callback is called before every run and while the GPU is at work; both may stop it. */
static void test_progress(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *runs[3] = {NULL};
    listener all = {0}, second = {.stop_at = 2}, hanging = {.stop_at = 3};
    gcast_workload *w = workload(WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1") "]"));
    gcast_measure_options options = gcast_measure_options_default();
    options.library = STUB_CUDA;
    options.progress = listen;
    options.progress_data = &all;
    assert_ok(gcast_workload_measure(w, &options, runs, 3, &err), &err);
    assert_true(all.calls >= 3 && all.last > 0.6);
    for (int i = 0; i < 3; i++)
        gcast_run_free(runs[i]);
    options.progress_data = &second;
    assert_int_equal(gcast_workload_measure(w, &options, runs, 3, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "stopped");
    setenv("STUB_HANG", "1", 1);
    options.progress_data = &hanging;
    assert_int_equal(gcast_workload_measure(w, &options, runs, 1, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "stopped");
    gcast_workload_free(w);
}

/* All answers of the clock, and one, as where the kernel ends because the host is busy for a second. */
static void test_clock(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = workload(WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1") "]"));
    for (int i = 0; i < 2; i++) {
        setenv("STUB_ANSWERS", i ? "1" : "1000", 1);
        assert_ok(measure(w, STUB_CUDA, &run, 1, &err), &err);
        assert_true(run->gpu_zero_lo_ns < 0 && run->gpu_zero_hi_ns == 0);
        gcast_run_free(run);
    }
    gcast_workload_free(w);
}

static void test_other_sms(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = workload(WORKLOAD("\"partition\": {\"sms\": 2}, \"ops\": [" KERNEL("\"grid\": 4") "]"));
    setenv("STUB_SM", "40", 1);
    assert_ok(measure(w, STUB_CUDA, &run, 1, &err), &err);
    assert_int_equal(run->ops[0].blocks[0].sm, 0);
    assert_int_equal(run->ops[0].blocks[3].sm, 1);
    assert_int_equal(run->note_count, 1);
    assert_non_null(strstr(run->notes[0], "counted from 0"));
    gcast_run_free(run);
    gcast_workload_free(w);
}

/* The compiler uses more than 5 registers; a note of the run says so. */
static void test_registers(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = workload(WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1, \"registers\": 5") "]"));
    assert_ok(measure(w, STUB_CUDA, &run, 1, &err), &err);
    assert_int_equal(run->note_count, 1);
    assert_string_equal(run->notes[0], "kernels of 5 registers per thread ran with 10");
    gcast_run_free(run);
    gcast_workload_free(w);
}

/* How many launches leave their carveout to the driver, where two kernels differ in nothing else. */
static int driver_launches(const char *first, const char *second)
{
    char text[1024];
    gcast_error err;
    gcast_run *run;
    snprintf(
        text, sizeof text,
        WORKLOAD("\"ops\": [" KERNEL("\"grid\": 1, \"carveout\": \"%s\"") ", {\"kind\": \"kernel\", \"stream\": 1, "
                                                                          "\"block\": 32, \"grid\": 1, "
                                                                          "\"duration_ns\": 9, \"carveout\": \"%s\"}]"),
        first, second);
    gcast_workload *w = workload(text);
    stub_restart(NULL);
    assert_ok(measure(w, STUB_CUDA, &run, 1, &err), &err);
    gcast_run_free(run);
    gcast_workload_free(w);
    return stub_ask("stub_driver_launches");
}

static void test_carveout(void **state)
{
    (void)state;
    int one = driver_launches("most", "driver");
    assert_true(one > 0);
    assert_int_equal(driver_launches("driver", "most"), one);
    assert_int_equal(driver_launches("driver", "driver"), 2 * one);
    assert_int_equal(driver_launches("most", "most"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_everything, stub_restart),
        cmocka_unit_test_setup(test_every_failure, stub_restart),
        cmocka_unit_test_setup(test_no_gpu, stub_restart),
        cmocka_unit_test_setup(test_not_measurable, stub_restart),
        cmocka_unit_test_setup(test_limit, stub_restart),
        cmocka_unit_test_setup(test_progress, stub_restart),
        cmocka_unit_test_setup(test_clock, stub_restart),
        cmocka_unit_test_setup(test_other_sms, stub_restart),
        cmocka_unit_test_setup(test_registers, stub_restart),
        cmocka_unit_test_setup(test_carveout, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}
