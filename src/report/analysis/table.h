/* The analyses of a workload as a table with verdicts, and the assumptions that they rest on. */
#ifndef REPORT_ANALYSIS_TABLE_H
#define REPORT_ANALYSIS_TABLE_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* A line without its end: methods, and how many deadlines are met and on what condition. */
void answer_summary(const gcast_answer *a, text *out);
/* Without memory the text has failed. */
void answer_table(const gcast_answer *a, bool color, text *out);

#endif
