/* The state of a canvas: the items drawn so far, in order. For canvas.c and the back-ends. */
#ifndef REPORT_CANVAS_DISPLAY_LIST_H
#define REPORT_CANVAS_DISPLAY_LIST_H

#include "base/arena.h"
#include "base/vec.h"
#include "report/canvas/canvas.h"

typedef enum { CANVAS_RECT, CANVAS_POLYGON, CANVAS_LINE, CANVAS_TEXT, CANVAS_OPEN, CANVAS_CLOSE } canvas_kind;

typedef struct canvas_item {
    canvas_kind kind;           /* which of the fields below count */
    uint32_t rgb;               /* colour of the fill, the line or the text */
    int32_t x, y;               /* upper left corner, first point of a line, or where a text is aligned */
    int32_t w, h;               /* width and height; of a line, its second point */
    int32_t stroke;             /* of a rectangle: colour of its outline, or CANVAS_NONE */
    int32_t size;               /* of a text, its font size; of a line, its width */
    int align;                  /* of a text: CANVAS_LEFT, CANVAS_CENTRE or CANVAS_RIGHT */
    bool up;                    /* the text reads upwards */
    const char *text;           /* the text itself, a shape's tooltip, or a group's class */
    const char *id;             /* of a group; NULL: none */
    const canvas_point *points; /* corners of a polygon */
    size_t point_count;         /* how many corners it has */
} canvas_item;

struct canvas {
    int32_t width, height;  /* of the picture */
    const char *title;      /* for the file, not drawn */
    arena memory;           /* holds the title, and strings and points of items */
    VEC(canvas_item) items; /* in the order in which they were drawn */
    bool failed;            /* there was no memory for an item */
};

#endif
