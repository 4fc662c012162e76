/* Which operations of a run that hangs never end: also of a copy for drawing, in which they end with the run. */
#ifndef REPORT_HANG_NEVER_ENDS_H
#define REPORT_HANG_NEVER_ENDS_H

#include "gridcast/run.h"

bool never_ends(const gcast_run *run, size_t i);

#endif
