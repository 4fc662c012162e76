/* The iterations of a benchmark one after the other, as the loop of the examiner's task_host.c executes them. Each
 * starts with a check of the limit (and a barrier if asked for) and ends with a wait for its stream. */
#ifndef FILES_EXAMINER_READ_UNROLL_H
#define FILES_EXAMINER_READ_UNROLL_H

#include "files/examiner/read/state.h"

/* Adds all iterations to the workload. */
void examiner_unroll(exam_bench *b);

#endif
