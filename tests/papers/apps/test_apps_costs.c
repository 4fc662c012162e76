/* Cycles of the steps of applications, and totals of rounds. */
#include "support/support.h"

#include "papers/apps/data/mandelbrot.h"
#include "papers/apps/data/mesh.h"
#include "papers/apps/data/reads.h"
#include "papers/apps/data/reference.h"
#include "papers/apps/step_costs.h"

static void formula(void **state)
{
    (void)state;
    app_latencies latencies = {1000, 100, 10, 1};
    app_counts counts = {2, 3, 4, 5};
    assert_int_equal(app_cycles(&counts, &latencies, 32), 2000 + 300 + 4 * 31 * 10 + 5);
    counts = (app_counts){0, 2, 3, 8};
    assert_int_equal(app_cycles(&counts, &app_kepler, 32), 2 * 222 + 3 * 124 + 32);
    assert_int_equal(app_cycles(&counts, &app_kepler, 1), 2 * 222 + 32);
}

/* What must hold of any argument: nothing is free, and a child never has more lines to touch than a parent's loop. */
static void table(void **state)
{
    (void)state;
    for (int kind = 0; kind < APP_KINDS; kind++) {
        const app_costs *costs = app_costs_of((app_kind)kind);
        assert_true(app_cycles(&costs->parent_before, &app_kepler, 32) > 0);
        assert_true(app_cycles(&costs->parent_item, &app_kepler, 32) > 0);
        assert_true(app_cycles(&costs->child_thread, &app_kepler, 32) > 0);
        assert_true(app_cycles(&costs->child_item, &app_kepler, 32) > 0);
        assert_true(costs->child_item.uncoalesced <= costs->parent_item.uncoalesced);
        assert_true(costs->child_item.dram + costs->child_item.l2 <= costs->parent_item.dram + costs->parent_item.l2);
    }
}

/* Counts that follow from constants of the data. */
static void constants(void **state)
{
    (void)state;
    assert_int_equal(app_costs_of(APP_SA)->child_item.uncoalesced, APP_READ_BASES);
    assert_int_equal(app_costs_of(APP_MANDEL)->parent_before.uncoalesced, app_tile_border(16));
    assert_int_equal(APP_MESH_FRONTS, 6);
}

static void totals(void **state)
{
    (void)state;
    app_rounds rounds = {0};
    for (uint32_t r = 0; r < 20; r++) {
        app_round *round = app_rounds_add(&rounds, 3);
        assert_non_null(round);
        round->items[0] = r;
        round->items[2] = 8;
        app_nested *nested = app_round_nest(round, 2);
        assert_non_null(nested);
        nested->items[1] = 100 + r;
    }
    app_totals t = app_rounds_total(&rounds, 8);
    assert_int_equal(t.threads, 100);
    assert_int_equal(t.items, 190 + 160 + 2190);
    assert_int_equal(t.children, 12 + 20 + 20);
    assert_int_equal(t.offered, 190 - 28 + 160 + 2190);
    assert_int_equal(t.largest, 119);
    assert_int_equal(app_rounds_total(&rounds, 0).children, 19 + 20 + 20);
    app_round *last = &rounds.round[19];
    while (last->nested_count < APP_MAX_NESTED)
        assert_non_null(app_round_nest(last, 1));
    assert_null(app_round_nest(last, 1));
    app_rounds_free(&rounds);
    assert_int_equal(rounds.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula),
        cmocka_unit_test(table),
        cmocka_unit_test(constants),
        cmocka_unit_test(totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
