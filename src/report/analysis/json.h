/* The analyses of a workload as gridcast.analysis/1. */
#ifndef REPORT_ANALYSIS_JSON_H
#define REPORT_ANALYSIS_JSON_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

void answer_json(const gcast_answer *a, text *out);

#endif
