/* The blocks recorded in a window of time, or given to the caller, are those that a record of all blocks has there, and
 * other blocks take no memory. */
#include "support/builders.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#define US 1000
#define MS 1000000

static gcast_workload *kernels(uint32_t blocks, uint32_t threads, int registers, int64_t duration, int count)
{
    gcast_error err;
    gcast_workload *w = support_workload("window", &err);
    for (int i = 0; i < count; i++) {
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = i ? "second" : "first";
        op.stream = support_get_stream(w, i + 1, &err);
        op.grid[0] = i ? blocks / 7 + 1 : blocks;
        op.block[0] = threads;
        op.shape.registers = registers;
        op.min_ns = op.max_ns = duration + i * 300;
        op.release_ns = i * 40 * duration;
        assert_true(support_add_op(w, &op, &err) >= 0);
    }
    return w;
}

static gcast_run *simulated(const gcast_workload *w, const gcast_gpu *gpu, int64_t start_ns, int64_t end_ns)
{
    gcast_error err;
    gcast_run *run;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    options.record_from_ns = start_ns;
    options.record_to_ns = end_ns;
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    return run;
}

static void assert_same_block(const gcast_block *a, const gcast_block *b, int64_t shift_ns)
{
    assert_int_equal(a->start_ns, b->start_ns + shift_ns);
    assert_int_equal(a->end_ns, b->end_ns + shift_ns);
    assert_int_equal(a->sm, b->sm);
    assert_int_equal(a->quarter, b->quarter);
}

/* How many blocks the window has. */
static uint64_t assert_window(const gcast_run *part, const gcast_run *all, int64_t start_ns, int64_t end_ns)
{
    uint64_t sum = 0;
    assert_true(part->window_recorded && !part->blocks_recorded);
    assert_int_equal(part->end_ns, all->end_ns);
    for (size_t i = 0; i < all->op_count; i++) {
        const gcast_run_op *p = &part->ops[i], *a = &all->ops[i];
        uint64_t n = 0;
        assert_null(p->blocks);
        assert_int_equal(p->dispatched_ns, a->dispatched_ns);
        for (uint64_t b = 0; b < a->block_count; b++) {
            if (a->blocks[b].start_ns >= end_ns || a->blocks[b].end_ns <= start_ns)
                continue;
            assert_true(n < p->window_count);
            assert_int_equal(p->window_index[n], b);
            assert_same_block(&p->window[n], &a->blocks[b], 0);
            n++;
        }
        assert_int_equal(p->window_count, n);
        sum += n;
    }
    return sum;
}

/* Kernels of equal blocks, whose waves are skipped before and after the window, on GPUs of every kind. */
static void as_in_a_record_of_all(void **state)
{
    (void)state;
    static const char *const gpus[] = {"tx2", "k20m", "gtx1080ti", "v100", "orin", "h200"};
    static const uint32_t sizes[] = {32, 160, 256, 672, 1024};
    support_random r = {3};
    for (size_t g = 0; g < sizeof gpus / sizeof gpus[0]; g++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            gcast_error err;
            gcast_gpu *gpu;
            assert_ok(gcast_gpu_load(gpus[g], &gpu, &err), &err);
            gcast_workload *w = kernels(60000, sizes[k], k % 2 ? 40 : 0, 1000 + 37 * (int64_t)k, 1 + (int)(k % 2));
            gcast_run *all = simulated(w, gpu, 0, 0);
            for (int round = 0; round < 12; round++) {
                int64_t start_ns = round ? support_between(&r, 0, all->end_ns - 1) : 0;
                int64_t end_ns = start_ns + (round ? support_between(&r, 1, round % 2 ? 500 : 20000) : 20 * US);
                gcast_run *part = simulated(w, gpu, start_ns, end_ns);
                assert_true(assert_window(part, all, start_ns, end_ns) > 0 || round);
                gcast_run_free(part);
            }
            gcast_run_free(all);
            gcast_workload_free(w);
            gcast_gpu_free(gpu);
        }
}

/* Limits the memory of this process from here on, except with sanitizers, which reserve much address space. */
static struct rlimit limit_memory(uint64_t bytes)
{
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
#ifndef SANITIZED
    struct rlimit now = {.rlim_cur = bytes, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &now), 0);
#else
    (void)bytes;
#endif
    return before;
}

/* A billion blocks: at the start they are those of a kernel of a million, and in the middle the same, many waves later.
 */
static void of_a_billion(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu;
    assert_ok(gcast_gpu_load("h200", &gpu, &err), &err);
    gcast_workload *small = kernels(1000000, 256, 32, 10 * US, 1), *large = kernels(1000000000, 256, 32, 10 * US, 1);
    gcast_run *all = simulated(small, gpu, 0, 0);
    const gcast_run_op *a = &all->ops[0];
    struct rlimit before = limit_memory(256 << 20);
    gcast_run *part = simulated(large, gpu, 0, 500 * US);
    const gcast_run_op *p = &part->ops[0];
    assert_true(p->window_count > 40 * 132 * 8);
    for (uint64_t n = 0; n < p->window_count; n++) {
        assert_int_equal(p->window_index[n], n);
        assert_same_block(&p->window[n], &a->blocks[n], 0);
    }
    assert_true(a->blocks[p->window_count].start_ns >= 500 * US);
    gcast_run_free(part);

    const uint64_t wave = 132 * 8, waves = 400000;
    const int64_t shift_ns = (int64_t)waves * (a->blocks[wave].start_ns - a->blocks[0].start_ns);
    part = simulated(large, gpu, shift_ns + 200 * US, shift_ns + 300 * US);
    p = &part->ops[0];
    assert_true(p->window_count >= 10 * wave && p->window_count <= 12 * wave);
    for (uint64_t n = 0; n < p->window_count; n++) {
        uint64_t same = p->window_index[n] - waves * wave;
        assert_true(same < a->block_count);
        assert_int_equal(p->window_index[n], p->window_index[0] + n);
        assert_same_block(&p->window[n], &a->blocks[same], shift_ns);
    }
    assert_true(a->blocks[p->window_index[0] - 1 - waves * wave].end_ns <= 200 * US);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    gcast_run_free(part);
    gcast_run_free(all);
    gcast_workload_free(small);
    gcast_workload_free(large);
    gcast_gpu_free(gpu);
}

/* A gcast_write_fn that takes everything. */
static bool ignore(void *data, const char *bytes, size_t size)
{
    (void)data, (void)bytes, (void)size;
    return true;
}

static void wrong_windows(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_gpu *gpu = support_gpu("tx2", 6, 2, 2, &err);
    gcast_workload *w = kernels(4, 512, 0, MS, 1);
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    options.record_from_ns = options.record_to_ns = 5;
    assert_int_equal(gcast_workload_simulate(w, gpu, &options, &run, &err), GCAST_USAGE);
    assert_string_equal(err.message, "no block runs from 5 ns to 5 ns");
    /* a picture of a longer time than is recorded would lack blocks */
    run = simulated(w, gpu, 0, 1000);
    gcast_report_options report = gcast_report_options_default();
    assert_int_equal(gcast_run_report(run, GCAST_FORMAT_SVG, &report, ignore, NULL, &err), GCAST_USAGE);
    assert_string_equal(err.message, "blocks are recorded from 0 ns to 1000 ns only");
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

typedef struct taken {
    const gcast_run *all; /* recorded */
    bool *seen;           /* by block of all operations, one after the other */
    uint64_t count;       /* of blocks that came */
    uint64_t most;        /* more are not taken */
} taken;

static bool take(void *data, const gcast_started_block *blocks, size_t count)
{
    taken *t = data;
    for (size_t i = 0; i < count && t->all; i++) {
        const gcast_started_block *b = &blocks[i];
        uint64_t place = b->index;
        for (size_t o = 0; o < b->run_op; o++)
            place += t->all->ops[o].block_count;
        assert_true(b->run_op < t->all->op_count && b->index < t->all->ops[b->run_op].block_count);
        assert_false(t->seen[place]);
        t->seen[place] = true;
        assert_same_block(&b->block, &t->all->ops[b->run_op].blocks[b->index], 0);
    }
    t->count += count;
    return t->count <= t->most;
}

/* The caller gets each block once: of kernels alone and beside others, with plans, clusters and blocks that wait. */
static void given_to_the_caller(void **state)
{
    (void)state;
    static const char *const files[] = {"thesis", "05-camera", "policies/three", "06-h200", "residency/topk"};
    for (size_t i = 0; i < 6; i++) {
        char path[256];
        gcast_error err;
        gcast_workload *w = NULL;
        gcast_gpu *gpu = NULL;
        gcast_run *run;
        snprintf(path, sizeof path, SOURCE_DIR "/examples/%s.json", files[i % 5]);
        if (i == 5) {
            assert_ok(gcast_gpu_load("h200", &gpu, &err), &err);
            w = kernels(30000, 256, 32, 10 * US, 2);
        } else if (gcast_workload_load(path, NULL, &w, &err) != GCAST_OK) {
            fail_msg("%s: %s", path, err.message);
        }
        gcast_run *all = simulated(w, gpu, 0, 0);
        uint64_t count = 0, started = 0; /* in a run that hangs some never start */
        for (size_t o = 0; o < all->op_count; o++)
            for (uint64_t b = 0; b < all->ops[o].block_count; b++, count++)
                started += all->ops[o].blocks && all->ops[o].blocks[b].start_ns >= 0;
        taken t = {.all = all, .seen = calloc(count + 1, 1), .most = UINT64_MAX};
        gcast_simulate_options options = gcast_simulate_options_default();
        options.each_block = take;
        options.each_block_data = &t;
        assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
        assert_int_equal(t.count, started);
        assert_int_equal(run->end_ns, all->end_ns);
        assert_true(!run->blocks_recorded && !run->window_recorded);
        free(t.seen);
        gcast_run_free(run);
        gcast_run_free(all);
        gcast_workload_free(w);
        gcast_gpu_free(gpu);
    }
}

/* Many blocks need no memory, and the caller may stop. */
static void many_to_the_caller(void **state)
{
    (void)state;
#ifdef SANITIZED /* there is no limit that so many would exceed */
    const uint32_t blocks = 1000000;
#else
    const uint32_t blocks = 12000000;
#endif
    gcast_error err;
    gcast_gpu *gpu;
    gcast_run *run = NULL;
    assert_ok(gcast_gpu_load("h200", &gpu, &err), &err);
    gcast_workload *w = kernels(blocks, 256, 32, 10 * US, 1);
    taken t = {.most = UINT64_MAX};
    gcast_simulate_options options = gcast_simulate_options_default();
    options.each_block = take;
    options.each_block_data = &t;
    struct rlimit before = limit_memory(256 << 20); /* 12,000,000 blocks are 288 MB */
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    assert_int_equal(t.count, blocks);
    gcast_run_free(run);
    t = (taken){.most = 100000};
    assert_int_equal(gcast_workload_simulate(w, gpu, &options, &run, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "stopped");
    assert_true(t.count < 200000);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_a_record_of_all), cmocka_unit_test(of_a_billion),  cmocka_unit_test(given_to_the_caller),
        cmocka_unit_test(many_to_the_caller),    cmocka_unit_test(wrong_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
