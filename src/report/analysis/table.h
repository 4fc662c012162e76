/* The analyses of a workload as a table with verdicts, and the assumptions that they rest on. */
#ifndef REPORT_ANALYSIS_TABLE_H
#define REPORT_ANALYSIS_TABLE_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* Without memory the text has failed. */
void answer_table(const gcast_answer *a, bool color, text *out);

#endif
