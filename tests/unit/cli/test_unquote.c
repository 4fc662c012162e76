/* Words as bash has them on the line, and what they mean. */
#include "support/support.h"

#include <stdlib.h>

#include "cli/completion/complete.h"

static void words(void **state)
{
    (void)state;
    static const char *const list[][2] = {
        {"plain", "plain"},
        {"", ""},
        {"two\\ words", "two words"},
        {"\"two words\"", "two words"},
        {"'two words'", "two words"},
        {"\"not closed", "not closed"},
        {"'not closed", "not closed"},
        {"a\"b c\"d'e f'", "ab cde f"},
        {"'a\\b'", "a\\b"},           /* in single quotes a backslash is one */
        {"\"a\\b\\\"c\"", "a\\b\"c"}, /* in double quotes it quotes some */
        {"a\\'b", "a'b"},
        {"half\\", "half"}, /* and then the cursor */
        {"$(touch x)", "$(touch x)"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char *got = complete_unquote(list[i][0]);
        assert_non_null(got);
        assert_string_equal(got, list[i][1]);
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
