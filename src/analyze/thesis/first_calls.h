/* When the kernels of a workload are called the first time, where that is known without a simulation. */
#ifndef ANALYZE_THESIS_FIRST_CALLS_H
#define ANALYZE_THESIS_FIRST_CALLS_H

#include "base/arena.h"
#include "gridcast/workload.h"

typedef struct first_call {
    int64_t call_ns;        /* when it is made */
    int64_t job_release_ns; /* the release of its job; 0 without a task */
    size_t op;              /* of the workload */
} first_call;

/* The calls of all kernels, in the order in which they are made: by time, of one time by the release of the job, then
 * in file order. *why_not is NULL, or says behind the label of the op *refused why a time is not known. False without
 * memory. */
bool thesis_first_calls(const gcast_workload *w, arena *memory, first_call **calls, size_t *count, size_t *refused,
                        const char **why_not);

#endif
