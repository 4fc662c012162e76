/* Averages, windows and packed words of cuda/gridcast_spawn_rules.h: each rule by numbers worked out by hand, and words
 * against plain sums. */
#include "support/support.h"

#include <math.h>

#include "gridcast_spawn_rules.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected)))) /* also where it is no number */
        fail_msg("%.17g, not %.17g", value, expected);
}

static void t_cta_averages(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    gridcast_averages a = gridcast_averages_start();
    gridcast_add_blocks(&a, &p, 0, 0);
    assert_near(a.t_cta_ns, 0); /* nothing has ended: the bootstrap goes on */
    gridcast_add_blocks(&a, &p, 2, 300);
    assert_near(a.t_cta_ns, 150);
    gridcast_add_blocks(&a, &p, 1, 600);
    assert_near(a.t_cta_ns, 300);
    gridcast_add_blocks(&a, &p, 0, 0);
    assert_near(a.t_cta_ns, 300);
    assert_int_equal(a.blocks, 3);
    assert_near(a.sum_ns, 900);

    p.average = GRIDCAST_EXPONENTIAL;
    a = gridcast_averages_start();
    gridcast_add_blocks(&a, &p, 3, 2400);
    assert_near(a.t_cta_ns, 800); /* the first ones count fully */
    gridcast_add_blocks(&a, &p, 1, 1600);
    assert_near(a.t_cta_ns, 900);
    gridcast_add_blocks(&a, &p, 2, 3200); /* two of 1600 */
    assert_near(a.t_cta_ns, 1600 - 700 * 49.0 / 64);
}

/* A clock with coarse ticks shows 0: the bootstrap is over all the same. */
static void blocks_without_time(void **state)
{
    (void)state;
    for (uint32_t average = GRIDCAST_CUMULATIVE; average <= GRIDCAST_EXPONENTIAL; average++) {
        gridcast_params p = gridcast_params_default();
        gridcast_averages a = gridcast_averages_start();
        p.average = average;
        assert_int_equal(gridcast_snapshot_of(&a, &p).flags, GRIDCAST_BOOTSTRAP);
        gridcast_add_blocks(&a, &p, 4, 0);
        assert_near(a.t_cta_ns, 1);
        assert_int_equal(gridcast_snapshot_of(&a, &p).flags & GRIDCAST_BOOTSTRAP, 0);
    }
}

/* A window in which the clock did not tick during any block: t_warp stays, and launching goes on. With t_warp 0 no
 * thread would launch again, and no window would close again. */
static void windows_without_ticks(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    gridcast_averages a = gridcast_averages_start();
    gridcast_window none = {.span_ns = 1024, .ended = 3, .warps = 3};
    gridcast_window some = {
        .span_ns = 2048, .block_time_ns = 4096, .ended = 4, .ended_ns = 4096, .warps = 4, .warps_ns = 4096};
    p.policy = GRIDCAST_SPAWN;
    gridcast_close_window(&a, &p, &none); /* the first one: nothing is known */
    gridcast_snapshot s = gridcast_snapshot_of(&a, &p);
    assert_int_equal(s.flags, GRIDCAST_NO_RATE);
    assert_true(gridcast_launches(&p, &s, 8, 1, 0, 0, 0));
    assert_false(gridcast_launches(&p, &s, 8, 1, p.max_queue, 0, 0));
    gridcast_close_window(&a, &p, &some);
    assert_near(a.t_warp_ns, 1024);
    s = gridcast_snapshot_of(&a, &p);
    assert_true(gridcast_launches(&p, &s, 1000, 16, 0, 0, 0));
    gridcast_close_window(&a, &p, &none);
    assert_near(a.t_warp_ns, 1024);
    s = gridcast_snapshot_of(&a, &p);
    assert_true(gridcast_launches(&p, &s, 1000, 16, 0, 0, 0));
    assert_false(gridcast_launches(&p, &s, 8, 4000, 0, 0, 0)); /* it decides by times again */
}

static void windows_close(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    gridcast_averages a = gridcast_averages_start();
    gridcast_window w = {.span_ns = 1000, .block_time_ns = 900};
    gridcast_close_window(&a, &p, &w);
    assert_near(a.n_con, 0.9); /* the fraction is kept */
    assert_near(a.t_cta_ns, 0);
    assert_near(a.t_warp_ns, 0);
    w = (gridcast_window){.span_ns = 1000,
                          .block_time_ns = 4500,
                          .ended = 3,
                          .ended_ns = 1200,
                          .warps = 3,
                          .warps_ns = 600,
                          .max_running = 5};
    gridcast_close_window(&a, &p, &w);
    assert_near(a.n_con, 4.5);
    assert_near(a.t_cta_ns, 400);
    assert_near(a.t_warp_ns, 200);
    w.max_running = 4; /* a limit holds only where it is the smaller */
    w.ended = w.ended_ns = w.warps = w.warps_ns = 0;
    gridcast_close_window(&a, &p, &w);
    assert_near(a.n_con, 4);
    assert_near(a.t_warp_ns, 200); /* of the last window in which a block ended */
    w = (gridcast_window){.span_ns = 1000};
    gridcast_close_window(&a, &p, &w);
    assert_near(a.n_con, 0);
    assert_near(a.last_n_con, 4);
    w = (gridcast_window){.block_time_ns = 5, .ended = 1, .ended_ns = 800, .warps = 1, .warps_ns = 7};
    gridcast_close_window(&a, &p, &w); /* no time passed: n_con stays, what ended counts */
    assert_near(a.n_con, 0);
    assert_near(a.t_cta_ns, 500);
    assert_near(a.t_warp_ns, 7);
}

static void snapshots_of_idle_windows(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    gridcast_averages a = {.t_cta_ns = 600, .n_con = 0, .last_n_con = 4, .t_warp_ns = 33};
    p.policy = GRIDCAST_SPAWN;
    p.overhead_ns = 77;
    for (uint32_t idle = GRIDCAST_IDLE_LAST; idle <= GRIDCAST_IDLE_ONE; idle++) {
        p.idle = idle;
        a.n_con = 1.5; /* not idle: no choice matters */
        gridcast_snapshot s = gridcast_snapshot_of(&a, &p);
        assert_near((double)s.block_ns, 400);
        assert_near((double)s.item_ns, 33);
        assert_near((double)s.overhead_ns, 77);
        assert_int_equal(s.flags, 0);
    }
    a.n_con = 0;
    p.idle = GRIDCAST_IDLE_LAST;
    assert_near((double)gridcast_snapshot_of(&a, &p).block_ns, 150);
    assert_int_equal(gridcast_snapshot_of(&a, &p).flags, 0);
    p.idle = GRIDCAST_IDLE_ONE;
    assert_near((double)gridcast_snapshot_of(&a, &p).block_ns, 600);
    assert_int_equal(gridcast_snapshot_of(&a, &p).flags, 0);
    p.idle = GRIDCAST_IDLE_LAUNCH;
    assert_int_equal(gridcast_snapshot_of(&a, &p).flags, GRIDCAST_NO_RATE);
    p.idle = GRIDCAST_IDLE_LAST;
    a.last_n_con = 0; /* there was none */
    gridcast_snapshot s = gridcast_snapshot_of(&a, &p);
    assert_int_equal(s.flags, GRIDCAST_NO_RATE);
    p.max_queue = 10; /* launch while the queue has space */
    assert_true(gridcast_launches(&p, &s, 1000, 4, 6, 0, 0));
    assert_false(gridcast_launches(&p, &s, 1000, 4, 7, 0, 0));
    s.flags = GRIDCAST_BOOTSTRAP; /* whatever n is */
    assert_true(gridcast_launches(&p, &s, 1000, 4, 7, 0, 0));
}

/* Blocks start and end in any order, at times that pass 2^50: the word's integral is the sum of their times. */
static void running_words(void **state)
{
    (void)state;
    support_random r = {5};
    for (int run = 0; run < 2000; run++) {
        enum { BLOCKS = 40 };
        uint64_t start[BLOCKS], end[BLOCKS], word = 0;
        uint64_t first = (uint64_t)support_between(&r, 0, ((int64_t)1 << 52));
        uint64_t span = (uint64_t)support_between(&r, 1, 1000000), count = (uint64_t)support_between(&r, 1, BLOCKS);
        if (run % 2)
            first = ((uint64_t)run << 50) - span / 2; /* the sum wraps in the window */
        for (uint64_t i = 0; i < count; i++) {
            start[i] = first + (uint64_t)support_between(&r, 0, (int64_t)span);
            end[i] = start[i] + (uint64_t)support_between(&r, 0, (int64_t)span);
        }
        uint64_t before = gridcast_block_time(0, first), integral = 0, running = 0;
        uint64_t now = first + (uint64_t)support_between(&r, 0, 2 * (int64_t)span);
        for (uint64_t i = 0; i < count; i++) /* ends first: additions have no order */
            if (end[i] <= now)
                word += gridcast_running_end(end[i]);
        for (uint64_t i = 0; i < count; i++)
            if (start[i] <= now)
                word += gridcast_running_begin(start[i]);
        for (uint64_t i = 0; i < count; i++) {
            running += start[i] <= now && end[i] > now;
            integral += start[i] > now ? 0 : (end[i] < now ? end[i] : now) - start[i];
        }
        uint64_t time = gridcast_block_time(word, now);
        assert_int_equal(gridcast_running_count(word), running);
        assert_int_equal(gridcast_block_time_between(before, time), integral);
        uint64_t later = now + (uint64_t)support_between(&r, 0, 1000); /* nobody starts or ends */
        assert_int_equal(gridcast_block_time_between(time, gridcast_block_time(word, later)), running * (later - now));
        if (integral)
            assert_int_equal(gridcast_block_time_between(time, before), 0); /* it fell */
    }
}

/* As many running blocks as 14 bits count: more than an H200 holds. */
static void many_running(void **state)
{
    (void)state;
    uint64_t word = 0, largest = (1u << GRIDCAST_RUNNING_BITS) - 1;
    for (uint64_t i = 0; i < largest; i++)
        word += gridcast_running_begin(1000 + i);
    assert_int_equal(gridcast_running_count(word), largest);
    uint64_t time = gridcast_block_time(word, 50000);
    assert_int_equal(gridcast_block_time_between(time, gridcast_block_time(word, 50100)), 100 * largest);
    time = gridcast_block_time(word, 60000);
    for (uint64_t i = 0; i < largest; i++)
        word += gridcast_running_end(60000 + i);
    assert_int_equal(gridcast_running_count(word), 0);
    assert_int_equal(gridcast_block_time_between(time, gridcast_block_time(word, 99999)), largest * (largest - 1) / 2);
    assert_int_equal(gridcast_block_time_between(0, gridcast_block_time(word, 99999)), 59000 * largest);
}

static void loads(void **state)
{
    (void)state;
    uint64_t load = gridcast_load_of(3, 70000) + gridcast_load_of(1, 5);
    assert_int_equal(gridcast_load_kernels(load), 4);
    assert_int_equal(gridcast_load_blocks(load), 70005);
    load -= gridcast_load_of(4, 70000);
    assert_int_equal(gridcast_load_kernels(load), 0);
    assert_int_equal(gridcast_load_blocks(load), 5);
    load = gridcast_load_of(UINT32_MAX, UINT32_MAX);
    assert_int_equal(gridcast_load_kernels(load), UINT32_MAX);
    assert_int_equal(gridcast_load_blocks(load), UINT32_MAX);
    load = gridcast_load_of(0, 9) - gridcast_load_of(0, 9) + gridcast_load_of(1, 0);
    assert_int_equal(gridcast_load_kernels(load), 1);
    assert_int_equal(gridcast_load_blocks(load), 0);
}

static void classes_by_size(void **state)
{
    (void)state;
    static const uint32_t largest[GRIDCAST_CLASSES] = {1, 2, 4, 8, 16, 32, 64, UINT32_MAX};
    assert_int_equal(gridcast_class_of(0), 0);
    for (uint32_t i = 0; i < GRIDCAST_CLASSES; i++) {
        assert_int_equal(gridcast_class_of(largest[i]), i);
        if (i + 1 < GRIDCAST_CLASSES)
            assert_int_equal(gridcast_class_of(largest[i] + 1), i + 1);
    }
}

static void blocks_of_items(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    p.block_items = 64;
    assert_int_equal(gridcast_blocks_of(&p, 0), 0);
    assert_int_equal(gridcast_blocks_of(&p, 1), 1);
    assert_int_equal(gridcast_blocks_of(&p, 64), 1);
    assert_int_equal(gridcast_blocks_of(&p, 65), 2);
    assert_int_equal(gridcast_blocks_of(&p, UINT32_MAX), 1u << 26);
    p.block_items = 0; /* counts as 1 */
    assert_int_equal(gridcast_blocks_of(&p, 9), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_cta_averages),
        cmocka_unit_test(blocks_without_time),
        cmocka_unit_test(windows_without_ticks),
        cmocka_unit_test(windows_close),
        cmocka_unit_test(snapshots_of_idle_windows),
        cmocka_unit_test(running_words),
        cmocka_unit_test(many_running),
        cmocka_unit_test(loads),
        cmocka_unit_test(classes_by_size),
        cmocka_unit_test(blocks_of_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
