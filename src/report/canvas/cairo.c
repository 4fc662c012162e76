#include "report/canvas/cairo.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "report/canvas/display_list.h"

#define PNG_SCALE 2
#define PNG_MAX_SIDE 32767 /* pixels: cairo's limit */

/* Upper estimates of the memory that cairo takes. Measured: fonts and their configuration 3 MB, an item of a PDF about
 * 500 bytes. */
#define FIXED_BYTES ((size_t)16 << 20)
#define BYTES_PER_ITEM ((size_t)2048)
#define BYTES_PER_PIXEL 4
#define FILES_OPEN 8 /* at one time */

typedef struct sink {
    gcast_write_fn write; /* of the caller */
    void *data;           /* for write */
} sink;

/* Without memory, fontconfig loops for ever or crashes while it reads its files, pixman crashes in its glyph cache, and
 * cairo silently leaves parts out of a PDF. So they are called only if all the memory that they will take is available
 * now. */
static bool has_memory(const canvas *c, size_t pixels)
{
    size_t bytes = FIXED_BYTES + pixels * BYTES_PER_PIXEL;
    for (size_t i = 0; i < c->items.count; i++)
        bytes += BYTES_PER_ITEM + c->items.at[i].point_count * sizeof(canvas_point) * 4;
    void *volatile block = malloc(bytes); /* volatile: compilers may remove an allocation that nobody uses */
    free(block);
    return block != NULL;
}

/* Where fontconfig cannot open its files, it takes another font and complains on stderr. */
static bool has_descriptors(void)
{
    int fds[FILES_OPEN], n = 0;
    while (n < FILES_OPEN && (fds[n] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        n++;
    int reason = errno;
    for (int i = 0; i < n; i++)
        close(fds[i]);
    return n == FILES_OPEN || (reason != EMFILE && reason != ENFILE);
}

static gcast_status check_resources(const canvas *c, size_t pixels, gcast_error *err)
{
    if (!has_memory(c, pixels))
        return gcast_error_set_memory(err);
    return has_descriptors() ? GCAST_OK : gcast_error_set(err, GCAST_RESOURCE, NULL, "%s", strerror(EMFILE));
}

static cairo_status_t to_sink(void *closure, const unsigned char *bytes, unsigned int size)
{
    const sink *s = closure;
    return s->write(s->data, (const char *)bytes, size) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static double px(int32_t v)
{
    return v / 100.0;
}

static void set_colour(cairo_t *cr, uint32_t rgb)
{
    cairo_set_source_rgb(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}

static bool rect(cairo_t *cr, const canvas_item *item)
{
    cairo_rectangle(cr, px(item->x), px(item->y), px(item->w), px(item->h));
    set_colour(cr, item->rgb);
    cairo_fill_preserve(cr);
    if (item->stroke == CANVAS_NONE)
        return true;
    set_colour(cr, (uint32_t)item->stroke);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
    return true;
}

static bool polygon(cairo_t *cr, const canvas_item *item)
{
    for (size_t i = 0; i < item->point_count; i++)
        cairo_line_to(cr, px(item->points[i].x), px(item->points[i].y));
    cairo_close_path(cr);
    set_colour(cr, item->rgb);
    cairo_fill(cr);
    return true;
}

static bool line(cairo_t *cr, const canvas_item *item)
{
    cairo_move_to(cr, px(item->x), px(item->y));
    cairo_line_to(cr, px(item->w), px(item->h));
    set_colour(cr, item->rgb);
    cairo_set_line_width(cr, px(item->size));
    cairo_stroke(cr);
    return true;
}

/* A copy in which U+FFFD stands for bytes that are not UTF-8: cairo stops at such bytes. */
static char *valid_utf8(const char *s)
{
    text t;
    text_open(&t, NULL, NULL);
    while (*s) {
        size_t n = text_utf8(s);
        if (n)
            text_bytes(&t, s, n);
        else
            text_str(&t, "\xef\xbf\xbd");
        s += n ? n : 1;
    }
    return text_take(&t, NULL);
}

/* False without memory, which cairo does not report. */
static bool label(cairo_t *cr, const canvas_item *item)
{
    char *s = valid_utf8(item->text);
    if (!s)
        return false;
    cairo_text_extents_t extents;
    set_colour(cr, item->rgb);
    cairo_set_font_size(cr, px(item->size));
    cairo_text_extents(cr, s, &extents);
    cairo_save(cr);
    cairo_translate(cr, px(item->x), px(item->y));
    if (item->up)
        cairo_rotate(cr, -1.5707963267948966);
    cairo_move_to(cr, -extents.x_advance * (item->align + 1) / 2, 0);
    cairo_show_text(cr, s);
    cairo_restore(cr);
    free(s);
    return true;
}

static bool draw_nothing(cairo_t *cr, const canvas_item *item)
{
    (void)cr;
    (void)item;
    return true;
}

static bool (*const painters[])(cairo_t *, const canvas_item *) = {
    [CANVAS_RECT] = rect,  [CANVAS_POLYGON] = polygon,   [CANVAS_LINE] = line,
    [CANVAS_TEXT] = label, [CANVAS_OPEN] = draw_nothing, [CANVAS_CLOSE] = draw_nothing,
};

static cairo_status_t paint(const canvas *c, cairo_surface_t *surface, double scale)
{
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    bool ok = true;
    for (size_t i = 0; i < c->items.count && ok; i++) {
        cairo_new_path(cr); /* text leaves a point behind, and a filled rectangle its outline */
        ok = painters[c->items.at[i].kind](cr, &c->items.at[i]);
    }
    cairo_status_t status = ok ? cairo_status(cr) : CAIRO_STATUS_NO_MEMORY;
    cairo_destroy(cr);
    return status;
}

static gcast_status result(cairo_status_t status, gcast_error *err)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return GCAST_OK;
    if (status == CAIRO_STATUS_NO_MEMORY)
        return gcast_error_set_memory(err);
    return gcast_error_set(err, GCAST_RESOURCE, NULL, "the picture could not be written: %s",
                           cairo_status_to_string(status));
}

gcast_status canvas_png(const canvas *c, gcast_write_fn write, void *data, gcast_error *err)
{
    int64_t width = ((int64_t)c->width * PNG_SCALE + 99) / 100, height = ((int64_t)c->height * PNG_SCALE + 99) / 100;
    if (width > PNG_MAX_SIDE || height > PNG_MAX_SIDE)
        return gcast_error_set(err, GCAST_RESOURCE, NULL,
                               "a PNG of %lld by %lld pixels is too large; .svg and .pdf are not", (long long)width,
                               (long long)height);
    gcast_status available = check_resources(c, (size_t)width * (size_t)height, err);
    if (available != GCAST_OK)
        return available;
    sink s = {write, data};
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_status_t status = paint(c, surface, PNG_SCALE);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, to_sink, &s);
    cairo_surface_destroy(surface);
    return result(status, err);
}

gcast_status canvas_pdf(const canvas *c, gcast_write_fn write, void *data, gcast_error *err)
{
    sink s = {write, data};
    gcast_status available = check_resources(c, 0, err);
    if (available != GCAST_OK)
        return available;
    char *title = valid_utf8(c->title);
    if (!title)
        return gcast_error_set_memory(err);
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(to_sink, &s, px(c->width), px(c->height));
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
    /* without it cairo writes the time of day, and two pictures of one run would differ */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    free(title);
    cairo_status_t status = paint(c, surface, 1);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return result(status, err);
}
