/* Schedules worked out by hand, with which the oracle and the simulator must agree: those of the papers behind
 * docs/model.md, then one small case per rule. Hosts and tasks are in test_oracle_hosts.c, connections in
 * test_connections.c. */
#include "property/hand.h"
#include "support/builders.h"

#define MS 1000000

/* Four kernels of the TX2 thesis, launched in the order given. */
static void four_kernels(fixture *f, const char *order)
{
    static const struct {
        uint32_t blocks;
        int64_t ns;
    } k[] = {{2, 4 * MS}, {7, 6 * MS}, {2, 6 * MS}, {5, 5 * MS}};
    for (int i = 0; i < 4; i++)
        add(f, kernel(stream(f, i + 1, 0, false), 0, k[order[i] - '1'].blocks, 512, k[order[i] - '1'].ns));
    run(f);
}

static void order_1234(void **state)
{
    four_kernels(*state, "1234");
    assert_ends((fixture *)*state, 4 * MS, 10 * MS, 12 * MS, 11 * MS);
}

static void order_2341(void **state)
{
    four_kernels(*state, "2341");
    assert_ends((fixture *)*state, 6 * MS, 12 * MS, 11 * MS, 10 * MS);
}

static void order_2413(void **state)
{
    four_kernels(*state, "2413");
    assert_ends((fixture *)*state, 6 * MS, 11 * MS, 10 * MS, 12 * MS);
}

static void order_2134(void **state)
{
    four_kernels(*state, "2134");
    assert_ends((fixture *)*state, 6 * MS, 8 * MS, 12 * MS, 11 * MS);
}

/* Gilman et al. 2020: X on SMs 1 to 4, SM 0 empty, then three blocks of Y. */
static void gilman(fixture *f, uint32_t x_threads, uint32_t y_threads)
{
    gcast_mask mask = {.word = {0x1e}};
    f->gpu->sms = 5;
    gcast_op x = kernel(stream(f, 1, 0, false), 0, 4, x_threads, 100);
    x.mask = support_add_mask(f->w, &mask, &f->err);
    add(f, x);
    add(f, kernel(stream(f, 2, 0, false), 10, 3, y_threads, 100));
    run(f);
    assert_sms(f, 0, 1, 2, 3, 4);
}

static void gilman_threads(void **state)
{
    gilman(*state, 256, 160);
    assert_sms((fixture *)*state, 1, 0, 0, 1);
}

static void gilman_slots(void **state)
{
    gilman(*state, 1024, 32);
    assert_sms((fixture *)*state, 1, 0, 0, 1);
}

static void gilman_warps(void **state)
{
    gilman(*state, 1024, 33);
    assert_sms((fixture *)*state, 1, 0, 0, 0);
}

/* RTSS 2017, figure 5: the NULL stream between blocking streams. */
static void rtss_null_stream(void **state)
{
    fixture *f = *state;
    int null = stream(f, 0, 0, true), s1 = stream(f, 1, 0, true), s2 = stream(f, 2, 0, true),
        s3 = stream(f, 3, 0, true);
    add(f, kernel(s1, 0, 6, 768, 1000));
    add(f, kernel(null, 200, 1, 1024, 1000));
    add(f, kernel(s2, 400, 4, 256, 1000));
    add(f, kernel(s2, 400, 4, 256, 1000));
    add(f, kernel(null, 600, 1, 1024, 1000));
    add(f, kernel(s3, 800, 2, 256, 1000));
    run(f);
    assert_ends(f, 2000, 3000, 4000, 5000, 6000, 7000);
    assert_int_equal(f->r.ops[1].head_ns, 200);
    assert_int_equal(f->r.ops[1].enter_ns, 2000);
    assert_int_equal(f->r.ops[3].head_ns, 4000);
    assert_int_equal(f->r.ops[4].enter_ns, 5000);
    assert_int_equal(f->r.ops[5].enter_ns, 6000);
}

/* Figure 6: two kernels of high priority starve one of low priority. */
static void rtss_starve(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    add(f, kernel(stream(f, 1, 0, true), 0, 8, 1024, 500));
    add(f, kernel(stream(f, 2, -1, true), 200, 16, 1024, 500));
    add(f, kernel(stream(f, 3, -1, true), 500, 16, 1024, 500));
    run(f);
    assert_ends(f, 5000, 2500, 4500);
    assert_int_equal(f->r.ops[0].start_ns, 0);
    assert_int_equal(f->r.ops[0].dispatched_ns, 4500);
}

/* Figure 8: a kernel of high priority that does not fit stops one that would. */
static void rtss_cut(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    for (int i = 0; i < 7; i++)
        add(f, kernel(stream(f, i + 1, 0, true), 100 * i, 1, 512, 1000));
    add(f, kernel(stream(f, 8, -1, true), 650, 1, 1024, 500));
    add(f, kernel(stream(f, 9, 0, true), 700, 1, 512, 1000));
    run(f);
    assert_ends(f, 1000, 1100, 1200, 1300, 1400, 1500, 1600, 1600, 2100);
    assert_sms(f, 7, 1);
    assert_sms(f, 8, 0);
}

/* A priority that is out of range is taken as the nearest one in range. */
static void priorities_are_clamped(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    f->gpu->sms = 1;
    add(f, kernel(stream(f, 1, 3, false), 0, 3, 1024, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 1, 1024, 10));
    add(f, kernel(stream(f, 3, -1, false), 5, 2, 1024, 10));
    add(f, kernel(stream(f, 4, -7, false), 5, 1, 1024, 10));
    run(f);
    assert_ends(f, 30, 40, 20, 30);
}

/* Launch latency, stream gap and hand-over; a copy that arrives before an older kernel of its stream waits for it. */
static void latencies(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->launch_latency_ns = 10;
    f->gpu->copy_latency_ns = 3;
    f->gpu->stream_gap_ns = 2;
    f->gpu->handover_ns = 5;
    int s = stream(f, 1, 0, false);
    add(f, kernel(s, 0, 3, 1024, 100));
    add(f, copy(s, 0, GCAST_H2D, 7));
    add(f, kernel(stream(f, 2, 0, false), 200, 1, 2048, 1));
    f->gpu->limits.threads_per_block = 2048;
    run(f);
    assert_int_equal(f->r.ops[0].arrive_ns, 10);
    assert_int_equal(f->r.ops[0].dispatched_ns, 115);
    assert_int_equal(f->r.ops[1].arrive_ns, 3);
    assert_int_equal(f->r.ops[1].head_ns, 217);
    assert_int_equal(f->r.ops[2].enter_ns, 210);
    assert_int_equal(f->r.ops[2].start_ns, 220);
    assert_ends(f, 215, 224, 221);
}

/* Two engines: copies to the host have their own; memsets share the first. */
static void copy_engines(void **state)
{
    fixture *f = *state;
    f->gpu->copy_engines = 2;
    f->gpu->d2d_bytes_per_s = 3000000000;
    f->gpu->memset_bytes_per_s = 1;
    gcast_op d2d = copy(stream(f, 3, 0, false), 0, GCAST_D2D, GCAST_UNKNOWN_NS);
    d2d.bytes = 10;                                     /* 3 1/3 ns */
    gcast_op set = gcast_op_default(GCAST_KIND_MEMSET); /* of nothing: 1 ns */
    set.stream = stream(f, 4, 0, false);
    add(f, copy(stream(f, 1, 0, false), 0, GCAST_H2D, 10));
    add(f, copy(stream(f, 2, 0, false), 0, GCAST_D2H, 10));
    add(f, d2d);
    add(f, set);
    run(f);
    assert_ends(f, 10, 10, 14, 15);
    assert_int_equal(f->r.ops[1].engine, 1);
    assert_int_equal(f->r.ops[2].engine, 0);
    assert_int_equal(f->r.ops[3].entry, 3);
}

static void resident_grids(void **state)
{
    fixture *f = *state;
    f->gpu->limits.resident_grids = 1;
    add(f, kernel(stream(f, 1, 0, false), 0, 1, 32, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 1, 32, 10));
    run(f);
    assert_ends(f, 10, 20);
    assert_int_equal(f->r.ops[1].enter_ns, 0);
}

/* A kernel of high priority that waits for the limit of resident grids does not stop the one that is resident. */
static void resident_grids_and_priorities(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->priority_levels = 2;
    f->gpu->limits.resident_grids = 1;
    add(f, kernel(stream(f, 1, 0, false), 0, 3, 1024, 10));
    add(f, kernel(stream(f, 2, -1, false), 5, 1, 32, 10));
    run(f);
    assert_ends(f, 20, 30);
}

/* 8 warp slots by quarter: after 3 warps the next block starts at quarter 3. */
static void quarters(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->register_quarters = true;
    f->gpu->limits.warps_per_sm = 8;
    gcast_op op = kernel(stream(f, 1, 0, false), 0, 4, 96, 10);
    op.shape.registers = 100; /* 3200 of the 16384 of a quarter */
    add(f, op);
    run(f);
    /* Quarters 0 1 2, then 3 0 1; a third block would need 2 3 0, and quarter 0 has its 2 warps. */
    assert_int_equal(f->r.ops[0].blocks[0].quarter, 0);
    assert_int_equal(f->r.ops[0].blocks[1].quarter, 3);
    assert_int_equal(f->r.ops[0].blocks[2].quarter, 2);
    assert_int_equal(f->r.ops[0].blocks[2].start_ns, 10);
    assert_int_equal(f->r.ops[0].blocks[3].quarter, 1);
    assert_int_equal(f->r.ops[0].blocks[3].start_ns, 10);
    assert_ends(f, 20);
}

/* Blocks of two warps follow each other, while single warps of higher priority move the next quarter: at 40 one block
 * ends and two start. */
static void quarters_shift(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->priority_levels = 2;
    f->gpu->register_quarters = true;
    f->gpu->limits.warps_per_sm = 4;
    add(f, kernel(stream(f, 1, 0, false), 0, 6, 64, 20)); /* at 0 5 20 40 40 60 */
    add(f, kernel(stream(f, 2, -1, false), 0, 1, 32, 5));
    add(f, kernel(stream(f, 3, -1, false), 25, 1, 32, 5));
    run(f);
    assert_ends(f, 80, 5, 30);
}

/* Blocks of three warps, one at a time, each starting a quarter before the last: at 20 they hold quarters 2 3 0. */
static void quarters_turn(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->priority_levels = 2;
    f->gpu->register_quarters = true;
    f->gpu->limits.warps_per_sm = 4;
    add(f, kernel(stream(f, 1, 0, false), 0, 4, 96, 10));
    add(f, kernel(stream(f, 2, -1, false), 21, 2, 32, 5)); /* quarter 1 at once, quarter 2 at 30 */
    run(f);
    assert_ends(f, 40, 35);
    assert_int_equal(f->r.ops[1].start_ns, 21);
}

/* A block of four warps has one in every quarter, and still the next block starts one quarter further. */
static void quarters_even(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->register_quarters = true;
    f->gpu->limits.warps_per_sm = 4;
    add(f, kernel(stream(f, 1, 0, false), 0, 3, 128, 10)); /* from quarters 0 1 2 */
    add(f, kernel(stream(f, 2, 0, false), 1, 1, 64, 10));  /* 3 0 */
    add(f, kernel(stream(f, 3, 0, false), 2, 1, 128, 10)); /* from 1 */
    run(f);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(f->r.ops[0].blocks[i].quarter, i);
    assert_int_equal(f->r.ops[1].blocks[0].quarter, 3);
    assert_int_equal(f->r.ops[2].blocks[0].quarter, 1);
    assert_ends(f, 30, 40, 50);
}

/* Policies, on 3 SMs with a block of 1024 threads on SM 1 first. */
static void policies(void **state)
{
    static const struct {
        gcast_placement policy;
        gcast_tie_order ties;
        uint32_t sm[3];
    } cases[] = {
        {GCAST_PLACE_MOST_ROOM, GCAST_TIES_ASCENDING, {0, 2, 0}},
        {GCAST_PLACE_MOST_ROOM, GCAST_TIES_DESCENDING, {2, 0, 2}},
        {GCAST_PLACE_ROUND_ROBIN, GCAST_TIES_ASCENDING, {2, 0, 1}},
        {GCAST_PLACE_ROUND_ROBIN, GCAST_TIES_EVEN_ODD, {0, 2, 1}},
        {GCAST_PLACE_MOST_THREADS, GCAST_TIES_EVEN_ODD, {0, 2, 0}},
        {GCAST_PLACE_FEWEST_BLOCKS, GCAST_TIES_ASCENDING, {0, 2, 0}},
        {GCAST_PLACE_LEAST_ROOM, GCAST_TIES_ASCENDING, {1, 1, 0}},
        {GCAST_PLACE_FIRST_FIT, GCAST_TIES_DESCENDING, {2, 2, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture *f = *state;
        gcast_mask mask = {.word = {2}};
        f->gpu->sms = 3;
        f->gpu->placement = cases[i].policy;
        f->gpu->tie_order = cases[i].ties;
        gcast_op first = kernel(stream(f, 1, 0, false), 0, 1, 1024, 100);
        first.mask = support_add_mask(f->w, &mask, &f->err);
        add(f, first);
        add(f, kernel(stream(f, 2, 0, false), 0, 3, 512, 100));
        run(f);
        assert_sms(f, 1, cases[i].sm[0], cases[i].sm[1], cases[i].sm[2]);
        hand_teardown(state);
        hand_setup(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(order_1234),
        HAND_CASE(order_2341),
        HAND_CASE(order_2413),
        HAND_CASE(order_2134),
        HAND_CASE(gilman_threads),
        HAND_CASE(gilman_slots),
        HAND_CASE(gilman_warps),
        HAND_CASE(rtss_null_stream),
        HAND_CASE(rtss_starve),
        HAND_CASE(rtss_cut),
        HAND_CASE(priorities_are_clamped),
        HAND_CASE(latencies),
        HAND_CASE(copy_engines),
        HAND_CASE(resident_grids),
        HAND_CASE(resident_grids_and_priorities),
        HAND_CASE(quarters),
        HAND_CASE(quarters_shift),
        HAND_CASE(quarters_turn),
        HAND_CASE(quarters_even),
        HAND_CASE(policies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
