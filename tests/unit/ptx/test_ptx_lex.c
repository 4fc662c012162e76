#include "support/support.h"

#include <string.h>

#include "ptx/lex.h"

static token first_token(const char *source)
{
    lexer x;
    token t = {0};
    lex_open(&x, source, strlen(source));
    lex_next(&x, &t);
    return t;
}

static void tells_words_and_places(void **state)
{
    (void)state;
    static const struct {
        token_kind kind;
        const char *word;
        int line, column;
    } expected[] = {{TOKEN_NAME, "ld", 1, 1},         {TOKEN_DOT, "global", 1, 3},
                    {TOKEN_DOT, "L2::128B", 1, 10},   {TOKEN_NAME, "%r1", 2, 3},
                    {TOKEN_SIGN, ",", 2, 6},          {TOKEN_SIGN, "<<", 3, 4},
                    {TOKEN_STRING, "a \\\" b", 3, 7}, {TOKEN_NAME, "$L__BB0_1", 3, 16},
                    {TOKEN_SIGN, ":", 3, 25},         {TOKEN_END, "", 3, 26}};
    const char *source = "ld.global.L2::128B // comment\n  %r1, /* two\n*/ << \"a \\\" b\" $L__BB0_1:";
    lexer x;
    token t = {0};
    lex_open(&x, source, strlen(source));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lex_next(&x, &t);
        assert_int_equal(t.kind, expected[i].kind);
        assert_int_equal(t.size, strlen(expected[i].word));
        assert_memory_equal(t.start, expected[i].word, t.size);
        assert_int_equal(t.at.line, expected[i].line);
        assert_int_equal(t.at.column, expected[i].column);
    }
}

static void reads_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        token_kind kind;
        uint64_t bits;
        bool is_unsigned;
    } numbers[] = {
        {"0", TOKEN_INT, 0, false},
        {"42", TOKEN_INT, 42, false},
        {"42U", TOKEN_INT, 42, true},
        {"0x7fffffffffffffff", TOKEN_INT, INT64_MAX, false},
        {"0xFFFFFFFFFFFFFFFF", TOKEN_INT, UINT64_MAX, true},
        {"18446744073709551615", TOKEN_INT, UINT64_MAX, true},
        {"0b1011", TOKEN_INT, 11, false},
        {"0755", TOKEN_INT, 493, false},
        {"0f3F800000", TOKEN_F32, 0x3F800000, false},
        {"0dBFF0000000000000", TOKEN_F64, 0xBFF0000000000000, false},
        {"1.5", TOKEN_F64, 0x3FF8000000000000, false},
        {"1.", TOKEN_F64, 0x3FF0000000000000, false},
        {".5", TOKEN_F64, 0x3FE0000000000000, false},
        {"25e-2", TOKEN_F64, 0x3FD0000000000000, false},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        token t = first_token(numbers[i].source);
        assert_int_equal(t.kind, numbers[i].kind);
        assert_true(t.bits == numbers[i].bits);
        assert_int_equal(t.size, strlen(numbers[i].source));
        if (t.kind == TOKEN_INT)
            assert_int_equal(t.is_unsigned, numbers[i].is_unsigned);
    }
}

static void explains_errors(void **state)
{
    (void)state;
    static const struct {
        const char *source, *problem;
    } wrong[] = {
        {"18446744073709551616", "does not fit"},
        {"0x", "digits are expected"},
        {"0f3F8", "8 hexadecimal digits"},
        {"0d3FF000000000000", "16 hexadecimal digits"},
        {"09", "ends with a letter or digit"},
        {"12abc", "ends with a letter or digit"},
        {"\"open", "does not end"},
        {"  /* open", "comment does not end"},
        {"\x80", "character"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        token t = first_token(wrong[i].source);
        assert_int_equal(t.kind, TOKEN_BAD);
        assert_non_null(strstr(t.problem, wrong[i].problem));
        assert_int_equal(t.at.line, 1);
    }
}

static void refuses_zeros_in_strings(void **state)
{
    (void)state;
    lexer x;
    token t = {0};
    lex_open(&x, "\"a\0b\"", 5);
    lex_next(&x, &t);
    assert_int_equal(t.kind, TOKEN_BAD);
    assert_non_null(strstr(t.problem, "zero byte"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_words_and_places),
        cmocka_unit_test(reads_numbers),
        cmocka_unit_test(explains_errors),
        cmocka_unit_test(refuses_zeros_in_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
