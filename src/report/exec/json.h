/* A launch as gridcast.exec/1, and its lines as CSV (docs/formats.md). */
#ifndef REPORT_EXEC_JSON_H
#define REPORT_EXEC_JSON_H

#include "base/text/text.h"
#include "gridcast/exec.h"

void exec_json(const gcast_exec *e, text *out);
void exec_csv(const gcast_exec *e, text *out);

#endif
