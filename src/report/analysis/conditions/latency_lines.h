/* How long calls take to reach the GPU, in the report of an answer. */
#ifndef REPORT_ANALYSIS_CONDITIONS_LATENCY_LINES_H
#define REPORT_ANALYSIS_CONDITIONS_LATENCY_LINES_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* A line per kind of calls: which latencies the answer has, and where they are from. */
void latency_lines(const gcast_answer *a, text *out);
/* ", if a launch takes no longer than 1.2ms": behind the number of deadlines met, where there is a condition. */
void latency_condition(const gcast_answer *a, text *out);
/* Members of the answer's JSON object, each behind a comma. */
void latency_json(const gcast_answer *a, text *out);

#endif
