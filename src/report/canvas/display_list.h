/* What a canvas is to its back-ends. */
#ifndef REPORT_CANVAS_DISPLAY_LIST_H
#define REPORT_CANVAS_DISPLAY_LIST_H

#include "base/arena.h"
#include "base/text/text.h"
#include "base/vec.h"
#include "report/canvas/canvas.h"

typedef enum { CANVAS_RECT, CANVAS_POLYGON, CANVAS_LINE, CANVAS_TEXT, CANVAS_OPEN, CANVAS_CLOSE } canvas_kind;

typedef struct canvas_item {
    canvas_kind kind;
    uint32_t rgb;
    int32_t x, y, w, h; /* w, h: of a line, its second point */
    int32_t stroke;     /* of a rectangle: colour or CANVAS_NONE */
    int32_t size;       /* of text, or the width of a line */
    int align;
    bool up;
    const char *text; /* the text, the tooltip or the class */
    const char *id;
    const canvas_point *points;
    size_t point_count;
} canvas_item;

struct canvas {
    int32_t width, height;
    const char *title;
    arena memory;
    VEC(canvas_item) items;
    bool failed;
};

#define CANVAS_FONT "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

/* The <svg> element, for a file of its own or inside a page. */
void canvas_svg(const canvas *c, text *out);

/* In canvas/cairo.c, which is there only with cairo. */
gcast_status canvas_png(const canvas *c, gcast_write_fn write, void *data, gcast_error *err);
gcast_status canvas_pdf(const canvas *c, gcast_write_fn write, void *data, gcast_error *err);

#endif
