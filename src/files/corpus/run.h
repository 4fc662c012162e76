#ifndef FILES_CORPUS_RUN_H
#define FILES_CORPUS_RUN_H

#include "files/json/object.h"
#include "gridcast/run.h"

/* A recorded run of the workload; NULL where it is not one, which the document then knows, or without memory. */
gcast_run *corpus_run(const node *n, const gcast_workload *w);

#endif
