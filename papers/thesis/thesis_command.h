/* `gridcast analyze --method thesis`: of a workload, or of the kernels of an AMALTHEA model. */
#ifndef PAPERS_THESIS_THESIS_COMMAND_H
#define PAPERS_THESIS_THESIS_COMMAND_H

#include "cli/args.h"

/* Errors are printed. */
gcast_status thesis_analyze(const args *a);

#endif
