/* A recorded gridcast.run/1. It must list the operations of its workload in their order, all kernels with their blocks
 * or none, and be of the workload's GPU: otherwise it would be compared with a prediction for something else. */
#ifndef FILES_CORPUS_RUN_H
#define FILES_CORPUS_RUN_H

#include "files/json/object.h"
#include "gridcast/run.h"

/* NULL where it is no run of the workload, which is then the error of the document, or without memory. */
gcast_run *corpus_run(const node *n, const gcast_workload *w);

#endif
