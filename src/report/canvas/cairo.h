/* A canvas as PNG (two pixels for one) and PDF, through cairo. Built only where cairo is found. */
#ifndef REPORT_CANVAS_CAIRO_H
#define REPORT_CANVAS_CAIRO_H

#include "gridcast/report.h"
#include "report/canvas/canvas.h"

gcast_status canvas_png(const canvas *c, gcast_write_fn write, void *data, gcast_error *err);
gcast_status canvas_pdf(const canvas *c, gcast_write_fn write, void *data, gcast_error *err);

#endif
