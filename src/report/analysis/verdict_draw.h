/* An answer as a picture: per op a bar from its best case to its bound, its deadline, and the verdict in words. */
#ifndef REPORT_ANALYSIS_VERDICT_DRAW_H
#define REPORT_ANALYSIS_VERDICT_DRAW_H

#include "gridcast/analyze.h"

/* As SVG, PNG or PDF. */
gcast_status verdict_draw(const gcast_answer *a, gcast_format format, gcast_write_fn write, void *data,
                          gcast_error *err);

#endif
