/* SVG written directly, so that shapes carry classes, ids and tooltips. */
#include "report/canvas/svg.h"

#include "report/canvas/canvas.h"
#include "report/canvas/display_list.h"

#define FONTS "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

/* Hundredths as the shortest decimal: 1250 is 12.5. */
static void length(text *out, int32_t v)
{
    int64_t u = v < 0 ? -(int64_t)v : v;
    if (v < 0)
        text_char(out, '-');
    text_uint(out, (uint64_t)(u / 100));
    if (u % 100) {
        text_char(out, '.');
        text_char(out, (char)('0' + u / 10 % 10));
        if (u % 10)
            text_char(out, (char)('0' + u % 10));
    }
}

static void attribute(text *out, const char *name, int32_t v)
{
    text_char(out, ' ');
    text_str(out, name);
    text_str(out, "=\"");
    length(out, v);
    text_char(out, '"');
}

static void colour(text *out, const char *name, uint32_t rgb)
{
    static const char hex[] = "0123456789abcdef";
    text_char(out, ' ');
    text_str(out, name);
    text_str(out, "=\"#");
    for (int shift = 20; shift >= 0; shift -= 4)
        text_char(out, hex[rgb >> shift & 15]);
    text_char(out, '"');
}

static void close_element(text *out, const char *element, const char *tooltip)
{
    if (!tooltip) {
        text_str(out, "/>\n");
        return;
    }
    text_str(out, "><title>");
    text_xml(out, tooltip);
    text_str(out, "</title></");
    text_str(out, element);
    text_str(out, ">\n");
}

static void rect(text *out, const canvas_item *item)
{
    text_str(out, "<rect");
    attribute(out, "x", item->x);
    attribute(out, "y", item->y);
    attribute(out, "width", item->w);
    attribute(out, "height", item->h);
    colour(out, "fill", item->rgb);
    if (item->stroke != CANVAS_NONE)
        colour(out, "stroke", (uint32_t)item->stroke);
    close_element(out, "rect", item->text);
}

static void polygon(text *out, const canvas_item *item)
{
    text_str(out, "<polygon points=\"");
    for (size_t i = 0; i < item->point_count; i++) {
        if (i)
            text_char(out, ' ');
        length(out, item->points[i].x);
        text_char(out, ',');
        length(out, item->points[i].y);
    }
    text_char(out, '"');
    colour(out, "fill", item->rgb);
    close_element(out, "polygon", item->text);
}

static void line(text *out, const canvas_item *item)
{
    text_str(out, "<line");
    attribute(out, "x1", item->x);
    attribute(out, "y1", item->y);
    attribute(out, "x2", item->w);
    attribute(out, "y2", item->h);
    colour(out, "stroke", item->rgb);
    attribute(out, "stroke-width", item->size);
    text_str(out, "/>\n");
}

static void label(text *out, const canvas_item *item)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    text_str(out, "<text");
    attribute(out, "x", item->x);
    attribute(out, "y", item->y);
    attribute(out, "font-size", item->size);
    colour(out, "fill", item->rgb);
    text_str(out, anchors[item->align + 1]);
    if (item->up) {
        text_str(out, " transform=\"rotate(-90 ");
        length(out, item->x);
        text_char(out, ' ');
        length(out, item->y);
        text_str(out, ")\"");
    }
    text_char(out, '>');
    text_xml(out, item->text);
    text_str(out, "</text>\n");
}

static void group(text *out, const canvas_item *item)
{
    text_str(out, "<g");
    if (item->id) {
        text_str(out, " id=\"");
        text_xml(out, item->id);
        text_char(out, '"');
    }
    text_str(out, " class=\"");
    text_xml(out, item->text);
    text_str(out, "\">\n");
}

static void group_end(text *out, const canvas_item *item)
{
    (void)item;
    text_str(out, "</g>\n");
}

static void (*const writers[])(text *, const canvas_item *) = {
    [CANVAS_RECT] = rect,  [CANVAS_POLYGON] = polygon, [CANVAS_LINE] = line,
    [CANVAS_TEXT] = label, [CANVAS_OPEN] = group,      [CANVAS_CLOSE] = group_end,
};

void canvas_svg(const canvas *c, text *out)
{
    text_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    attribute(out, "width", c->width);
    attribute(out, "height", c->height);
    text_str(out, " viewBox=\"0 0 ");
    length(out, c->width);
    text_char(out, ' ');
    length(out, c->height);
    text_str(out, "\" font-family=\"" FONTS "\">\n<title>");
    text_xml(out, c->title);
    text_str(out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    for (size_t i = 0; i < c->items.count; i++)
        writers[c->items.at[i].kind](out, &c->items.at[i]);
    text_str(out, "</svg>\n");
}

gcast_status canvas_svg_last(canvas *c, text *out, gcast_error *err)
{
    gcast_status status = canvas_failed(c) ? gcast_error_set_memory(err) : GCAST_OK;
    if (status == GCAST_OK)
        canvas_svg(c, out);
    canvas_free(c);
    return status;
}
