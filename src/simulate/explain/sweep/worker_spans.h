/* When workers held resources. A run has the jobs of a kernel with a plan, not its workers: a worker that takes a job
 * at the time at which another one ends on its SM is taken to be the one that did that. Workers that found no job do
 * not show. */
#ifndef SIMULATE_EXPLAIN_SWEEP_WORKER_SPANS_H
#define SIMULATE_EXPLAIN_SWEEP_WORKER_SPANS_H

#include "gridcast/run.h"

/* A worker had a job. */
typedef struct worker_span {
    int64_t taken_ns;   /* when it took the job */
    int64_t release_ns; /* when its resources became free, or it took its next job */
    uint64_t job;       /* number of the job */
    uint64_t previous;  /* place in the list of the job that it did before; UINT64_MAX: none */
} worker_span;

/* Has the operation i been run by workers? */
bool explain_has_plan(const gcast_run *run, size_t i);
/* Is one of the operations of the run? */
bool explain_any_plan(const gcast_run *run);
/* The jobs of the operation i, in the order in which they were taken; NULL without memory. To be freed by the caller.
 */
worker_span *explain_worker_spans(const gcast_run *run, size_t i);

#endif
