#include "support/support.h"

#include "base/units.h"

static void times_in_their_shortest_form(void **state)
{
    (void)state;
    static const struct {
        int64_t ns;
        const char *text;
    } want[] = {{0, "0ns"},
                {999, "999ns"},
                {1000, "1us"},
                {1500, "1.5us"},
                {10000000, "10ms"},
                {1009350, "1.00935ms"},
                {1000000001, "1.000000001s"},
                {-4000, "-4us"}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char got[48];
        int64_t ns;
        units_format_time(want[i].ns, got, sizeof got);
        assert_string_equal(got, want[i].text);
        if (want[i].ns >= 0) {
            assert_true(units_parse_time(got, &ns));
            assert_int_equal(ns, want[i].ns);
        }
    }
    char longest[48];
    units_format_time(INT64_MIN, longest, sizeof longest);
    assert_string_equal(longest, "-9223372036.854775808s");
}

static void picoseconds(void **state)
{
    (void)state;
    int64_t ps;
    assert_true(units_parse_picoseconds("500ps", &ps) && ps == 500);
    assert_true(units_parse_picoseconds("0.5ns", &ps) && ps == 500);
    assert_true(units_parse_picoseconds("3", &ps) && ps == 3000);
    assert_true(units_parse_picoseconds("1s", &ps) && ps == INT64_C(1000000000000));
    assert_false(units_parse_picoseconds("0.5ps", &ps));
    assert_false(units_parse_picoseconds("10000000s", &ps));
    assert_false(units_parse_picoseconds("", &ps));
}

static void sizes_without_fractions(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        const char *text;
    } want[] = {{0, "0 B"},
                {1, "1 B"},
                {256, "256 B"},
                {1000, "1 KB"},
                {INT64_C(90000000000), "90 GB"},
                {1024, "1 KiB"},
                {1536, "1536 B"},
                {98304, "96 KiB"},
                {1048576, "1 MiB"},
                {1049600, "1025 KiB"},
                {INT64_C(34359738368), "32 GiB"},
                {INT64_MAX, "9223372036854775807 B"}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char got[48];
        units_format_size(want[i].bytes, got, sizeof got);
        assert_string_equal(got, want[i].text);
    }
}

/* One unit for all, and exact. */
static void rates_in_one_unit(void **state)
{
    (void)state;
    static const struct {
        int64_t rate;
        const char *text;
    } want[] = {{0, "0 GB/s"},
                {1, "0.000000001 GB/s"},
                {INT64_C(15600000000), "15.6 GB/s"},
                {INT64_C(68250000000), "68.25 GB/s"},
                {INT64_C(450000000000), "450 GB/s"},
                {INT64_C(2100000000000), "2100 GB/s"},
                {INT64_MAX, "9223372036.854775807 GB/s"}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char got[48];
        units_format_rate(want[i].rate, got, sizeof got);
        assert_string_equal(got, want[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_in_their_shortest_form),
        cmocka_unit_test(picoseconds),
        cmocka_unit_test(sizes_without_fractions),
        cmocka_unit_test(rates_in_one_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
