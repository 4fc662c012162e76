/* What the progress line says. */
#include "support/support.h"

#include "cli/output/progress_line.h"

typedef struct expected {
    double fraction, elapsed_s, max_left_s;
    const char *line;
} expected;

static void lines(void **state)
{
    (void)state;
    static const expected list[] = {
        {0.5, 10, -1, "w: 50 %, 10 s left"},
        {0.25, 10, -1, "w: 25 %, 30 s left"},
        {0.999, 10, -1, "w: 99 %, 0 s left"},
        {1, 10, -1, "w: 100 %, 0 s left"},
        {1.5, 10, -1, "w: 100 %, 0 s left"},
        {0, 3, -1, "w: 0 %, 3 s so far"}, /* with nothing done yet the time left is not known */
        {-1, 3, -1, "w: 3 s so far"},     /* the fraction is not known */
        {0.5, 99.2, -1, "w: 50 %, 99 s left"},
        {0.5, 100, -1, "w: 50 %, 2 min left"},
        {0.5, 5999, -1, "w: 50 %, 100 min left"},
        {0.5, 6000, -1, "w: 50 %, 2 h left"},
        {0.5, 360000, -1, "w: 50 %, 4 d left"},
        {1e-300, 10, -1, "w: 0 %, 1000000 d left"},
        /* with a limit the time left is at most what the limit leaves */
        {0.01, 10, 50, "w: 1 %, at most 50 s left"},
        {0.5, 10, 50, "w: 50 %, 10 s left"},
        {0, 10, 50, "w: 0 %, at most 50 s left"},
        {-1, 10, 50, "w: at most 50 s left"},
        {0.01, 61, 0, "w: 1 %, at most 0 s left"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char line[160];
        progress_line(line, sizeof line, "w", list[i].fraction, list[i].elapsed_s, list[i].max_left_s);
        assert_string_equal(line, list[i].line);
    }
}

static void short_of_room(void **state)
{
    (void)state;
    char line[8];
    progress_line(line, sizeof line, "simulating", 0.5, 1, -1);
    assert_string_equal(line, "simulat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(short_of_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
