/* The answer of method thesis, in the letters of the thesis: as a table, as JSON, and as figures. The answer must have
 * a gcast_answer_thesis. */
#ifndef PAPERS_THESIS_THESIS_REPORT_H
#define PAPERS_THESIS_THESIS_REPORT_H

#include "base/text.h"
#include "gridcast/analyze.h"

/* T, C, g, r, f, R and u of every kernel, and U_t. */
void thesis_table(const gcast_answer *a, bool color, text *out);
/* The line that says what the columns are. */
void thesis_legend(const gcast_answer *a, text *out);
/* The value of the member "thesis" of gridcast.analysis/1. */
void thesis_json(const gcast_answer *a, text *out);
/* The figures 3.6 to 3.9: each kernel, and the slots of its one big SM before and after it. As SVG, PNG or PDF. */
gcast_status thesis_draw(const gcast_answer *a, gcast_format format, gcast_write_fn write, void *data,
                         gcast_error *err);

#endif
