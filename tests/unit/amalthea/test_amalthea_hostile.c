/* XML that is to hurt who reads it: one line says what is wrong, soon. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "support/amalthea.h"

#define ROOT                                                                                                           \
    "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/3.3.0\" "                                              \
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">"
#define END "</am:Amalthea>"
#define refuse(text, part) amalthea_refused_bytes((text), strlen(text), (part), __FILE__, __LINE__)

static void test_document_types(void **state)
{
    (void)state;
    refuse("<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 "
           "\"&lol;&lol;&lol;&lol;&lol;&lol;\"><!ENTITY "
           "lol3 \"&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;\">]>" ROOT "&lol3;" END,
           "there is a document type");
    refuse("<!DOCTYPE x SYSTEM \"file:///etc/passwd\">" ROOT END, "there is a document type");
    refuse("<!DOCTYPE x PUBLIC \"-//X\" \"http://example.org/x.dtd\">" ROOT END, "there is a document type");
    refuse("<!DOCTYPE x [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>" ROOT
           "<swModel><tasks name=\"&f;\"/></swModel>" END,
           "there is a document type");
    refuse("<!doctype x>" ROOT END, "there is a document type");
    refuse(ROOT "<!ENTITY a \"b\">" END, "there is a document type");
    refuse(ROOT "&unknown;" END, "unknown");
    refuse(ROOT "<swModel><tasks name=\"&unknown;\"/></swModel>" END, "unknown");
}

/* Comments, CDATA and instructions may look like anything. */
static void test_harmless_looks(void **state)
{
    (void)state;
    static const char bytes[] =
        "<?xml version=\"1.0\"?><!-- <!DOCTYPE x> <a> --><?pi <!DOCTYPE x [ ?>" ROOT
        "<!-- <tasks> --><swModel><tasks name=\"&lt;!DOCTYPE&gt; &#65;\"/><tasks name='&quot;>'/></swModel>"
        "<![CDATA[<!DOCTYPE <a>]]>" END "<!-- the end -->";
    am_model *m;
    gcast_error err;
    assert_ok(amalthea_read_memory("m", bytes, strlen(bytes), &m, &err), &err);
    assert_string_equal(m->tasks[0].name, "<!DOCTYPE> A");
    assert_string_equal(m->tasks[1].name, "\">");
    assert_int_not_equal(amalthea_unknown(m, "Amalthea, text")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

/* `count` times `part` between `before` and `after`. */
static char *repeated(const char *before, const char *part, size_t count, const char *after, size_t *size)
{
    text out;
    text_open(&out, NULL, NULL);
    text_str(&out, before);
    for (size_t i = 0; i < count; i++)
        text_str(&out, part);
    text_str(&out, after);
    char *bytes = text_take(&out, size);
    assert_non_null(bytes);
    return bytes;
}

static void refuse_repeated(const char *before, const char *part, size_t count, const char *after, const char *message)
{
    size_t size;
    char *bytes = repeated(before, part, count, after, &size);
    clock_t begin = clock(); /* of the processor: other programs do not count */
    amalthea_refused_bytes(bytes, size, message, __FILE__, __LINE__);
    assert_true(clock() - begin < 20 * CLOCKS_PER_SEC);
    free(bytes);
}

static void test_depth(void **state)
{
    (void)state;
    refuse_repeated(ROOT, "<a>", 1000000, "", "there are more than 200 elements in each other");
    refuse_repeated(ROOT "<hwModel>", "<structures>", 1000000, "", "there are more than 200 elements in each other");
    size_t size;
    char *bytes = repeated(ROOT "<hwModel>", "<structures>", 198, "", &size);
    amalthea_refused_bytes(bytes, size, "", __FILE__, __LINE__); /* deep enough, and cut off */
    free(bytes);
}

static void test_numbers_of_things(void **state)
{
    (void)state;
    refuse_repeated(ROOT "<a", " b=\"\"", 100000, "/>" END, "there are more than 1000 attributes of one element");
    refuse_repeated(ROOT "<a", " xmlns:a=\"b\"", 500, "/>" END, "there are more than 100 name spaces");
    refuse_repeated(ROOT, "<a/>", ((size_t)1 << 22) + 1, END, "there are more than 4194304 elements");
    refuse_repeated(ROOT "<a name=\"", "0123456789", 2000000, "\"/>" END, "");
    refuse_repeated(ROOT, "<swModel><tasks name=\"t\"/></swModel>", 1, END END, "");
    /* Many of one kind are no trouble. */
    size_t size;
    char *bytes = repeated(ROOT "<swModel>", "<tasks name=\"t\"/>", 200000, "</swModel>" END, &size);
    am_model *m;
    gcast_error err;
    assert_ok(amalthea_read_memory("m", bytes, size, &m, &err), &err);
    assert_int_equal(m->task_count, 200000);
    amalthea_free(m);
    free(bytes);
}

static void test_encodings(void **state)
{
    (void)state;
    static const char utf16[] = "\xff\xfe<\0a\0/\0>\0", big[] = "\xfe\xff\0<\0a\0/\0>", blind[] = "<\0a\0/\0>\0";
    amalthea_refused_bytes(utf16, sizeof utf16 - 1, "it is UTF-16", __FILE__, __LINE__);
    amalthea_refused_bytes(big, sizeof big - 1, "it is UTF-16", __FILE__, __LINE__);
    amalthea_refused_bytes(blind, sizeof blind - 1, "NUL byte", __FILE__, __LINE__);
    refuse("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" ROOT END, "its encoding is ISO-8859-1");
    refuse("<?xml version=\"1.0\" encoding='UTF-7'?>" ROOT END, "its encoding is UTF-7");
    refuse("<?xml version=\"1.0\" encoding=\"UTF\n8\"?>" ROOT END, "its encoding is UTF 8"); /* one line all the same */
    refuse(ROOT "<swModel><tasks name=\"a&#10;b\" stimuli=\"c&#13;&#10;d\"/></swModel>" END, "'c' is not a reference");
    refuse(ROOT "<swModel><tasks name=\"\xc3\x28\"/></swModel>" END, "byte 0xc3 is not UTF-8");
    refuse(ROOT "<swModel><tasks name=\"\xc0\xaf\"/></swModel>" END, "is not UTF-8");
    refuse(ROOT "<swModel><tasks name=\"\xed\xa0\x80\"/></swModel>" END, "is not UTF-8");
    refuse(ROOT "\n\n\xff" END, "byte 0xff is not UTF-8");
    refuse(ROOT "\xe2\x82", "is not UTF-8");
    static const char nul[] = ROOT "<swModel><tasks name=\"a\0b\"/></swModel>" END;
    amalthea_refused_bytes(nul, sizeof nul - 1, "NUL byte", __FILE__, __LINE__);
    am_model *m;
    gcast_error err;
    static const char ascii[] = "<?xml version=\"1.0\" encoding=\"us-ascii\"?>" ROOT END;
    assert_ok(amalthea_read_memory("m", ascii, strlen(ascii), &m, &err), &err);
    amalthea_free(m);
}

static void test_not_well_formed(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        " ",
                                        "<",
                                        "hello",
                                        ROOT,
                                        ROOT "<swModel>" END,
                                        ROOT "<swModel a=\"1\" a=\"2\"/>" END,
                                        ROOT "<swModel a=1/>" END,
                                        ROOT "<swModel a=\"<\"/>" END,
                                        ROOT "<swModel",
                                        ROOT "<x:a/>" END,
                                        ROOT "<swModel a=\"&#0;\"/>" END,
                                        ROOT "<!-- -- -->" END,
                                        ROOT END END,
                                        "<a/><b/>"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) /* in libxml2's words */
        refuse(cases[i], "");
    gcast_error err;
    am_model *m;
    static const char bytes[] = ROOT "\n<swModel>\n  <tasks a=\"1\" a=\"2\"/>\n</swModel>" END;
    assert_int_equal(amalthea_read_memory("m", bytes, strlen(bytes), &m, &err), GCAST_INPUT);
    assert_int_equal(err.line, 3);
    assert_true(err.column > 1);
}

/* Words of libxml2's own in a name of the file change nothing. An empty name space is told as such. */
static void test_words_of_the_parser(void **state)
{
    (void)state;
    refuse("<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/3.3.0\" xmlns:x=\"a Empty XML namespace:/b\"/>",
           "is not a valid URI");
    refuse("<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/3.3.0\" xmlns:x=\"\"/>",
           "Empty XML namespace is not allowed");
}

/* Every beginning of a model is refused, and none crashes. */
static void test_truncated(void **state)
{
    (void)state;
    char *model = amalthea_text(
        "2.0.0", "<swModel><tasks name=\"t\" stimuli=\"s?type=InterProcessStimulus\"><activityGraph><items "
                 "xsi:type=\"am:WaitEvent\"/></activityGraph></tasks></swModel><!-- c --><stimuliModel>"
                 "<stimuli xsi:type=\"am:InterProcessStimulus\" name=\"s\"/></stimuliModel>");
    size_t size = strlen(model) - 1; /* without the last line end */
    for (size_t i = 0; i < size; i++)
        amalthea_refused_bytes(model, i, "", __FILE__, __LINE__);
    am_model *m;
    gcast_error err;
    assert_ok(amalthea_read_memory("m", model, size, &m, &err), &err);
    amalthea_free(m);
    free(model);
}

/* Any byte of a model may be another. */
static void test_changed(void **state)
{
    (void)state;
    size_t size;
    char *model = support_read("tests/data/amalthea/app4mc/model_2.amxmi", &size);
    support_random r = {1};
    uint64_t good = 0, runs = support_runs(3000);
    for (uint64_t i = 0; i < runs; i++) {
        size_t at = (size_t)support_between(&r, 0, (int64_t)size - 1);
        char was = model[at];
        model[at] = (char)support_between(&r, 0, 127);
        am_model *m;
        gcast_error err;
        gcast_status status = amalthea_read_memory("m", model, size, &m, &err);
        assert_true(status == GCAST_OK || status == GCAST_INPUT);
        if (status == GCAST_OK) {
            good++;
            amalthea_free(m);
        } else {
            assert_true(err.message[0] && !strchr(err.message, '\n'));
        }
        model[at] = was;
    }
    assert_true(good && good < runs);
    free(model);
}

/* Names and values of any length are cut in messages, not in memory. */
static void test_long_names(void **state)
{
    (void)state;
    size_t size;
    char *long_name = repeated("", "n", 100000, "", &size);
    char *before = malloc(size + 200), *bytes;
    assert_non_null(before);
    snprintf(before, size + 200, ROOT "<swModel><tasks name=\"%s\" stimuli=\"", long_name);
    bytes = repeated(before, "x", 100000, "?type=Y\"/></swModel>" END, &size);
    amalthea_refused_bytes(bytes, size, "there is no Y 'xxx", __FILE__, __LINE__);
    free(bytes);
    snprintf(before, strlen(long_name) + 200, ROOT "<%s a=\"1\">", long_name);
    bytes = repeated(before, "", 0, END, &size);
    amalthea_refused_bytes(bytes, size, "", __FILE__, __LINE__);
    free(bytes);
    free(before);
    free(long_name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document_types), cmocka_unit_test(test_harmless_looks),
        cmocka_unit_test(test_depth),          cmocka_unit_test(test_numbers_of_things),
        cmocka_unit_test(test_encodings),      cmocka_unit_test(test_not_well_formed),
        cmocka_unit_test(test_truncated),      cmocka_unit_test(test_changed),
        cmocka_unit_test(test_long_names),     cmocka_unit_test(test_words_of_the_parser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
