/* Lines through points: exact ones, rounding, noise, and points that give none. */
#include "measure/calibrate/observations.h"
#include "support/support.h"

static const int64_t lanes[] = {1, 2, 4, 8, 16, 32};

static void test_exact(void **state)
{
    (void)state;
    int64_t y[6];
    line_fit fit;
    for (int i = 0; i < 6; i++)
        y[i] = 6000 + 220 * lanes[i];
    assert_true(line_fit_points(lanes, y, 6, 10, &fit));
    assert_int_equal(fit.base, 6000);
    assert_int_equal(fit.step, 220);
    for (int i = 0; i < 6; i++)
        y[i] = 500 - 30 * lanes[i];
    assert_true(line_fit_points(lanes, y, 6, 1, &fit));
    assert_int_equal(fit.base, 500);
    assert_int_equal(fit.step, -30);
    for (int i = 0; i < 6; i++)
        y[i] = -507;
    assert_true(line_fit_points(lanes, y, 6, 10, &fit));
    assert_int_equal(fit.base, -510);
    assert_int_equal(fit.step, 0);
}

/* First starts of children of an H200, whose least squares are 5.875 and 0.196 microseconds. */
static void test_measured(void **state)
{
    (void)state;
    static const int64_t y[] = {6300, 6300, 6500, 7300, 9000, 12200};
    line_fit fit;
    assert_true(line_fit_points(lanes, y, 6, 1, &fit));
    assert_int_equal(fit.base, 5875);
    assert_int_equal(fit.step, 196);
    assert_true(line_fit_points(lanes, y, 6, 10, &fit));
    assert_int_equal(fit.base, 5880);
    assert_int_equal(fit.step, 200);
}

static void test_none(void **state)
{
    (void)state;
    static const int64_t x[] = {3, 3, 3}, y[] = {1, 2, 3};
    line_fit fit;
    assert_false(line_fit_points(x, y, 3, 1, &fit));
    assert_false(line_fit_points(x, y, 1, 1, &fit));
    assert_false(line_fit_points(x, y, 0, 1, &fit));
}

/* Sums do not overflow. */
static void test_large(void **state)
{
    (void)state;
    static const int64_t x[] = {0, INT64_C(1) << 39, (INT64_C(1) << 40) - 1};
    line_fit fit;
    assert_true(line_fit_points(x, x, 3, 1, &fit));
    assert_int_equal(fit.base, 0);
    assert_int_equal(fit.step, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_measured),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
