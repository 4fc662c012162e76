/* A launch as text for people: totals; with a profile all counts and the most expensive lines; races; and a warp's
 * active masks, run by run. */
#ifndef REPORT_EXEC_TABLE_H
#define REPORT_EXEC_TABLE_H

#include "base/text/text.h"
#include "gridcast/exec.h"

void exec_table(const gcast_exec *e, text *out);

#endif
