/* How a page grows: by counted work, bytes and memory, which do not depend on how fast or busy the machine is. */
#include "report/web/page_waits.h"
#include "support/builders.h"
#include "support/support.h"

#include <stdio.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

static uint64_t explained; /* how often explain was called: the option has no data */

static gcast_status count_explain(const gcast_run *run, size_t run_op, gcast_explanation **out, gcast_error *err)
{
    explained++;
    return gcast_run_explain(run, run_op, out, err);
}

static bool discard(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)data += size;
    return true;
}

static gcast_workload *kernels(int count, int streams, uint32_t blocks)
{
    gcast_error err;
    gcast_workload *w = support_workload("growth", &err);
    for (int i = 0; i < count; i++) {
        char label[16];
        snprintf(label, sizeof label, "K%d", i);
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = label;
        op.stream = support_get_stream(w, 1 + i % streams, &err);
        op.grid[0] = blocks;
        op.block[0] = 512;
        op.min_ns = op.max_ns = 5000 + 7 * (i % 5);
        assert_true(support_add_op(w, &op, &err) >= 0);
    }
    return w;
}

static uint64_t page_bytes(const gcast_run *run, gcast_report_options *o)
{
    gcast_error err;
    uint64_t bytes = 0;
    assert_ok(gcast_run_report(run, GCAST_FORMAT_HTML, o, discard, &bytes, &err), &err);
    return bytes;
}

/* Explanations look at all of the run each: of more operations fewer are explained. A page grows with its operations.
 */
static void by_operations(void **state)
{
    (void)state;
    uint64_t bytes[2];
    gcast_error err;
    gcast_gpu *gpu;
    assert_ok(gcast_gpu_load("h200", &gpu, &err), &err);
    for (int k = 0; k < 2; k++) {
        int count = k ? 2400 : 1200;
        gcast_workload *w = kernels(count, 6, 60);
        gcast_run *run;
        gcast_simulate_options o = gcast_simulate_options_default();
        gcast_report_options report = gcast_report_options_default();
        o.record_blocks = true;
        assert_ok(gcast_workload_simulate(w, gpu, &o, &run, &err), &err);
        report.explain = count_explain;
        explained = 0;
        bytes[k] = page_bytes(run, &report);
        assert_true(explained <= PAGE_MAX_LOOKS / ((uint64_t)count * 61));
        gcast_run_free(run);
        gcast_workload_free(w);
    }
    assert_true(bytes[1] < 2 * bytes[0]);
    gcast_gpu_free(gpu);
}

typedef struct again {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    int calls;
} again;

static gcast_status each_block(void *data, bool (*take)(void *, const gcast_started_block *, size_t), void *taker,
                               gcast_error *err)
{
    again *a = data;
    gcast_run *run = NULL;
    gcast_simulate_options o = gcast_simulate_options_default();
    o.each_block = take;
    o.each_block_data = taker;
    a->calls++;
    gcast_status status = gcast_workload_simulate(a->w, a->gpu, &o, &run, err);
    gcast_run_free(run);
    return status;
}

/* A page of 12,000,000 blocks, which are 288 MB, in 300 MB of address space: they are not kept. */
static void by_blocks(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu;
    gcast_run *run;
    struct rlimit before;
    assert_ok(gcast_gpu_load("h200", &gpu, &err), &err);
    gcast_workload *w = kernels(300, 4, 40000);
    again a = {w, gpu, 0};
    gcast_simulate_options o = gcast_simulate_options_default();
    gcast_report_options report = gcast_report_options_default();
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
#ifndef SANITIZED
    struct rlimit now = {.rlim_cur = 300 << 20, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &now), 0);
#endif
    assert_ok(gcast_workload_simulate(w, gpu, &o, &run, &err), &err);
    report.each_block = each_block;
    report.each_block_data = &a;
    report.explain = gcast_run_explain;
    assert_true(page_bytes(run, &report) < 6000000);
    assert_int_equal(a.calls, 1);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_operations), cmocka_unit_test(by_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
