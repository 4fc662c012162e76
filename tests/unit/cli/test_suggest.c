/* The number of slips between words, compared with an exhaustive search, and what is suggested. */
#include "support/support.h"

#include <string.h>

#include "cli/suggest.h"

/* The minimum number of slips between two words by trying every slip at their first letters. */
static size_t edit_distance(const char *a, const char *b)
{
    if (!*a || !*b)
        return strlen(a) + strlen(b);
    size_t best = edit_distance(a + 1, b + 1) + (*a != *b), other = edit_distance(a + 1, b) + 1;
    best = other < best ? other : best;
    other = edit_distance(a, b + 1) + 1;
    best = other < best ? other : best;
    if (a[1] && b[1] && a[0] == b[1] && a[1] == b[0]) {
        other = edit_distance(a + 2, b + 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

static void distances(void **state)
{
    (void)state;
    support_random r = {1};
    for (int n = 0; n < 3000; n++) {
        char word[2][8];
        for (int w = 0; w < 2; w++) {
            int length = (int)support_between(&r, 0, 6);
            for (int i = 0; i < length; i++)
                word[w][i] = (char)('a' + support_between(&r, 0, 2));
            word[w][length] = '\0';
        }
        size_t want = edit_distance(word[0], word[1]);
        assert_int_equal(suggest_distance(word[0], word[1], 9), want);
        assert_int_equal(suggest_distance(word[0], word[1], 2), want > 2 ? 3 : want);
    }
}

static const char *nearest_of(const char *given)
{
    static const char *const words[] = {"simulate", "explain", "gpu", "gpus", "K1", "K2"};
    suggestion s = suggest_for(given);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        suggest_consider(&s, words[i]);
    return s.nearest ? s.nearest : "";
}

static void suggested(void **state)
{
    (void)state;
    assert_string_equal(nearest_of("simualte"), "simulate");
    assert_string_equal(nearest_of("similate"), "simulate");
    assert_string_equal(nearest_of("explian"), "explain");
    assert_string_equal(nearest_of("expln"), "explain");
    assert_string_equal(nearest_of("gpus"), "gpus"); /* the nearest, not the first */
    assert_string_equal(nearest_of("gqu"), "gpu");
    assert_string_equal(nearest_of("K9"), ""); /* too short to be told from the others */
    assert_string_equal(nearest_of("convert"), "");
    char word[200];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_string_equal(nearest_of(word), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(suggested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
