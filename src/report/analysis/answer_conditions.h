/* What an answer rests on: numbers of the GPU that nobody has measured, launch latencies, notes of the workload, and
 * what the workload leaves open. Also how short kernels must be to meet all deadlines, and which responses grow. Each
 * is written as lines below the table of the answer (lines), and as the end of its summary (condition). */
#ifndef REPORT_ANALYSIS_ANSWER_CONDITIONS_H
#define REPORT_ANALYSIS_ANSWER_CONDITIONS_H

#include "base/text.h"
#include "gridcast/analyze.h"

/* Numbers of the GPU that nobody has measured: a line for those that matter, with limits, and one for the others. */
void assumed_lines(const gcast_answer *a, text *out);
/* ", if ..." or ", and ...": follows the condition of latencies, if there is one. */
void assumed_condition(const gcast_answer *a, text *out);
/* The name of a value that is a choice; NULL: it is a number. */
const char *assumed_choice(const gcast_assumed *p, int64_t value);

/* To what percentage of their time kernels must shrink so that all deadlines are met; nothing if that is not known. */
void duration_line(const gcast_answer *a, text *out);

/* Which responses grow without bound, and why; nothing where that is not known. */
void growth_lines(const gcast_answer *a, text *out);
/* The response that grows fastest; NULL: none grows. */
const gcast_response *growth_fastest(const gcast_answer *a);

/* How long calls take to reach the GPU: a line per kind of calls says which latencies the answer has, and where they
 * are from. */
void latency_lines(const gcast_answer *a, text *out);
/* ", if a launch takes no longer than 1.2ms": follows the number of deadlines met. */
void latency_condition(const gcast_answer *a, text *out);

/* The workload's notes: what was not carried over from its source. A line each. */
void note_lines(const gcast_answer *a, text *out);
void note_condition(const gcast_answer *a, text *out);

/* What the workload leaves open, where deadlines that are met rest on it. */
void open_condition(const gcast_answer *a, text *out);
void open_lines(const gcast_answer *a, text *out);

#endif
