/* The analyses of a workload as a table with verdicts, and the assumptions that they rest on. */
#ifndef REPORT_ANALYSIS_ANSWER_TABLE_H
#define REPORT_ANALYSIS_ANSWER_TABLE_H

#include "base/text.h"
#include "gridcast/analyze.h"

/* One line, without its end: the methods, how many deadlines are met, and on what conditions. */
void answer_summary(const gcast_answer *a, text *out);
/* Without memory `out` has failed. */
void answer_table(const gcast_answer *a, bool color, text *out);

#endif
