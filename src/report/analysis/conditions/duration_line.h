/* How much of their time kernels may take so that deadlines which are open are met. */
#ifndef REPORT_ANALYSIS_CONDITIONS_DURATION_LINE_H
#define REPORT_ANALYSIS_CONDITIONS_DURATION_LINE_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* A line that says so; nothing where that is not known. */
void duration_line(const gcast_answer *a, text *out);
/* The key of gridcast.analysis/1. */
void duration_json(const gcast_answer *a, text *out);

#endif
