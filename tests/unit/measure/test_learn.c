/* What a calibration reads off runs: the workloads of src/measure/calibrate/probes.c are
 * simulated on a GPU whose numbers are known, and the calibration must find them. */
#include <string.h>

#include "measure/calibrate/observations.h"
#include "measure/calibrate/probes.h"
#include "measure/calibration.h"
#include "measure/session/collect.h"
#include "support/support.h"

static void learn_all(const gcast_gpu *gpu, observations *l)
{
    gcast_error err;
    for (size_t i = 0; i < probe_count; i++) {
        gcast_workload *w;
        gcast_run *run;
        gcast_simulate_options options = gcast_simulate_options_default();
        options.record_blocks = true;
        assert_ok(probe_workload(&probes[i], 0, gpu, &w, &err), &err);
        assert_ok(gcast_workload_check(w, &err), &err);
        assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
        assert_ok(probes[i].learn(l, run, &err), &err);
        gcast_run_free(run);
        gcast_workload_free(w);
    }
}

static void check_all(observations *l, gcast_reading_id id, size_t count, int64_t value)
{
    assert_int_equal(l->readings[id].count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(l->readings[id].at[i], value);
}

static void test_round_trip(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu;
    observations l = {0};
    assert_ok(
        gcast_gpu_read_string(
            "sms:6 cc:9.0 copy_engines:2 ties:4,5,0,1,2,3 launch:9us copy:7us h2d_overhead:8500ns d2h_overhead:6us "
            "duplex:90 gap:1600ns handover:350ns h2d:50000000000 d2h:40000000000 copy_channels:4 copy_gap:1600ns "
            "copy_idle:2ms copy_wake:6us d2h_start:5us d2h_end:9us",
            &gpu, &err),
        &err);
    learn_all(gpu, &l);
    check_all(&l, GCAST_READ_LAUNCH, 32, 9000);
    check_all(&l, GCAST_READ_LAUNCH_NOISE, 1, 0);
    check_all(&l, GCAST_READ_COPY_LATENCY, 32, 7000);
    check_all(&l, GCAST_READ_GAP, 31, 1600);
    check_all(&l, GCAST_READ_HANDOVER, 3 * 2 * 6, 350);
    check_all(&l, GCAST_READ_DISPATCH, 8, 0);
    check_all(&l, GCAST_READ_REFILL, 8, 0);
    check_all(&l, GCAST_READ_OVERLAP, 2,
              75); /* 40 takes a quarter longer than 50, starts later, and its last part is alone */
    check_all(&l, GCAST_READ_SERIAL, 2, 100);
    assert_in_range(l.readings[GCAST_READ_H2D].at[0], 49999000000, 50001000000);
    assert_in_range(l.readings[GCAST_READ_D2H].at[0], 39999000000, 40001000000);
    assert_in_range(samples_median(&l.readings[GCAST_READ_H2D_OVERHEAD]), 8490, 8510);
    assert_in_range(samples_median(&l.readings[GCAST_READ_D2H_OVERHEAD]), 5990, 6010);
    assert_in_range(samples_median(&l.readings[GCAST_READ_BUSY_OVERHEAD]), 5990, 8510);
    assert_in_range(samples_median(&l.readings[GCAST_READ_BOTH_WAYS]), 89, 90);
    check_all(&l, GCAST_READ_COPY_GAP, 6, 1600);
    check_all(&l, GCAST_READ_D2H_START, 2, 5000);
    assert_in_range(samples_median(&l.readings[GCAST_READ_WAKE]), 5980, 6020);
    assert_in_range(samples_median(&l.readings[GCAST_READ_D2H_END]), 8900, 10000); /* the pair overlaps in part */
    check_all(&l, GCAST_READ_NOISE, 8, 0);
    static const int ties[] = {4, 5, 0, 1, 2, 3};
    assert_int_equal(l.orders.count, 16 * 6);
    assert_memory_equal(l.orders.at, ties, sizeof ties);
    int reach[6], apart;
    assert_true(reach_compute(&l.reach, 6, reach, &apart)); /* the simulator's hand-over is the same everywhere */
    assert_int_equal(l.reach.half[1].at[5].times, 59);
    assert_int_equal(l.reach.half[1].at[5].ns, 59 * 350);
    assert_int_equal(apart, 0);
    for (int i = 0; i < 6; i++)
        assert_int_equal(reach[i], 0);
    observations_free(&l);
    gcast_gpu_free(gpu);
}

/* One engine: nothing overlaps. */
static void test_one_engine(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu;
    observations l = {0};
    assert_ok(gcast_gpu_read_string("sms:2 cc:7.2 copy_engines:1 h2d:10000000000 d2h:10000000000", &gpu, &err), &err);
    learn_all(gpu, &l);
    check_all(&l, GCAST_READ_OVERLAP, 2, 0);
    check_all(&l, GCAST_READ_SERIAL, 2, 100);
    observations_free(&l);
    gcast_gpu_free(gpu);
}

static void test_fit(void **state)
{
    (void)state;
    copy_fit fit;
    /* 50 GB/s and 4000 ns; the third point is far off, and does not matter */
    static const copy_point points[] = {
        {1000000, 24000}, {2000000, 44000}, {4000000, 500000}, {8000000, 164000}, {16000000, 324000}};
    assert_true(samples_fit(points, 5, &fit));
    assert_int_equal(fit.bytes_per_s, 50000000000);
    assert_int_equal(fit.overhead_ns, 4000);
    static const copy_point alike[] = {{5, 5}, {5, 6}}, backwards[] = {{5, 5}, {6, 4}};
    assert_false(samples_fit(alike, 2, &fit));
    assert_false(samples_fit(backwards, 2, &fit));
    assert_false(samples_fit(points, 1, &fit));
    assert_false(samples_fit(NULL, 0, &fit));
}

static void test_median(void **state)
{
    (void)state;
    samples s = {0};
    assert_int_equal(samples_median(&s), 0);
    static const int64_t seen[] = {5, -1, 9, 7};
    for (size_t i = 0; i < 4; i++)
        assert_true(vec_push(&s, seen[i]));
    assert_int_equal(samples_median(&s), 5);
    assert_int_equal(s.at[0], -1);
    assert_int_equal(s.at[3], 9);
    vec_free(&s);
}

/* Means of 200, 203, 204 and 245 ns: 0, 0, 8 and 48 when rounded to 8. */
static void test_reach(void **state)
{
    (void)state;
    static const int64_t ns[2][4] = {{196, 203, 200, 240}, {204, 203, 208, 250}};
    reach_sums s = {0};
    int list[5], apart;
    assert_false(reach_compute(&s, 1, list, &apart));
    for (int h = 0; h < 2; h++)
        for (uint32_t sm = 0; sm < 4; sm++)
            assert_true(reach_add(&s, h, sm, ns[h][sm]));
    assert_true(reach_compute(&s, 4, list, &apart));
    assert_int_equal(apart, 10);
    assert_memory_equal(list, ((const int[]){0, 0, 8, 48}), 4 * sizeof *list);
    assert_true(reach_add(&s, 0, 4, 200));
    assert_false(reach_compute(&s, 5, list, &apart)); /* an SM is missing in the other half */
    reach_free(&s);
}

static void test_orders(void **state)
{
    (void)state;
    static const int orders[] = {0, 1, 2, 1, 0, 2, 1, 0, 2};
    order_summary s = orders_summarize(orders, 3, 3);
    assert_int_equal(s.launches, 3);
    assert_int_equal(s.distinct, 2);
    assert_int_equal(s.most_frequent, 1);
    assert_int_equal(s.same_places, 1);
    s = orders_summarize(orders, 1, 3);
    assert_int_equal(s.distinct, 1);
    assert_int_equal(s.same_places, 3);
    s = orders_summarize(NULL, 0, 3);
    assert_int_equal(s.distinct, 0);
    assert_int_equal(s.same_places, 0);
}

/* Copies of one direction follow each other in the order of their ends; operations of a stream do in the order of their
 * calls. */
static void test_settle(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w;
#define COPY(label, stream, direction)                                                                                 \
    "{\"kind\": \"copy\", \"label\": \"" label "\", \"stream\": " #stream ", \"direction\": \"" direction              \
    "\", \"bytes\": 1},"
    static const char text[] = "{\"schema\": \"gridcast.workload/1\", \"ops\": [" COPY("a", 1, "h2d")
        COPY("b", 2, "h2d") COPY("c", 3, "h2d") COPY("d", 4, "d2h") COPY("e", 4, "d2d") COPY("f", 5, "h2d")
            COPY("g", 6, "d2h") "{\"kind\": \"kernel\", \"label\": \"k\", \"stream\": 6, \"grid\": 1, \"block\": 32, "
                                "\"duration_ns\": 5}, {\"kind\": \"memset\", \"label\": \"m\", \"stream\": 6, "
                                "\"bytes\": 1}]}";
    assert_ok(gcast_workload_read(text, strlen(text), "test", NULL, &w, &err), &err);
    static const struct {
        int64_t start, end, settled;
    } times[] = {
        {100, 200, 100}, {110, 400, 300}, {120, 300, 200}, /* three to the device: a, c, b */
        {130, 500, 130}, {140, 600, 500},                  /* e behind d in its stream */
        {450, 460, 450},                                   /* starts late enough */
        {510, 700, 510}, {650, 800, 650}, {720, 900, 800}, /* a kernel is as it was recorded */
    };
    gcast_run_op ops[9] = {{0}};
    for (uint32_t i = 0; i < 9; i++)
        ops[i] = (gcast_run_op){.op = i, .launch = i, .start_ns = times[i].start, .end_ns = times[i].end};
    assert_ok(copies_correct_times(w, ops, 9, &err), &err);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(ops[i].start_ns, times[i].settled);
        assert_int_equal(ops[i].end_ns, times[i].end);
    }
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_one_engine), cmocka_unit_test(test_fit),
        cmocka_unit_test(test_median),     cmocka_unit_test(test_orders),     cmocka_unit_test(test_reach),
        cmocka_unit_test(test_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
