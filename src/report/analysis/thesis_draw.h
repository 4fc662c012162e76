/* The figures of the thesis (3.6 to 3.9): each kernel, and the slots of its one big SM before and after it. */
#ifndef REPORT_ANALYSIS_THESIS_DRAW_H
#define REPORT_ANALYSIS_THESIS_DRAW_H

#include "gridcast/analyze.h"

/* SVG, PNG or PDF. The answer has a gcast_answer_thesis. */
gcast_status thesis_draw(const gcast_answer *a, gcast_format format, gcast_write_fn write, void *data,
                         gcast_error *err);

#endif
