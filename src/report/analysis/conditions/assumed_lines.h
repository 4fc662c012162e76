/* What an answer rests on that nobody has measured of the GPU, in its report. */
#ifndef REPORT_ANALYSIS_CONDITIONS_ASSUMED_LINES_H
#define REPORT_ANALYSIS_CONDITIONS_ASSUMED_LINES_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* A line for what matters, with the limits, and one for what does not. */
void assumed_lines(const gcast_answer *a, text *out);
/* ", if ..." or " and ...": behind the number of deadlines met and the condition of latencies, where there is one. */
void assumed_condition(const gcast_answer *a, text *out);
/* Members of the answer's JSON object, each behind a comma. */
void assumed_json(const gcast_answer *a, text *out);

#endif
