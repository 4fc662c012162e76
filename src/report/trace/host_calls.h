/* Host calls: a thread per host thread, and a thread "releases" for operations that no host calls. A call takes no time
 * in the model, so that several may be made at one time: these are one slice of 1 ns, from which arrows start. Calls
 * that wait are slices around these. */
#ifndef REPORT_TRACE_HOST_CALLS_H
#define REPORT_TRACE_HOST_CALLS_H

#include "report/trace/state.h"

/* False without memory. */
bool chrome_calls(chrome *c);

#endif
