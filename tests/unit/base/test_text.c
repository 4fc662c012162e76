#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void digits_match_printf(void **state)
{
    (void)state;
    uint64_t v = 0;
    for (int i = 0; i < 200; i++) {
        uint64_t tries[] = {v, v - 1, v + 1};
        for (size_t k = 0; k < 3; k++) {
            char got[24] = {0}, want[24];
            *text_digits(got, tries[k]) = '\0';
            snprintf(want, sizeof want, "%llu", (unsigned long long)tries[k]);
            assert_string_equal(got, want);
        }
        v = i < 20 ? (v ? v * 10 : 1) : v * 3 + 7;
    }
}

static char *written_by(void (*write)(text *, const char *), const char *s)
{
    text t;
    text_open(&t, NULL, NULL);
    write(&t, s);
    return text_take(&t, NULL);
}

static void check(void (*write)(text *, const char *), const char *in, const char *want)
{
    char *got = written_by(write, in);
    assert_string_equal(got, want);
    free(got);
}

static void escapes(void **state)
{
    (void)state;
    check(text_json, "a\"b\\\n\x7f\xff\xc3\xa9", "\"a\\\"b\\\\\\u000a\\u007f\\ufffd\xc3\xa9\"");
    check(text_xml, "<a href='x'>&\x01", "&lt;a href=&#39;x&#39;&gt;&amp;\xef\xbf\xbd");
    check(text_csv, "plain", "plain");
    check(text_csv, "a,\"b\"", "\"a,\"\"b\"\"\"");
    check(text_csv, "=1+2", "\"'=1+2\"");
    check(text_csv, "a\x1b[31m\xc2\x9b\xff", "a\\x1b[31m\\xc2\\x9b\\xff");
    check(text_csv, "\"\n\xc3\xa9", "\"\"\"\\x0a\xc3\xa9\"");
    check(text_csv, "\ta\rb", "\\x09a\\x0db");
    check(text_csv,
          "a\xe2\x80\xae"
          "b,",
          "\"a\\xe2\\x80\\xae"
          "b,\"");
    check(text_csv, "@SUM(A1)", "\"'@SUM(A1)\"");
    check(text_xml,
          "a\xe2\x80\xae"
          "b\xc2\x9b\t\n\xef\xbf\xbe",
          "a\xef\xbf\xbd"
          "b\xef\xbf\xbd\t\n\xef\xbf\xbd");
    check(text_json, "a\xe2\x80\xae\xf3\xa0\x80\x81", "\"a\\u202e\\udb40\\udc01\"");
    check(text_json, "\xc2\x9b\x7f\xc2\xa0", "\"\\u009b\\u007f\xc2\xa0\"");
    check(text_terminal, "\xef\xbb\xbf\xd8\x9c", "\\xef\\xbb\\xbf\\xd8\\x9c");
    check(text_terminal, "\x1b[31mred\xe2\x80\xae", "\\x1b[31mred\\xe2\\x80\\xae");
}

/* Line ends and tabs stay; other control characters are escaped, also where the bytes end within a character. */
static void lines_for_terminals(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *want;
    } cases[] = {
        {"a\tb\n\x1b[2J\r\n", 10, "a\tb\n\\x1b[2J\\x0d\n"},
        {"\0x\xc2\x9b", 4, "\\x00x\\xc2\\x9b"},
        {"\xc3\xa9\xe6\x97\xa5", 5, "\xc3\xa9\xe6\x97\xa5"},
        {"\xe6\x97\xa5", 2, "\\xe6\\x97"}, /* the third byte is beyond the end */
        {"\xe2\x80\xae!", 4, "\\xe2\\x80\\xae!"},
        {"", 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text t;
        text_open(&t, NULL, NULL);
        text_terminal_lines(&t, cases[i].bytes, cases[i].size);
        char *got = text_take(&t, NULL);
        assert_string_equal(got, cases[i].want);
        free(got);
    }
}

static void columns(void **state)
{
    (void)state;
    assert_int_equal(text_width("abc"), 3);
    assert_int_equal(text_width("\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x9a\x80"), 7); /* two columns each, and a space */
    assert_int_equal(text_width("e\xcc\x81"), 1);                                 /* an accent over the letter */
    assert_int_equal(text_width("\x1b\xff\xef\xbb\xbf"), 20);
}

static void thousandths(void **state)
{
    (void)state;
    text t;
    text_open(&t, NULL, NULL);
    text_milli(&t, 1234);
    text_char(&t, ' ');
    text_milli(&t, -5);
    char *got = text_take(&t, NULL);
    assert_string_equal(got, "1.234 -0.005");
    free(got);
}

static bool refuse(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)data += size;
    return *(size_t *)data <= 10;
}

/* Writers need not check for failure: the end of the text reports it, and says which it was. */
static void the_end_tells(void **state)
{
    (void)state;
    static const char words[8192] = {0};
    gcast_error err;
    size_t got = 0;
    text t;
    text_open(&t, refuse, &got);
    text_str(&t, "ten bytes.");
    assert_int_equal(text_finish(&t, &err), GCAST_OK);
    text_open(&t, refuse, &got);
    text_char(&t, '!');
    assert_int_equal(text_finish(&t, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "the output could not be written");
    text_open(&t, refuse, &got);
    text_no_memory(&t);
    text_str(&t, "nothing of this is written");
    assert_int_equal(text_finish(&t, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "not enough memory");
    assert_int_equal(got, 11);
    text_open(&t, NULL, NULL);
    text_bytes(&t, words, sizeof words);
    text_no_memory(&t);
    assert_null(text_take(&t, NULL));
}

static bool count(void *data, const char *bytes, size_t size)
{
    assert_int_equal(bytes[0], 'x');
    *(size_t *)data += size;
    return true;
}

static void a_lent_buffer_is_enough(void **state)
{
    (void)state;
    char buffer[4096];
    gcast_error err;
    size_t got = 0;
    text t;
    text_open_in(&t, count, &got, buffer, sizeof buffer);
    for (int i = 0; i < 10000; i++)
        text_char(&t, 'x');
    assert_ptr_equal(t.data, buffer);
    assert_int_equal(text_finish(&t, &err), GCAST_OK);
    assert_int_equal(got, 10000);
    text_open_in(&t, NULL, NULL, buffer, sizeof buffer);
    for (int i = 0; i < 5000; i++)
        text_char(&t, 'x');
    assert_int_equal(t.used, sizeof buffer);
    assert_true(t.no_memory);
    text_drop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_match_printf),
        cmocka_unit_test(escapes),
        cmocka_unit_test(lines_for_terminals),
        cmocka_unit_test(columns),
        cmocka_unit_test(thousandths),
        cmocka_unit_test(the_end_tells),
        cmocka_unit_test(a_lent_buffer_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
