/* The parser against jansson's own: the same texts are accepted, with the same values, and refused in the same words.
 * And the library leaves jansson as it is. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "files/json_text.h"

/* Are its words or its place others than jansson's? Escapes and bytes that are no UTF-8 are reported where they are
 * met. */
static bool differs(const char *message)
{
    return strncmp(message, "invalid Unicode", 15) == 0 || strncmp(message, "invalid escape", 14) == 0 ||
           strncmp(message, "unable to decode byte", 21) == 0 || strcmp(message, "nested too deeply") == 0 ||
           strcmp(message, "text must not contain \\u0000") == 0;
}

static void compare(const char *text, size_t size)
{
    json_error_t theirs_err;
    json_t *theirs = json_loadb(text, size, JSON_REJECT_DUPLICATES, &theirs_err), *ours;
    gcast_error err = {0};
    char *exact = malloc(size ? size : 1); /* so that sanitizers see bytes behind the end */
    assert_non_null(exact);
    memcpy(exact, text, size);
    gcast_status status = json_parse(exact, size, &ours, &err);
    if (!theirs != !ours || !theirs != (status == GCAST_INPUT))
        fail_msg("jansson: %s; gridcast: %s; %.*s", theirs ? "fine" : theirs_err.text, ours ? "fine" : err.message,
                 (int)size, text);
    if (theirs && !json_equal(theirs, ours))
        fail_msg("other values: %.*s", (int)size, text);
    if (!theirs && !differs(err.message) && !differs(theirs_err.text)) {
        if (strcmp(err.message, theirs_err.text) != 0 || err.line != theirs_err.line || err.column != theirs_err.column)
            fail_msg("jansson: %d:%d %s; gridcast: %d:%d %s; %.*s", theirs_err.line, theirs_err.column, theirs_err.text,
                     err.line, err.column, err.message, (int)size, text);
    }
    free(exact);
    json_decref(theirs);
    json_decref(ours);
}

static const char *const texts[] = {
    "{}",
    "[]",
    "",
    " ",
    "[1, -2, 0, -0, 9223372036854775807, -9223372036854775808]",
    "[9223372036854775808]",
    "[-9223372036854775809]",
    "[01]",
    "[-]",
    "[1.]",
    "[1.5, -0.25e3, 1E+2, 2e-300, 5e-324, 0.1]",
    "[1e]",
    "[1e+]",
    "[1e999]",
    "[-1e999]",
    "[+1]",
    "[.5]",
    "{\"a\": true, \"b\": false, \"c\": null}",
    "[True]",
    "[nul]",
    "[nulll]",
    "{\"a\": 1, \"a\": 2}",
    "{\"a\" 1}",
    "{\"a\":}",
    "{\"a\": 1,}",
    "{a: 1}",
    "{,}",
    "[1,]",
    "[,]",
    "[1 2]",
    "[1}",
    "{\"a\": 1]",
    "[1] 2",
    "[[[]]",
    "\"text\"",
    "5",
    "[\"\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e4 \\u20ac \\ud83d\\ude00\"]",
    "[\"\\ud83d\"]",
    "[\"\\ude00\"]",
    "[\"\\ud83d\\u0041\"]",
    "[\"\\ud83d\\ud83d\"]",
    "[\"\\u00g0\"]",
    "[\"\\u00\"]",
    "[\"\\x\"]",
    "[\"\\",
    "[\"a",
    "[\"a\nb\"]",
    "[\"a\tb\"]",
    "[\"\\u0000\"]",
    "{\"\\u0000\": 1}",
    "[\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"]",
    "[\"\xff\"]",
    "[\"\xc3\"]",
    "[\"\xc0\xaf\"]",
    "[\"\xed\xa0\x80\"]",
    "[\"\xf5\x80\x80\x80\"]",
    "[\xc3\xa4]",
    "\xef\xbb\xbf{}",
    "{\"ops\":\n [\n  {\"\xc3\xa4\": 1, oops}]}",
    "[\"a token of more than twenty bytes\" 1]",
    "[/* no */ 1]",
    "[NaN]",
    "[1]\n\n",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void texts_of_all_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++)
        compare(texts[i], strlen(texts[i]));
}

/* jansson overlooks them. */
static void bytes_of_0(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } texts_with_0[] = {{"[1\0]", 4}, {"[\"a\0b\"]", 7}, {"[1]\0", 4}, {"\0", 1}};
    for (size_t i = 0; i < sizeof texts_with_0 / sizeof texts_with_0[0]; i++) {
        gcast_error err;
        json_t *root;
        assert_int_equal(json_parse(texts_with_0[i].text, texts_with_0[i].size, &root, &err), GCAST_INPUT);
        assert_null(root);
        assert_non_null(strstr(err.message, "control character 0x0"));
    }
}

static size_t below(uint64_t *r, size_t n)
{
    return splitmix_next(r) % n;
}

/* Bytes of a text are changed, left out or doubled, or the text is cut. */
static void texts_with_mistakes(void **state)
{
    (void)state;
    static const char bytes[] = "{}[]:,\"\\u0123456789abcdefxtn+-.eE \n\t\x01\x7f\xc3\xa4\xed\xa0\x80\xff";
    uint64_t r = 7;
    for (int round = 0; round < 20000; round++) {
        char text[400];
        const char *from = texts[below(&r, TEXTS)];
        size_t size = strlen(from);
        memcpy(text, from, size);
        for (size_t n = below(&r, 4); n > 0 && size; n--) {
            size_t at = below(&r, size);
            char c = bytes[below(&r, sizeof bytes - 1)];
            switch (below(&r, 4)) {
            case 0:
                text[at] = c;
                break;
            case 1:
                memmove(text + at + 1, text + at, size++ - at);
                text[at] = c;
                break;
            case 2:
                memmove(text + at, text + at + 1, --size - at);
                break;
            default:
                size = at;
            }
        }
        compare(text, size);
    }
}

static void nested(void **state)
{
    (void)state;
    char text[2 * 2100];
    for (size_t depth = 2040; depth < 2060; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        compare(text, 2 * depth);
    }
    gcast_error err;
    json_t *root;
    memset(text, '[', 2100);
    assert_int_equal(json_parse(text, 2100, &root, &err), GCAST_INPUT);
    assert_string_equal(err.message, "nested too deeply");
    assert_int_equal(json_parse("[\"\\u0000\"]", 10, &root, &err), GCAST_INPUT);
    assert_string_equal(err.message, "text must not contain \\u0000");
}

static void prints_what_it_parsed(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":[1,-2,true,null,\"\\n\xc3\xa4\"],\"b\":{}}";
    json_t *root;
    assert_int_equal(json_parse(text, sizeof text - 1, &root, NULL), GCAST_OK);
    char *printed = json_text(root);
    assert_string_equal(printed, text);
    free(printed);
    json_decref(root);
}

static void leaves_jansson_alone(void **state)
{
    (void)state;
    json_malloc_t allocate;
    json_free_t release;
    json_t *root;
    assert_int_equal(json_parse("[1]", 3, &root, NULL), GCAST_OK);
    json_decref(root);
    json_get_alloc_funcs(&allocate, &release);
    assert_true(allocate == malloc);
    assert_true(release == free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_all_kinds),    cmocka_unit_test(bytes_of_0),
        cmocka_unit_test(texts_with_mistakes),   cmocka_unit_test(nested),
        cmocka_unit_test(prints_what_it_parsed), cmocka_unit_test(leaves_jansson_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
