/* Deadlines: a thread per task with a slice from the release of each job to its deadline, and a thread of instants for
 * the deadlines that are missed. */
#ifndef REPORT_TRACE_JOB_DEADLINES_H
#define REPORT_TRACE_JOB_DEADLINES_H

#include "report/trace/state.h"

/* False without memory. */
bool chrome_deadlines(chrome *c);

#endif
