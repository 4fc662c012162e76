/* Where blocks go, against what was seen on real GPUs: the lists of
 * tests/data/placement block by block on V100 and as counts per SM on the others,
 * and the three worked cases of Gilman et al. (2020). And random placement. */
#include "support/builders.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BLOCKS 4096

typedef struct kernel {
    int blocks, threads, registers;
    int first_sm, last_sm; /* may use only these; last -1: all */
} kernel;

/* Runs all kernels at once, each in its own stream, and returns the SM of every block in order. */
static int place_with(gcast_simulate_options options, const gcast_gpu *gpu, const kernel *kernels, int n, int *sms)
{
    gcast_error err;
    gcast_run *run;
    int count = 0;
    gcast_workload *w = support_workload("placement", &err);
    options.record_blocks = true;
    for (int i = 0; i < n; i++) {
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        gcast_mask mask = {{0}};
        op.stream = support_get_stream(w, i + 1, &err);
        op.grid[0] = (uint32_t)kernels[i].blocks;
        op.block[0] = (uint32_t)kernels[i].threads;
        op.shape.registers = kernels[i].registers;
        op.min_ns = op.max_ns = 1000000000;
        for (int sm = kernels[i].first_sm; sm <= kernels[i].last_sm; sm++)
            mask.word[sm / 64] |= UINT64_C(1) << (sm % 64);
        if (kernels[i].last_sm >= 0)
            op.mask = support_add_mask(w, &mask, &err);
        assert_true(support_add_op(w, &op, &err) >= 0);
    }
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    for (int i = 0; i < n; i++)
        for (int b = 0; b < kernels[i].blocks; b++)
            sms[count++] = (int)run->ops[i].blocks[b].sm;
    gcast_run_free(run);
    gcast_workload_free(w);
    return count;
}

static int place(const gcast_gpu *gpu, const kernel *kernels, int n, int *sms)
{
    return place_with(gcast_simulate_options_default(), gpu, kernels, n, sms);
}

static int read_list(const char *line, int *sms)
{
    int n = 0;
    for (const char *p = strchr(line, '='); p && n < MAX_BLOCKS; p = strchr(p, ',')) {
        sms[n++] = atoi(p + 1);
        p++;
    }
    return n;
}

static gcast_gpu *preset(const char *name)
{
    gcast_error err;
    gcast_gpu *gpu;
    assert_ok(gcast_gpu_preset(name, &gpu, &err), &err);
    return gpu;
}

static void compare(const gcast_gpu *gpu, const int *got, const int *want, int n, bool in_order)
{
    int count[GCAST_MAX_SMS] = {0};
    for (int i = 0; i < n; i++) {
        if (in_order)
            assert_int_equal(got[i], want[i]);
        count[got[i]]++;
        count[want[i]]--;
    }
    for (int i = 0; i < gpu->sms; i++)
        assert_int_equal(count[i], 0);
}

/* Checks every list of one small kernel alone (tests 2 and 7 there); returns how many there are. */
static int compare_file(const char *name, const char *file, bool in_order)
{
    static int got[MAX_BLOCKS], want[MAX_BLOCKS];
    gcast_gpu *gpu = preset(name);
    size_t size;
    char path[128];
    snprintf(path, sizeof path, "tests/data/placement/%s", file);
    char *data = support_read(path, &size);
    kernel k = {0};
    bool alone = false;
    int lists = 0;
    for (char *line = strtok(data, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "Test", 4) == 0)
            alone = atoi(line + 4) == 2 || atoi(line + 4) == 7;
        else if (alone && sscanf(line, "K1 = K(%d, %d, %d", &k.blocks, &k.threads, &k.registers) == 3)
            k.last_sm = -1;
        else if (alone && strncmp(line, "K1 smid", 7) == 0) {
            int n = read_list(line, want);
            assert_int_equal(n, k.blocks);
            assert_int_equal(place(gpu, &k, 1, got), n);
            compare(gpu, got, want, n, in_order);
            lists++;
        }
    }
    free(data);
    gcast_gpu_free(gpu);
    return lists;
}

static void recorded_lists(void **state)
{
    (void)state;
    assert_int_equal(compare_file("v100", "V100.txt", true), 21);
    assert_int_equal(compare_file("a100", "A100.txt", false), 21);
    assert_int_equal(compare_file("rtx2080ti", "RTX2080TI.txt", false), 21);
    assert_int_equal(compare_file("rtx3090", "RTX3090.txt", false), 21);
}

/* Test 8 there: its header prints the shape of K1 three times; the program that made
 * it launches half as many threads for K2, and one such block for K3. The lists are
 * the same on all four GPUs: even SMs, odd SMs, SM 1. */
static void recorded_three_kernels(void **state)
{
    (void)state;
    static const char *const names[] = {"v100", "a100", "rtx2080ti", "rtx3090"};
    static int got[MAX_BLOCKS];
    for (size_t g = 0; g < 4; g++) {
        gcast_gpu *gpu = preset(names[g]);
        int half = gpu->sms / 2;
        const kernel k[] = {{half, 256, 128, 0, -1}, {half, 128, 128, 0, -1}, {1, 128, 128, 0, -1}};
        assert_int_equal(place(gpu, k, 3, got), 2 * half + 1);
        for (int i = 0; i < half; i++) {
            assert_int_equal(got[i], 2 * i);
            assert_int_equal(got[half + i], 2 * i + 1);
        }
        assert_int_equal(got[2 * half], 1);
        gcast_gpu_free(gpu);
    }
}

/* X is one block on each of SM 1 to 4 of five; where do three blocks of Y go? */
static void gilman(int x_threads, int y_threads, const int *want)
{
    gcast_error err;
    int got[7];
    gcast_gpu *gpu = support_gpu("pascal", 6, 1, 5, &err);
    const kernel k[] = {{4, x_threads, 0, 1, 4}, {3, y_threads, 0, 0, -1}};
    assert_non_null(gpu);
    assert_int_equal(place(gpu, k, 2, got), 7);
    for (int i = 0; i < 3; i++)
        assert_int_equal(got[4 + i], want[i]);
    gcast_gpu_free(gpu);
}

static void gilman_cases(void **state)
{
    (void)state;
    gilman(256, 160, (int[]){0, 0, 1});
    gilman(1024, 32, (int[]){0, 0, 1});
    gilman(1024, 33, (int[]){0, 0, 0});
}

/* The SMs of blocks of 256 threads at random, on a GPU of four SMs that hold eight each. */
static void place_at_random(const gcast_gpu *gpu, uint64_t seed, int blocks, int *sms)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    kernel k = {.blocks = blocks, .threads = 256, .last_sm = -1};
    options.random_placement = true;
    options.placement_seed = seed;
    assert_int_equal(place_with(options, gpu, &k, 1, sms), blocks);
}

static void random_places_follow_the_seed(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("four", 7, 0, 4, &err);
    int a[20], b[20], c[20];
    place_at_random(gpu, 1, 20, a);
    place_at_random(gpu, 1, 20, b);
    place_at_random(gpu, 2, 20, c);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    gcast_gpu_free(gpu);
}

/* Each SM gets a quarter of the first blocks and of the second ones, whatever the first: 500 +- 5 deviations. */
static void random_places_are_uniform(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("four", 7, 0, 4, &err);
    int first[4] = {0}, second[4] = {0}, equal = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        int sms[2];
        place_at_random(gpu, seed, 2, sms);
        first[sms[0]]++;
        second[sms[1]]++;
        equal += sms[0] == sms[1];
    }
    for (int sm = 0; sm < 4; sm++) {
        assert_in_range(first[sm], 403, 597);
        assert_in_range(second[sm], 403, 597);
    }
    assert_in_range(equal, 403, 597);
    gcast_gpu_free(gpu);
}

/* Blocks that fit wait for nothing: as many as all SMs hold fill all SMs. */
static void random_places_fill_all_sms(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("four", 7, 0, 4, &err);
    int sms[32], counts[4] = {0};
    place_at_random(gpu, 3, 32, sms);
    for (int i = 0; i < 32; i++)
        counts[sms[i]]++;
    for (int sm = 0; sm < 4; sm++)
        assert_int_equal(counts[sm], 8);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_lists),
        cmocka_unit_test(recorded_three_kernels),
        cmocka_unit_test(gilman_cases),
        cmocka_unit_test(random_places_follow_the_seed),
        cmocka_unit_test(random_places_are_uniform),
        cmocka_unit_test(random_places_fill_all_sms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
