/* What keeps a CUDA program safe in cuda/gridcast_spawn_rules.h: margins of the pool, counts that drift, parameters
 * that lack something, what is learned; and the lines of cuda/gridcast_spawn_log.h. */
#include "support/support.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast_spawn_log.h"
#include "gridcast_spawn_rules.h"

/* Whatever the pool: children that are counted as pending, and those that have ended and still keep a place, fit. */
static void pools_have_a_margin(void **state)
{
    (void)state;
    assert_int_equal(gridcast_params_default().max_pending, gridcast_pending_of(2048)); /* CUDA's pool */
    assert_int_equal(gridcast_pending_of(2048), 1792);
    assert_int_equal(gridcast_pending_of(131072), 114688);
    assert_int_equal(gridcast_pending_of(UINT64_MAX), GRIDCAST_ANY_PENDING - 1);
    for (uint64_t pool = 0; pool < 5000; pool++) {
        uint64_t pending = gridcast_pending_of(pool);
        if (pending)
            assert_true(pending + 2 * 128 <= pool); /* grids that are resident, and as many that are complete */
        else
            assert_true(pool <= 256);
        assert_true(pending <= pool - pool / 8);
    }
}

/* A random number of kernels and blocks is launched and ended, some of them not as told. */
static void counts_that_drift(void **state)
{
    (void)state;
    support_random r = {21};
    long less = 0;
    for (int i = 0; i < 20000; i++) {
        uint64_t launched = (uint64_t)support_between(&r, 0, INT64_MAX), ended = launched;
        int64_t kernels = support_between(&r, -3, 3000), blocks = support_between(&r, -300, 300000);
        launched += gridcast_load_of(5000, 500000);
        ended += gridcast_load_of((uint32_t)(5000 - kernels), (uint32_t)(500000 - blocks));
        assert_int_equal(gridcast_load_kernels_left(launched - ended), kernels);
        assert_int_equal(gridcast_load_blocks_left(launched - ended), blocks);
        bool expected = blocks < 0 || kernels < 0;
        assert_int_equal(gridcast_load_is_less(launched - ended), expected);
        less += expected;
    }
    assert_true(less > 10);
    assert_false(gridcast_load_is_less(0));
    assert_true(gridcast_load_is_less(gridcast_load_of(1, 1) - gridcast_load_of(1, 2)));
    assert_true(gridcast_load_is_less(gridcast_load_of(1, 1) - gridcast_load_of(2, 1)));
}

static void parameters_that_lack_something(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    assert_int_equal(p.policy, GRIDCAST_OWN);
    assert_non_null(strstr(gridcast_params_lack(&p), "item_ns")); /* it would never launch */
    p.item_ns = 12;
    assert_null(gridcast_params_lack(&p));
    p.policy = GRIDCAST_LEARN;
    p.item_ns = 0;
    assert_null(gridcast_params_lack(&p));
    p.policy = GRIDCAST_THRESHOLD;
    p.threshold = 0;
    assert_non_null(gridcast_params_lack(&p));
    p.policy = GRIDCAST_LEARN + 1;
    assert_non_null(gridcast_params_lack(&p));
}

static void learning(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default(), before = p;
    gridcast_learned l = {.loops = 3, .loop_ns = 5000, .loop_items = 400, .blocks = 8, .block_ns = 16000};
    gridcast_snapshot none = {0};
    p.policy = GRIDCAST_LEARN;
    for (uint64_t place = 0; place < 2 * GRIDCAST_LEARN_CHILDREN; place++)
        assert_int_equal(gridcast_launches(&p, &none, 100, 2, 0, place, 0), place < GRIDCAST_LEARN_CHILDREN);
    assert_false(gridcast_launches(&p, &none, 7, 1, 0, 0, 0)); /* fewer than min_items */
    before = p;
    l.loop_items = 0;
    assert_false(gridcast_params_learn(&p, &l));
    l.loop_items = 400, l.blocks = 0;
    assert_false(gridcast_params_learn(&p, &l));
    l.blocks = 8, l.loop_ns = 0;
    assert_false(gridcast_params_learn(&p, &l));
    assert_memory_equal(&p, &before, sizeof p);
    l.loop_ns = 5000;
    assert_true(gridcast_params_learn(&p, &l));
    assert_int_equal(p.policy, GRIDCAST_OWN);
    assert_null(gridcast_params_lack(&p));
    assert_float_equal(p.item_ns, 12.5, 0);
    assert_float_equal(p.child_ns, 2000 + GRIDCAST_CHILD_END_NS + GRIDCAST_MARGIN_NS, 0);
    assert_float_equal(gridcast_params_default().child_ns, p.child_ns, 0); /* the default is of such a child */
    assert_true(gridcast_launches(&p, &none, 5000, 79, 0, 0, 0));          /* and it launches: 62.5 us against 24.3 */
    assert_false(gridcast_launches(&p, &none, 1000, 16, 0, 0, 0));
}

/* Another GPU's time from a child's end to its completion counts in the place of an H200's. Decisions read the first 12
 * words of the parameters, and it is not among them. */
static void learning_where_children_end_sooner(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    gridcast_learned l = {.loops = 1, .loop_ns = 5000, .loop_items = 400, .blocks = 8, .block_ns = 16000};
    gridcast_snapshot none = {0};
    assert_float_equal(p.end_ns, GRIDCAST_CHILD_END_NS, 0);
    assert_true(offsetof(gridcast_params, end_ns) >= 12 * sizeof(uint32_t));
    for (int end_ns = 0; end_ns <= 50000; end_ns += 2500) {
        p.end_ns = (float)end_ns;
        p.margin_ns = 0;
        assert_true(gridcast_params_learn(&p, &l));
        assert_float_equal(p.child_ns, 2000 + end_ns, 0);
        assert_float_equal(p.end_ns, end_ns, 0);
        assert_null(gridcast_params_lack(&p));
        /* 1,600 items take 20 us in a loop, a launch 6.3, a child 2 and its end. */
        assert_int_equal(gridcast_launches(&p, &none, 1600, 25, 0, 0, 0), end_ns <= 11700);
    }
}

/* Words that count and add up times: of the same blocks, whatever the order. */
static void timed_words(void **state)
{
    (void)state;
    support_random r = {22};
    for (int run = 0; run < 2000; run++) {
        uint64_t word = (uint64_t)support_between(&r, 0, INT64_MAX) << 1, before = word, count = 0, ns = 0;
        for (int64_t i = support_between(&r, 0, 50); i > 0; i--) {
            uint64_t time = (uint64_t)support_between(&r, 0, support_between(&r, 0, 1) ? 1024 : (int64_t)1 << 38);
            word += gridcast_timed(time);
            count++, ns += time;
        }
        assert_int_equal(gridcast_timed_count(word - before), count);
        assert_int_equal(gridcast_timed_ns(word - before), ns);
    }
}

static void assert_row(const gridcast_decision *d, const gridcast_averages *a, const gridcast_params *p,
                       const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    gridcast_log_row(out, d, a, p);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void lines_of_the_log(void **state)
{
    (void)state;
    gridcast_params p = gridcast_params_default();
    gridcast_averages a = gridcast_averages_start();
    gridcast_decision d = {.time_ns = 77, .n = 30, .items = 90, .blocks = 2, .choice = GRIDCAST_CHOICE_LAUNCH};
    p.policy = GRIDCAST_SPAWN;
    p.overhead_ns = 6300;
    d.flags = gridcast_snapshot_of(&a, &p).flags;
    assert_row(&d, &a, &p, "77,90,2,30,0.000,0.000,0.000,,6300.000,,,launch,start\n");
    a.t_cta_ns = 2000;
    d.flags = gridcast_snapshot_of(&a, &p).flags;
    assert_row(&d, &a, &p, "77,90,2,30,2000.000,0.000,0.000,0.000,6300.000,,,launch,unknown\n");
    a.n_con = 8, a.t_warp_ns = 150.5;
    d.flags = gridcast_snapshot_of(&a, &p).flags | 7 << GRIDCAST_WINDOW_SHIFT; /* of the seventh window */
    d.choice = GRIDCAST_CHOICE_LOOP;
    assert_row(&d, &a, &p, "77,90,2,30,2000.000,8.000,150.500,4.000,6300.000,14300.000,13545.000,loop,formula\n");
    p.max_queue = 31;
    assert_row(&d, &a, &p, "77,90,2,30,2000.000,8.000,150.500,4.000,6300.000,14300.000,13545.000,loop,queue\n");
    d.choice = GRIDCAST_CHOICE_REFUSED;
    assert_row(&d, &a, &p, "77,90,2,30,2000.000,8.000,150.500,4.000,6300.000,14300.000,13545.000,loop,pool\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_have_a_margin),
        cmocka_unit_test(counts_that_drift),
        cmocka_unit_test(parameters_that_lack_something),
        cmocka_unit_test(learning),
        cmocka_unit_test(learning_where_children_end_sooner),
        cmocka_unit_test(timed_words),
        cmocka_unit_test(lines_of_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
