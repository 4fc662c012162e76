/* The number of slips between words, compared with an exhaustive search, and what is suggested. */
#include "support/support.h"

#include <string.h>

#include "cli/suggest.h"

/* The minimum number of slips between two words by trying every slip at their first letters. */
static size_t all_ways(const char *a, const char *b)
{
    if (!*a || !*b)
        return strlen(a) + strlen(b);
    size_t best = all_ways(a + 1, b + 1) + (*a != *b), other = all_ways(a + 1, b) + 1;
    best = other < best ? other : best;
    other = all_ways(a, b + 1) + 1;
    best = other < best ? other : best;
    if (a[1] && b[1] && a[0] == b[1] && a[1] == b[0]) {
        other = all_ways(a + 2, b + 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

static void slips(void **state)
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
        size_t want = all_ways(word[0], word[1]);
        assert_int_equal(suggest_distance(word[0], word[1], 9), want);
        assert_int_equal(suggest_distance(word[0], word[1], 2), want > 2 ? 3 : want);
    }
}

static const char *meant(const char *given)
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
    assert_string_equal(meant("simualte"), "simulate");
    assert_string_equal(meant("similate"), "simulate");
    assert_string_equal(meant("explian"), "explain");
    assert_string_equal(meant("expln"), "explain");
    assert_string_equal(meant("gpus"), "gpus"); /* the nearest, not the first */
    assert_string_equal(meant("gqu"), "gpu");
    assert_string_equal(meant("K9"), ""); /* too short to be told from the others */
    assert_string_equal(meant("convert"), "");
    char word[200];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_string_equal(meant(word), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slips), cmocka_unit_test(suggested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
