/* Responses that grow without bound. */
#ifndef REPORT_ANALYSIS_CONDITIONS_GROWTH_LINES_H
#define REPORT_ANALYSIS_CONDITIONS_GROWTH_LINES_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* A line that says what grows, and why; nothing where that is not known. */
void growth_lines(const gcast_answer *a, text *out);
/* Keys of gridcast.analysis/1, where responses that grow were looked for. */
void growth_json(const gcast_answer *a, text *out);

#endif
