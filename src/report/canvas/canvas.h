/* A picture as a display list: laid out once, then written by a back-end as SVG, PNG or PDF. Lengths are integers of
 * hundredths of a pixel, so that a picture has the same bytes on every machine; y grows downwards. Calls never fail by
 * themselves: the canvas remembers that there was no memory, and canvas_write says so. Strings are copied, and shown as
 * they are: cut them with label_cut or font_fit first. */
#ifndef REPORT_CANVAS_CANVAS_H
#define REPORT_CANVAS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"
#include "gridcast/report.h"

#define PX(n) ((int32_t)((n)*100)) /* n pixels */
#define CANVAS_NONE (-1)           /* no stroke */

/* Which end of a text is at its x. */
enum { CANVAS_LEFT = -1, CANVAS_CENTRE = 0, CANVAS_RIGHT = 1 };

typedef struct canvas canvas;

/* A corner of a polygon. */
typedef struct canvas_point {
    int32_t x, y;
} canvas_point;

/* NULL without memory. */
canvas *canvas_create(int32_t width, int32_t height, const char *title);
void canvas_free(canvas *c);
/* There was no memory for something that was to be drawn: canvas_write will say so. */
void canvas_no_memory(canvas *c);
/* Was there no memory for something that was drawn? */
bool canvas_failed(const canvas *c);

/* Colours are 0xrrggbb. `tooltip` may be NULL. */
void canvas_rect(canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t fill, int32_t stroke,
                 const char *tooltip);
void canvas_polygon(canvas *c, const canvas_point *points, size_t count, uint32_t fill, const char *tooltip);
/* With `arrow`, a head at the second point. */
void canvas_line(canvas *c, int32_t x1, int32_t y1, int32_t x2, int32_t y2, uint32_t rgb, int32_t width, bool arrow);
/* y is the base line; align says which end of the text is at x. */
void canvas_text(canvas *c, int32_t x, int32_t y, const char *s, int32_t size, int align, uint32_t rgb);
/* A text that reads upwards; x is its base line. */
void canvas_text_up(canvas *c, int32_t x, int32_t y, const char *s, int32_t size, int align, uint32_t rgb);
/* All that is drawn up to the matching close is one group (<g> in SVG). `id` may be NULL. */
void canvas_open(canvas *c, const char *id, const char *css_class);
void canvas_close(canvas *c);

/* Draws all of `appended` without its ids, moved down by `down`. */
void canvas_append(canvas *c, const canvas *appended, int32_t down);
int32_t canvas_width(const canvas *c);
int32_t canvas_height(const canvas *c);

/* Is this a format of canvas_write: SVG, PNG or PDF? */
static inline bool canvas_writes(gcast_format format)
{
    return format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF;
}

/* GCAST_USAGE where this build cannot write the format. */
gcast_status canvas_check_format(gcast_format format, gcast_error *err);
gcast_status canvas_write(const canvas *c, gcast_format format, gcast_write_fn write, void *data, gcast_error *err);
/* Writes the picture and frees it; NULL is one that there was no memory for. */
gcast_status canvas_end(canvas *c, gcast_format format, gcast_write_fn write, void *data, gcast_error *err);

#endif
