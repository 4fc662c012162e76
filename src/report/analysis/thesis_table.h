/* The answer of method thesis as a table: T, C, g, r, f, R and u of every kernel, and U_t. */
#ifndef REPORT_ANALYSIS_THESIS_TABLE_H
#define REPORT_ANALYSIS_THESIS_TABLE_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* The table, and a line or two on what its letters mean. The answer has a gcast_answer_thesis. */
void thesis_table(const gcast_answer *a, bool color, text *out);

#endif
