/* The colours of a workload's ops: a stream has a colour, and its kernels have shades of it; so have its copies. The
 * first kernel and the first copy have the colour itself. Kernels that kernels launch have the colours that follow. */
#ifndef REPORT_CANVAS_OP_COLOURS_H
#define REPORT_CANVAS_OP_COLOURS_H

#include "gridcast/workload.h"

/* By op of the workload, also of those behind op_count; 0 for what does not run on the GPU. free() it; NULL without
 * memory. */
uint32_t *op_colours(const gcast_workload *w);

#endif
