/* Zones: what bounds of differences say of times. */
#include "analyze/explore/events/zone.h"
#include "support/support.h"

static const zone_time zero = {0, 0};

static zone_time var(uint32_t v)
{
    return (zone_time){v, 0};
}

static void bounds_follow_from_others(void **state)
{
    (void)state;
    zone z = {.var_count = 1};
    zone_time a = var(zone_add(&z, zero, 10, 20)), b = var(zone_add(&z, a, 3, 5));
    assert_int_equal(zone_max_after(&z, b, zero), 25);
    assert_int_equal(zone_max_after(&z, zero, b), -13);
    assert_true(zone_restrict(&z, b, zero, 15)); /* so a is at most 12 */
    assert_int_equal(zone_max_after(&z, a, zero), 12);
    assert_int_equal(zone_max_after(&z, b, a), 5);
    assert_int_equal(zone_max_after(&z, b, (zone_time){a.var, 4}), 1);
}

static void what_cannot_be_is_false(void **state)
{
    (void)state;
    zone z = {.var_count = 1};
    zone_time a = var(zone_add(&z, zero, 10, 20)), b = var(zone_add(&z, zero, 30, 40));
    assert_false(zone_restrict(&z, b, a, 9));
    assert_true(zone_restrict(&z, b, a, 10));
    assert_int_equal(zone_max_after(&z, b, zero), 30);
    assert_int_equal(zone_max_after(&z, zero, a), -20);
}

static void the_latest_is_after_all(void **state)
{
    (void)state;
    zone z = {.var_count = 1};
    zone_time times[] = {var(zone_add(&z, zero, 10, 20)), {zone_add(&z, zero, 0, 30), 1}};
    zone_time m = var(zone_add_latest(&z, times, 2));
    assert_int_equal(zone_max_after(&z, m, zero), 31);
    assert_int_equal(zone_max_after(&z, zero, m), -10);
    assert_int_equal(zone_max_after(&z, times[0], m), 0);
    assert_int_equal(zone_max_after(&z, times[1], m), 0);
}

static void there_is_no_room_for_too_many(void **state)
{
    (void)state;
    zone z = {.var_count = 1};
    for (uint32_t i = 1; i < ZONE_MAX_VARIABLES; i++)
        assert_int_equal(zone_add(&z, zero, i, i), i);
    assert_int_equal(zone_add(&z, zero, 1, 1), ZONE_NO_VARIABLE);
    for (uint32_t i = 1; i < ZONE_MAX_VARIABLES; i++)
        assert_int_equal(zone_max_after(&z, var(i), zero), i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_follow_from_others), cmocka_unit_test(what_cannot_be_is_false),
        cmocka_unit_test(the_latest_is_after_all), cmocka_unit_test(there_is_no_room_for_too_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
