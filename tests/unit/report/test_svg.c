#include "support/sample_run.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Checks that it is well-formed: every tag is closed in order, attributes are quoted, & begins an entity, and every
 * character is one of XML. */
static void assert_well_formed(const char *p)
{
    char open[64][32];
    int depth = 0;
    while (*p) {
        size_t n = text_utf8(p);
        assert_true(n > 0);
        assert_true((unsigned char)*p >= 0x20 || *p == '\n');
        if (*p == '&') {
            static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
            bool known = false;
            for (size_t i = 0; i < 5; i++)
                known |= strncmp(p, entities[i], strlen(entities[i])) == 0;
            assert_true(known);
        }
        if (*p != '<') {
            p += n;
            continue;
        }
        char name[32];
        const char *end = p;
        for (bool quoted = false; *end && (quoted || *end != '>'); end++)
            quoted ^= *end == '"';
        assert_true(*end == '>');
        if (p[1] == '/') {
            assert_int_equal(sscanf(p + 2, "%31[a-z]", name), 1);
            assert_true(depth > 0);
            assert_string_equal(name, open[--depth]);
        } else if (p[1] != '?' && end[-1] != '/') {
            assert_int_equal(sscanf(p + 1, "%31[a-z]", open[depth]), 1);
            assert_true(++depth < 64);
        }
        p = end + 1;
    }
    assert_int_equal(depth, 0);
}

static size_t times(const char *in, const char *part)
{
    size_t n = 0;
    for (const char *p = in; (p = strstr(p, part)); p++)
        n++;
    return n;
}

static void thesis(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_SVG, NULL);
    assert_well_formed(t.data);
    assert_non_null(strstr(t.data, "<title>K3 block 1\nSM 0\nstart 6000000 ns\nend 12000000 ns</title>"));
    assert_non_null(strstr(t.data, "<g id=\"sm-1\" class=\"row\">"));
    assert_non_null(strstr(t.data, ">K2:6</text>"));
    assert_non_null(strstr(t.data, ">12</text>"));
    assert_non_null(strstr(t.data, ">K4 (stream 4)</text>"));
    assert_int_equal(times(t.data, " ns</title></rect>"), 16);
    free(t.data);
    sample_free(s);
}

static void hostile_labels(void **state)
{
    (void)state;
    static char huge[1 << 20];
    memset(huge, 'W', sizeof huge - 1);
    const char *labels[] = {"</svg><script>alert(1)</script>", "\x01\x1b[31m\xff\"'&", huge, "\xe2\x80\xae rtl", ""};
    sample *s = sample_create("]]></title><script>", 2);
    for (int i = 0; i < 5; i++) {
        int k = sample_kernel(s, labels[i], i, 512, 2, i * 1000);
        sample_block(s, k, 0, 0, i * 1000, i * 1000 + 30000);
        sample_block(s, k, 1, 1, i * 1000, i * 1000 + 30001);
    }
    sample_text svg = sample_report(sample_run(s), GCAST_FORMAT_SVG, NULL);
    assert_true(svg.size < 30000);
    assert_null(strstr(svg.data, "<script"));
    assert_null(strstr(svg.data, "\x1b"));
    assert_null(strstr(svg.data, "\xe2\x80\xae"));
    assert_well_formed(svg.data);
    free(svg.data);
    for (gcast_format f = GCAST_FORMAT_PNG; f <= GCAST_FORMAT_PDF; f++) {
        if (!gcast_format_available(f))
            continue;
        sample_text t = sample_report(sample_run(s), f, NULL);
        assert_true(t.size > 1000);
        free(t.data);
    }
    sample_free(s);
}

static void size_is_bounded(void **state)
{
    (void)state;
    sample *s = sample_large(100000, true);
    gcast_report_options o = gcast_report_options_default();
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_SVG, &o);
    assert_well_formed(t.data);
    assert_true(t.size < 2000000);
    free(t.data);
    o.fold = false;
    t = sample_report(sample_run(s), GCAST_FORMAT_SVG, &o);
    assert_true(t.size < 8000000);
    free(t.data);
    sample_free(s);
}

/* What a page has for browsers without scripts. */
static void page(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_HTML, NULL);
    assert_int_equal(strncmp(t.data, "<!DOCTYPE html>\n", 16), 0);
    char *plain = strstr(t.data, "<noscript>"), *end = strstr(t.data, "</noscript>");
    assert_true(plain && end);
    *end = '\0';
    assert_int_equal(times(plain, "<svg "), 1);
    assert_int_equal(times(plain, "<tr>"), 5);
    assert_null(strstr(plain, "<script"));
    assert_int_equal(times(plain, "http"), 1); /* the name space of SVG; nothing is loaded */
    assert_non_null(strstr(plain, "<td>K3</td>"));
    assert_non_null(strstr(plain, "makespan 12ms"));
    free(t.data);
    sample_free(s);
}

static void odd_runs(void **state)
{
    (void)state;
    sample *s = sample_create("nothing", 2);
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_SVG, NULL);
    assert_well_formed(t.data);
    free(t.data);
    int k = sample_kernel(s, "k", 1, 32, 4, 0);
    sample_times(s, k, 10, 20);
    t = sample_report(sample_run(s), GCAST_FORMAT_SVG, NULL);
    assert_non_null(strstr(t.data, "no blocks: operations from start to end"));
    assert_non_null(strstr(t.data, "<g id=\"stream-0\" class=\"row\">"));
    free(t.data);
    sample_free(s);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        s = sample_random(seed);
        t = sample_report(sample_run(s), GCAST_FORMAT_SVG, NULL);
        assert_well_formed(t.data);
        free(t.data);
        sample_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thesis), cmocka_unit_test(hostile_labels), cmocka_unit_test(size_is_bounded),
        cmocka_unit_test(page),   cmocka_unit_test(odd_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
