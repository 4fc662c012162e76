/* Reads a recorded gridcast.run/1. It must list the operations of its workload in their order, with the blocks of all
 * kernels or of none, and be of the workload's GPU: otherwise it cannot be compared with a prediction. */
#ifndef FILES_RUN_FILE_H
#define FILES_RUN_FILE_H

#include "files/document.h"
#include "gridcast/run.h"

/* NULL after an error, which the document keeps if the value is no run of the workload, or without memory. */
gcast_run *corpus_run(const node *n, const gcast_workload *w);

#endif
