/* The examiner's configurations of the RTSS 2017 paper on the TX2: kernels start
 * and end as its figures 3 and 5 to 8 show. Times in milliseconds. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

typedef struct expected {
    const char *label;
    int64_t start, end;
} expected;

static gcast_run *run_file(const char *file, gcast_workload **w)
{
    gcast_error err;
    gcast_gpu *gpu;
    gcast_run *run;
    char path[512];
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    snprintf(path, sizeof path, "%s/tests/data/%s", SOURCE_DIR, file);
    assert_ok(gcast_gpu_preset("tx2", &gpu, &err), &err);
    assert_ok(gcast_workload_load(path, NULL, w, &err), &err);
    assert_ok(gcast_workload_simulate(*w, gpu, &options, &run, &err), &err);
    gcast_gpu_free(gpu);
    return run;
}

static const gcast_run_op *find(const gcast_run *run, const char *label)
{
    for (size_t i = 0; i < run->op_count; i++)
        if (strcmp(run->workload->ops[run->ops[i].op].label, label) == 0)
            return &run->ops[i];
    print_error("no operation %s\n", label);
    fail();
    return NULL;
}

static void expect(const char *file, const expected *want, size_t count)
{
    gcast_workload *w;
    gcast_run *run = run_file(file, &w);
    for (size_t i = 0; i < count; i++) {
        const gcast_run_op *o = find(run, want[i].label);
        assert_int_equal(o->start_ns, want[i].start * 1000000);
        assert_int_equal(o->end_ns, want[i].end * 1000000);
    }
    gcast_run_free(run);
    gcast_workload_free(w);
}
#define EXPECT(file, ...) expect(file, (expected[]){__VA_ARGS__}, sizeof((expected[]){__VA_ARGS__}) / sizeof(expected))

/* Four of the six blocks of K1 start at once, and K4 waits though it fits (X1). Then the last two of K1 start with all
 * of K4. K5 waits for shared memory (R3). C5o comes before C2o, K6 does not wait, and K3 comes after C2o and C3i. */
static void figure_3(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_run *run = run_file("examiner/rtss_2017_fig3_bigexperiment.json", &w);
    const gcast_run_op *k1 = find(run, "K1"), *k2 = find(run, "K2"), *k3 = find(run, "K3"), *k4 = find(run, "K4"),
                       *k5 = find(run, "K5"), *k6 = find(run, "K6"), *c2o = find(run, "K2: copy out"),
                       *c3i = find(run, "K3: copy in"), *c5o = find(run, "K5: copy out");
    const int64_t s = 1000000000;
    for (int b = 0; b < 6; b++)
        assert_int_equal(k1->blocks[b].start_ns, b < 4 ? 0 : s);
    assert_int_equal(k4->enter_ns, s / 5);
    assert_int_equal(k4->start_ns, s);
    assert_int_equal(k4->dispatched_ns, s);
    assert_int_equal(k5->start_ns, 2 * s);
    assert_int_equal(k2->start_ns, 2 * s);
    assert_int_equal(c5o->start_ns, k5->end_ns);
    assert_int_equal(c2o->start_ns, c5o->end_ns);
    assert_int_equal(c3i->start_ns, c2o->end_ns);
    assert_int_equal(k3->start_ns, c3i->end_ns);
    assert_int_equal(k6->call_ns, k4->end_ns + 4 * s / 5);
    assert_int_equal(k6->start_ns, k6->call_ns);
    gcast_run_free(run);
    gcast_workload_free(w);
}

static void figure_5_null_stream(void **state)
{
    (void)state;
    EXPECT("examiner/rtss_2017_fig5_null_stream.json", {"Kernel 1", 0, 2000}, {"Kernel 2 (NULL stream)", 2000, 3000},
           {"K3", 3000, 4000}, {"K4", 4000, 5000}, {"Kernel 5 (NULL stream)", 5000, 6000}, {"Kernel 6", 6000, 7000});
}

static void figure_6_starvation(void **state)
{
    (void)state;
    EXPECT("examiner/rtss_2017_fig6_stream_priority_starve.json", {"K1 (low priority)", 0, 5000},
           {"K2 (high priority)", 500, 2500}, {"K3 (high priority)", 2500, 4500});
}

/* A stream without a priority is one of low priority. */
static void figure_7_preemption(void **state)
{
    (void)state;
    EXPECT("examiner/rtss_2017_fig7_stream_priority_preemption.json", {"K1 (low priority)", 0, 2000},
           {"K2 (unspecified priority)", 2000, 3000}, {"K3 (high priority)", 500, 1500},
           {"K4 (low priority)", 3000, 4000});
}

/* Kernel 9 would fit, but waits for a kernel of higher priority that does not fit. */
static void figure_8_cutting_ahead(void **state)
{
    (void)state;
    EXPECT("examiner/rtss_2017_fig8_stream_priority_lower_priority_cut.json", {"Kernel 7", 600, 1600},
           {"Kernel 8", 1100, 1600}, {"Kernel 9", 1100, 2100});
}

/* The configuration of the thesis, as the examiner reads it: threads start in the order of the file. */
static void thesis_configuration(void **state)
{
    (void)state;
    EXPECT("tx2/rta.json", {"Kernel 1", 0, 4000}, {"Kernel 2", 0, 10000}, {"Kernel 3", 4000, 12000},
           {"Kernel 4", 6000, 11000});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3),
        cmocka_unit_test(figure_5_null_stream),
        cmocka_unit_test(figure_6_starvation),
        cmocka_unit_test(figure_7_preemption),
        cmocka_unit_test(figure_8_cutting_ahead),
        cmocka_unit_test(thesis_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
