/* A run that hangs, as it is drawn and listed block by block: with the blocks that have started. */
#ifndef REPORT_HANG_SHOWN_RUN_H
#define REPORT_HANG_SHOWN_RUN_H

#include "gridcast/run.h"

/* A copy of the run, which shares all but its operations. Kernels that are not complete have the blocks that started,
 * and, where it is to be drawn, end when the run hangs; those that never started are skipped then. False without
 * memory. */
bool shown_run_make(const gcast_run *run, bool drawn, gcast_run *copy);
void shown_run_free(gcast_run *copy);

#endif
