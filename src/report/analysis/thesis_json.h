/* The answer of method thesis as the member "thesis" of gridcast.analysis/1. */
#ifndef REPORT_ANALYSIS_THESIS_JSON_H
#define REPORT_ANALYSIS_THESIS_JSON_H

#include "base/text/text.h"
#include "gridcast/analyze.h"

void thesis_json(const gcast_answer *a, const gcast_thesis *t, text *out);

#endif
