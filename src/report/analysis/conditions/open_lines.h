/* What a workload leaves open, where deadlines that are met rest on it. */
#ifndef REPORT_ANALYSIS_CONDITIONS_OPEN_LINES_H
#define REPORT_ANALYSIS_CONDITIONS_OPEN_LINES_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* ", if what the workload leaves open is as assumed" */
void open_condition(const gcast_answer *a, text *out);
void open_lines(const gcast_answer *a, text *out);
void open_json(const gcast_answer *a, text *out);

#endif
