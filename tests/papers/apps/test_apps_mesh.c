/* AMR against direct recursion, MANDEL against its rule, and the functions that kernels share with the CPU. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/mandelbrot.h"
#include "papers/apps/data/mesh.h"
#include "papers/apps/data/reference.h"

/* What is below a cell, by recursion; counts the cells of every level. */
typedef struct recursion {
    uint64_t seed;
    uint32_t levels;
    uint32_t descendants, checksum; /* of one cell of level 0 */
    uint64_t refined[8];            /* cells by level */
} recursion;

static void descend(recursion *r, uint32_t level, uint32_t x, uint32_t y, uint32_t cells_per_side)
{
    if (level + 1 >= r->levels || !app_cell_is_refined(level, x, y, cells_per_side, r->seed))
        return;
    r->refined[level]++;
    for (uint32_t sub_y = 4 * y; sub_y < 4 * y + 4; sub_y++)
        for (uint32_t sub_x = 4 * x; sub_x < 4 * x + 4; sub_x++) {
            r->descendants++;
            r->checksum += app_cell_hash(level + 1, sub_x, sub_y);
            descend(r, level + 1, sub_x, sub_y, 4 * cells_per_side);
        }
}

static uint64_t count_items(const uint32_t *items, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        assert_true(items[i] == 0 || items[i] == 16);
        sum += items[i];
    }
    return sum;
}

static void amr(void **state)
{
    (void)state;
    for (uint32_t levels = 1; levels <= 4; levels++) {
        enum { SIDE = 20 };
        uint32_t descendants[SIDE * SIDE], checksum[SIDE * SIDE];
        app_rounds rounds = {0};
        recursion r = {.seed = levels * 11, .levels = levels};
        assert_true(app_amr(SIDE, levels, r.seed, descendants, checksum, &rounds));
        const app_round *round = rounds.round;
        assert_int_equal(rounds.count, 1);
        assert_int_equal(round->threads, SIDE * SIDE);
        assert_int_equal(round->nested_count, levels > 2 ? levels - 2 : 0);
        for (uint32_t cell = 0; cell < SIDE * SIDE; cell++) {
            r.descendants = r.checksum = 0;
            descend(&r, 0, cell % SIDE, cell / SIDE, SIDE);
            assert_int_equal(descendants[cell], r.descendants);
            assert_int_equal(checksum[cell], r.checksum);
            assert_int_equal(round->items[cell], r.descendants ? 16 : 0);
        }
        uint64_t items = count_items(round->items, round->threads);
        assert_int_equal(items, 16 * r.refined[0]);
        for (int k = 0; k < round->nested_count; k++) {
            assert_int_equal(round->nested[k].launchers, items);
            items = count_items(round->nested[k].items, items);
            assert_int_equal(items, 16 * r.refined[k + 1]);
        }
        assert_true(levels == 1 || r.refined[levels - 2] > 0);
        app_rounds_free(&rounds);
    }
}

/* Launchers of a nested level are in the order of the items: cell by cell, row by row. */
static void nested_order(void **state)
{
    (void)state;
    enum { SIDE = 16 };
    uint32_t descendants[SIDE * SIDE], checksum[SIDE * SIDE];
    app_rounds rounds = {0};
    assert_true(app_amr(SIDE, 3, 1, descendants, checksum, &rounds));
    uint64_t launcher = 0;
    for (uint32_t cell = 0; cell < SIDE * SIDE; cell++)
        for (uint32_t i = 0; i < rounds.round[0].items[cell]; i++) {
            uint32_t x = 4 * (cell % SIDE) + i % 4, y = 4 * (cell / SIDE) + i / 4;
            assert_int_equal(rounds.round[0].nested[0].items[launcher++],
                             app_cell_is_refined(1, x, y, 4 * SIDE, 1) ? 16 : 0);
        }
    assert_int_equal(launcher, rounds.round[0].nested[0].launchers);
    app_rounds_free(&rounds);
}

/* A front crosses few cells, the fewer the finer they are, and every front crosses some. */
static void fronts_are_lines(void **state)
{
    (void)state;
    uint64_t coarse = 0, fine = 0;
    for (uint32_t y = 0; y < 256; y++)
        for (uint32_t x = 0; x < 256; x++) {
            fine += app_cell_is_refined(0, x, y, 256, 3);
            coarse += x < 64 && y < 64 && app_cell_is_refined(0, x, y, 64, 3);
        }
    assert_true(coarse > 0.05 * 64 * 64 && coarse < 0.6 * 64 * 64);
    assert_true(fine > 3 * coarse && fine < 5 * coarse);
    for (uint32_t f = 0; f < APP_MESH_FRONTS; f++) {
        int64_t x, y, radius;
        app_mesh_front(3, f, &x, &y, &radius);
        assert_in_range(x, APP_MESH_UNITS / 4, APP_MESH_UNITS / 4 * 3);
        assert_in_range(y, APP_MESH_UNITS / 4, APP_MESH_UNITS / 4 * 3);
        assert_in_range(radius, APP_MESH_UNITS / 16, APP_MESH_UNITS / 16 * 5);
        /* The cell in which the front's easternmost point is. */
        uint32_t east = (uint32_t)((x + radius) * 256 / APP_MESH_UNITS), row = (uint32_t)(y * 256 / APP_MESH_UNITS);
        assert_true(app_cell_is_refined(0, east, row, 256, 3));
    }
}

/* The steps of a pixel in floating point; the bits of a fraction that fixed point has suffice for few steps. */
static uint32_t dwell_by_double(uint32_t px, uint32_t py, uint32_t side, uint32_t max)
{
    double cx = -2 + 2.5 * (px + 0.5) / side, cy = -1.25 + 2.5 * (py + 0.5) / side, x = 0, y = 0;
    uint32_t dwell = 0;
    for (; dwell < max && x * x + y * y <= 4; dwell++) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
    }
    return dwell;
}

static void dwell(void **state)
{
    (void)state;
    uint32_t differ = 0;
    for (uint32_t y = 0; y < 200; y++)
        for (uint32_t x = 0; x < 200; x++)
            differ += app_dwell(x, y, 200, 64) != dwell_by_double(x, y, 200, 64);
    assert_true(differ < 40); /* of 40,000 */
    assert_int_equal(app_dwell(160, 100, 200, 1000), 1000);
    assert_int_equal(app_dwell(0, 0, 200, 1000), 1);
}

/* Every pixel of the border once, and neighbours in order. */
static void border(void **state)
{
    (void)state;
    for (uint32_t tile = 3; tile < 20; tile++) {
        uint8_t seen[20][20] = {{0}};
        for (uint32_t i = 0; i < app_tile_border(tile); i++) {
            uint32_t x, y;
            app_tile_border_pixel(tile, i, &x, &y);
            assert_true(x < tile && y < tile && (x == 0 || y == 0 || x == tile - 1 || y == tile - 1));
            assert_int_equal(seen[y][x]++, 0);
        }
        assert_int_equal(app_tile_border(tile) + app_tile_interior(tile), tile * tile);
    }
}

/* Step by step, without looking for points that come back. */
static uint32_t dwell_by_steps(uint32_t px, uint32_t py, uint32_t side, uint32_t max)
{
    const int64_t one = INT64_C(1) << APP_DWELL_BITS;
    int64_t cx = -2 * one + 5 * (one / 4) * (2 * (int64_t)px + 1) / side, x = 0;
    int64_t cy = -5 * (one / 4) + 5 * (one / 4) * (2 * (int64_t)py + 1) / side, y = 0;
    for (uint32_t dwell = 0; dwell < max; dwell++) {
        int64_t xx = (x * x) >> APP_DWELL_BITS, yy = (y * y) >> APP_DWELL_BITS, xy = (x * y) >> (APP_DWELL_BITS - 1);
        if (xx + yy > 4 * one)
            return dwell;
        x = xx - yy + cx;
        y = xy + cy;
    }
    return max;
}

static void points_that_come_back(void **state)
{
    (void)state;
    enum { SIDE = 160, MAX = 3000 };
    uint32_t never_leave = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t dwell = app_dwell(x, y, SIDE, MAX);
            assert_int_equal(dwell, dwell_by_steps(x, y, SIDE, MAX));
            never_leave += dwell == MAX;
        }
    assert_in_range(never_leave, SIDE * SIDE / 10, SIDE * SIDE / 2);
}

static void mandel(void **state)
{
    (void)state;
    enum { SIDE = 96, TILE = 8, MAX = 128 };
    uint32_t *found = malloc(SIDE * SIDE * sizeof *found);
    app_rounds rounds = {0}, alone = {0};
    uint32_t filled = 0;
    assert_true(app_mandel(SIDE, TILE, MAX, found, &rounds));
    assert_true(app_mandel(SIDE, TILE, MAX, NULL, &alone));
    assert_memory_equal(alone.round[0].items, rounds.round[0].items, SIDE / TILE * (SIDE / TILE) * sizeof(uint32_t));
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t left = x - x % TILE, top = y - y % TILE, corner = app_dwell(left, top, SIDE, MAX);
            bool is_filled = true;
            for (uint32_t i = 0; i < TILE; i++)
                is_filled = is_filled && app_dwell(left + i, top, SIDE, MAX) == corner &&
                            app_dwell(left + i, top + TILE - 1, SIDE, MAX) == corner &&
                            app_dwell(left, top + i, SIDE, MAX) == corner &&
                            app_dwell(left + TILE - 1, top + i, SIDE, MAX) == corner;
            assert_int_equal(found[y * SIDE + x], is_filled ? corner : app_dwell(x, y, SIDE, MAX));
            assert_int_equal(rounds.round[0].items[y / TILE * (SIDE / TILE) + x / TILE],
                             is_filled ? 0 : (TILE - 2) * (TILE - 2));
            filled += is_filled;
        }
    assert_in_range(filled, SIDE * SIDE / 10, SIDE * SIDE * 9 / 10);
    app_rounds_free(&rounds);
    app_rounds_free(&alone);
    free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amr),    cmocka_unit_test(nested_order), cmocka_unit_test(fronts_are_lines),
        cmocka_unit_test(dwell),  cmocka_unit_test(border),       cmocka_unit_test(points_that_come_back),
        cmocka_unit_test(mandel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
