/* Deadlines: a thread per task with a slice from the release of each job to its deadline, and a thread with a slice
 * from each deadline that is missed to the end of its job. */
#ifndef REPORT_TRACE_JOB_DEADLINES_H
#define REPORT_TRACE_JOB_DEADLINES_H

#include "report/trace/state.h"

/* False without memory. */
bool chrome_deadlines(chrome *c);

#endif
