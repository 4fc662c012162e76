/* What those who draw on a canvas and its back-ends share. Every length is an integer of hundredths of a pixel, so that
 * a picture has the same bytes on every machine. */
#ifndef REPORT_CANVAS_TYPES_H
#define REPORT_CANVAS_TYPES_H

#include <stdint.h>

#define PX(n) ((int32_t)((n)*100))

#define CANVAS_NONE (-1) /* no stroke */

/* Which end of a text is at its x. */
enum { CANVAS_LEFT = -1, CANVAS_CENTRE = 0, CANVAS_RIGHT = 1 };

typedef struct canvas canvas;

/* A corner of a polygon. */
typedef struct canvas_point {
    int32_t x, y;
} canvas_point;

#endif
