#include "report/canvas/canvas.h"

#include <stdlib.h>

#include "base/text.h"
#include "gridcast/names.h"
#include "report/canvas/display_list.h"
#include "report/canvas/svg.h"

#ifdef GRIDCAST_WITH_CAIRO
#include "report/canvas/cairo.h"
#endif

#define HEAD_LENGTH PX(6)
#define HEAD_HALF 225 /* half the width of an arrow's head */

canvas *canvas_create(int32_t width, int32_t height, const char *title)
{
    canvas *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->width = width;
    c->height = height;
    c->title = arena_strdup(&c->memory, title);
    c->failed = !c->title;
    return c;
}

void canvas_no_memory(canvas *c)
{
    if (c)
        c->failed = true;
}

bool canvas_failed(const canvas *c)
{
    return c->failed;
}

void canvas_free(canvas *c)
{
    if (!c)
        return;
    arena_free(&c->memory);
    vec_free(&c->items);
    free(c);
}

static void add_item(canvas *c, canvas_item item, const char *words, const char *id)
{
    if (c->failed)
        return;
    if (words)
        item.text = arena_strdup(&c->memory, words);
    if (id)
        item.id = arena_strdup(&c->memory, id);
    c->failed = (words && !item.text) || (id && !item.id) || !vec_push(&c->items, item);
}

void canvas_rect(canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t fill, int32_t stroke,
                 const char *tooltip)
{
    add_item(c, (canvas_item){.kind = CANVAS_RECT, .x = x, .y = y, .w = w, .h = h, .rgb = fill, .stroke = stroke},
             tooltip, NULL);
}

void canvas_polygon(canvas *c, const canvas_point *points, size_t count, uint32_t fill, const char *tooltip)
{
    if (c->failed)
        return;
    canvas_point *copy = arena_copy(&c->memory, points, count * sizeof *points);
    c->failed = !copy;
    add_item(c, (canvas_item){.kind = CANVAS_POLYGON, .rgb = fill, .points = copy, .point_count = count}, tooltip,
             NULL);
}

/* Rounded down. */
static int64_t square_root(int64_t v)
{
    int64_t r = 0;
    for (int64_t bit = (int64_t)1 << 31; bit; bit >>= 1)
        if ((r + bit) * (r + bit) <= v)
            r += bit;
    return r;
}

/* The head is a triangle of its own, so that back-ends need not know arrows. The line ends at its base. */
static void arrow_head(canvas *c, int32_t x1, int32_t y1, int32_t *x2, int32_t *y2, uint32_t rgb)
{
    int64_t dx = (int64_t)*x2 - x1, dy = (int64_t)*y2 - y1;
    int64_t length = square_root(dx * dx + dy * dy);
    if (!length)
        return;
    int32_t bx = (int32_t)(*x2 - dx * HEAD_LENGTH / length), by = (int32_t)(*y2 - dy * HEAD_LENGTH / length);
    int32_t nx = (int32_t)(dy * HEAD_HALF / length), ny = (int32_t)(dx * HEAD_HALF / length);
    canvas_point head[] = {{*x2, *y2}, {bx - nx, by + ny}, {bx + nx, by - ny}};
    canvas_polygon(c, head, 3, rgb, NULL);
    *x2 = bx;
    *y2 = by;
}

void canvas_line(canvas *c, int32_t x1, int32_t y1, int32_t x2, int32_t y2, uint32_t rgb, int32_t width, bool arrow)
{
    if (arrow)
        arrow_head(c, x1, y1, &x2, &y2, rgb);
    add_item(c, (canvas_item){.kind = CANVAS_LINE, .x = x1, .y = y1, .w = x2, .h = y2, .rgb = rgb, .size = width}, NULL,
             NULL);
}

void canvas_text(canvas *c, int32_t x, int32_t y, const char *s, int32_t size, int align, uint32_t rgb)
{
    add_item(c, (canvas_item){.kind = CANVAS_TEXT, .x = x, .y = y, .rgb = rgb, .size = size, .align = align}, s, NULL);
}

void canvas_text_up(canvas *c, int32_t x, int32_t y, const char *s, int32_t size, int align, uint32_t rgb)
{
    add_item(c,
             (canvas_item){.kind = CANVAS_TEXT, .x = x, .y = y, .rgb = rgb, .size = size, .align = align, .up = true},
             s, NULL);
}

void canvas_open(canvas *c, const char *id, const char *css_class)
{
    add_item(c, (canvas_item){.kind = CANVAS_OPEN}, css_class, id);
}

void canvas_close(canvas *c)
{
    add_item(c, (canvas_item){.kind = CANVAS_CLOSE}, NULL, NULL);
}

static gcast_status write_svg(const canvas *c, gcast_write_fn write, void *data, gcast_error *err)
{
    text out;
    text_open(&out, write, data);
    text_str(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    canvas_svg(c, &out);
    return text_finish(&out, err);
}

void canvas_append(canvas *c, const canvas *appended, int32_t down)
{
    c->failed = c->failed || appended->failed;
    for (size_t i = 0; i < appended->items.count && !c->failed; i++) {
        canvas_item item = appended->items.at[i];
        item.y += down;
        if (item.kind == CANVAS_LINE)
            item.h += down; /* its second point */
        canvas_point *points = arena_copy(&c->memory, item.points, item.point_count * sizeof *points);
        c->failed = item.point_count && !points;
        for (size_t k = 0; k < item.point_count && points; k++)
            points[k].y += down;
        item.points = points;
        item.id = NULL;
        add_item(c, item, item.text, NULL);
    }
}

int32_t canvas_width(const canvas *c)
{
    return c->width;
}

int32_t canvas_height(const canvas *c)
{
    return c->height;
}

gcast_status canvas_check_format(gcast_format format, gcast_error *err)
{
    if (gcast_format_available(format))
        return GCAST_OK;
    return gcast_error_set(err, GCAST_USAGE, NULL, "this build cannot write %s: it was made without cairo",
                           gcast_name(GCAST_NAMES_FORMAT, format));
}

gcast_status canvas_write(const canvas *c, gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    if (!c || c->failed)
        return gcast_error_set_memory(err);
    if (format == GCAST_FORMAT_SVG)
        return write_svg(c, write, data, err);
#ifdef GRIDCAST_WITH_CAIRO
    if (format == GCAST_FORMAT_PNG)
        return canvas_png(c, write, data, err);
    if (format == GCAST_FORMAT_PDF)
        return canvas_pdf(c, write, data, err);
#endif
    return gcast_error_set(err, GCAST_USAGE, NULL, "this build cannot write %s (PNG and PDF need cairo)",
                           gcast_name(GCAST_NAMES_FORMAT, format));
}

gcast_status canvas_end(canvas *c, gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    gcast_status status = c ? canvas_write(c, format, write, data, err) : gcast_error_set_memory(err);
    canvas_free(c);
    return status;
}
