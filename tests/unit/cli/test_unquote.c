/* Words with quotes as they stand on a command line, and the words that a shell makes of them. */
#include "support/support.h"

#include <stdlib.h>

#include "cli/completion/unquote.h"

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
        {"'a\\b'", "a\\b"},           /* in single quotes a backslash quotes nothing */
        {"\"a\\b\\\"c\"", "a\\b\"c"}, /* in double quotes it quotes only some characters */
        {"a\\'b", "a'b"},
        {"half\\", "half"}, /* the cursor stands behind the backslash */
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
