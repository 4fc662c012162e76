/* What a workload's notes say was not carried over from where it is from, as a condition of verdicts on it. */
#ifndef REPORT_ANALYSIS_CONDITIONS_NOTE_LINES_H
#define REPORT_ANALYSIS_CONDITIONS_NOTE_LINES_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

/* The end of the summary: that deadlines are met on this condition. */
void note_condition(const gcast_answer *a, text *out);
/* A line for each note. */
void note_lines(const gcast_answer *a, text *out);
/* The key of gridcast.analysis/1. */
void note_json(const gcast_answer *a, text *out);

#endif
