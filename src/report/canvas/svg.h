/* A canvas as SVG. */
#ifndef REPORT_CANVAS_SVG_H
#define REPORT_CANVAS_SVG_H

#include "base/text/text.h"
#include "report/canvas/types.h"

/* The <svg> element, for a file of its own or inside a page. */
void canvas_svg(const canvas *c, text *out);
/* The same of a canvas that is freed then; fails where it ran out of memory. */
gcast_status canvas_svg_last(canvas *c, text *out, gcast_error *err);

#endif
