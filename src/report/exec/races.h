/* Races between the threads of a kernel, as text and as JSON: both threads, what each does and where, and why nothing
 * orders them. */
#ifndef REPORT_EXEC_RACES_H
#define REPORT_EXEC_RACES_H

#include "base/text/text.h"
#include "gridcast/exec.h"

void exec_races_table(const gcast_exec *e, text *out);
void exec_races_json(const gcast_simt_report *r, text *out);

#endif
