#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"

static bool collect(void *data, const char *bytes, size_t size)
{
    text_bytes(data, bytes, size);
    return true;
}

static bool refuse(void *data, const char *bytes, size_t size)
{
    (void)data;
    (void)bytes;
    (void)size;
    return false;
}

static char *written(const canvas *c, gcast_format format, size_t *size)
{
    text t;
    gcast_error err;
    text_open(&t, NULL, NULL);
    assert_ok(canvas_write(c, format, collect, &t, &err), &err);
    return text_take(&t, size);
}

static canvas *drawing(void)
{
    canvas *c = canvas_create(PX(100), PX(50), "a & b");
    canvas_open(c, "row-1", "sm");
    canvas_rect(c, 50, PX(1), 1225, 5, 0x0000ff, CANVAS_NONE, "</title><script>");
    canvas_rect(c, 0, 0, PX(1), PX(1), 0x123456, 0xffffff, NULL);
    canvas_close(c);
    canvas_line(c, PX(10), PX(40), PX(10), PX(20), 0x00ff00, 150, true);
    canvas_text(c, -PX(1), PX(9), "x < y", PX(11), CANVAS_RIGHT, 0);
    canvas_text_up(c, PX(9), PX(9), "\xff", PX(11), CANVAS_CENTRE, 0);
    return c;
}

static void svg_is_exact(void **state)
{
    (void)state;
    canvas *c = drawing();
    char *got = written(c, GCAST_FORMAT_SVG, NULL);
    assert_string_equal(got,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\" viewBox=\"0 0 100 50\" "
                        "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n"
                        "<title>a &amp; b</title>\n"
                        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                        "<g id=\"row-1\" class=\"sm\">\n"
                        "<rect x=\"0.5\" y=\"1\" width=\"12.25\" height=\"0.05\" fill=\"#0000ff\">"
                        "<title>&lt;/title&gt;&lt;script&gt;</title></rect>\n"
                        "<rect x=\"0\" y=\"0\" width=\"1\" height=\"1\" fill=\"#123456\" stroke=\"#ffffff\"/>\n"
                        "</g>\n"
                        "<polygon points=\"10,20 12.25,26 7.75,26\" fill=\"#00ff00\"/>\n"
                        "<line x1=\"10\" y1=\"40\" x2=\"10\" y2=\"26\" stroke=\"#00ff00\" stroke-width=\"1.5\"/>\n"
                        "<text x=\"-1\" y=\"9\" font-size=\"11\" fill=\"#000000\" text-anchor=\"end\">x &lt; y</text>\n"
                        "<text x=\"9\" y=\"9\" font-size=\"11\" fill=\"#000000\" text-anchor=\"middle\" "
                        "transform=\"rotate(-90 9 9)\">\xef\xbf\xbd</text>\n"
                        "</svg>\n");
    free(got);
    canvas_free(c);
}

static void bitmaps(void **state)
{
    (void)state;
    canvas *c = drawing();
    gcast_error err;
    static const struct {
        gcast_format format;
        const char *magic;
    } kinds[] = {{GCAST_FORMAT_PNG, "\x89PNG\r\n"}, {GCAST_FORMAT_PDF, "%PDF-"}};
    for (size_t i = 0; i < 2; i++) {
        if (!gcast_format_available(kinds[i].format)) {
            assert_int_equal(canvas_write(c, kinds[i].format, refuse, NULL, &err), GCAST_USAGE);
            continue;
        }
        size_t size, second_size;
        char *got = written(c, kinds[i].format, &size), *second = written(c, kinds[i].format, &second_size);
        assert_memory_equal(got, kinds[i].magic, strlen(kinds[i].magic));
        assert_int_equal(size, second_size);
        assert_memory_equal(got, second, size);
        for (size_t at = 0; at + 12 < size; at++) /* it must not have the time of day */
            assert_false(memcmp(got + at, "CreationDate", 12) == 0);
        free(got);
        free(second);
        assert_int_equal(canvas_write(c, kinds[i].format, refuse, NULL, &err), GCAST_RESOURCE);
    }
    canvas_free(c);
}

static void refusals(void **state)
{
    (void)state;
    gcast_error err;
    canvas *c = drawing();
    assert_int_equal(canvas_write(c, GCAST_FORMAT_SVG, refuse, NULL, &err), GCAST_RESOURCE);
    assert_int_equal(canvas_write(c, GCAST_FORMAT_CSV, refuse, NULL, &err), GCAST_USAGE);
    assert_int_equal(canvas_write(NULL, GCAST_FORMAT_SVG, refuse, NULL, &err), GCAST_RESOURCE);
    canvas_free(c);
    canvas_free(NULL);
}

static void a_png_too_large(void **state)
{
    (void)state;
    gcast_error err;
    canvas *c = canvas_create(PX(20000), PX(10), "");
    if (gcast_format_available(GCAST_FORMAT_PNG)) {
        assert_int_equal(canvas_write(c, GCAST_FORMAT_PNG, refuse, NULL, &err), GCAST_RESOURCE);
        assert_non_null(strstr(err.message, "too large"));
    }
    canvas_free(c);
}

static void labels_are_cut(void **state)
{
    (void)state;
    char out[LABEL_SIZE];
    assert_string_equal(label_cut("kernel", 6, out), "kernel");
    assert_string_equal(label_cut("kernels", 6, out), "kerne\xe2\x80\xa6");
    assert_string_equal(label_cut("", 6, out), "");
    assert_string_equal(label_cut("a\nb\xe2\x80\xae\xff", 9, out), "a\xef\xbf\xbd"
                                                                   "b\xef\xbf\xbd\xef\xbf\xbd");
    assert_int_equal(font_width("K1", PX(10)), PX(13));
    assert_true(font_fit("K1", PX(10), PX(13), out));
    assert_string_equal(out, "K1");
    assert_false(font_fit("K12", PX(10), PX(13), out));
    assert_true(font_fit("K12345", PX(10), PX(25), out));
    assert_string_equal(out, "K1\xe2\x80\xa6");
    assert_false(font_fit("K1", PX(10), -5, out));
}

static void a_megabyte_is_cut(void **state)
{
    (void)state;
    char out[LABEL_SIZE], *huge = malloc(1 << 20);
    memset(huge, 'x', (1 << 20) - 1);
    huge[(1 << 20) - 1] = '\0';
    assert_int_equal(strlen(label_cut(huge, 1 << 20, out)), LABEL_CHARS - 1 + 3);
    memset(huge, 0xf0, 1000); /* never a complete character */
    assert_int_equal(strlen(label_cut(huge, 1 << 20, out)), LABEL_CHARS * 3);
    free(huge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svg_is_exact),    cmocka_unit_test(bitmaps),        cmocka_unit_test(refusals),
        cmocka_unit_test(a_png_too_large), cmocka_unit_test(labels_are_cut), cmocka_unit_test(a_megabyte_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
