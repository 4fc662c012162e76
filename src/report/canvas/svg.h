/* A canvas as SVG. */
#ifndef REPORT_CANVAS_SVG_H
#define REPORT_CANVAS_SVG_H

#include "base/text.h"
#include "report/canvas/canvas.h"

/* The <svg> element, for a file of its own or inside a page. */
void canvas_svg(const canvas *c, text *out);
/* Writes that element and frees the canvas; fails where the canvas ran out of memory. */
gcast_status canvas_svg_last(canvas *c, text *out, gcast_error *err);

#endif
