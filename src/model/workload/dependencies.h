/* Dependencies: ops that are after others, as with events of CUDA. */
#ifndef MODEL_WORKLOAD_DEPENDENCIES_H
#define MODEL_WORKLOAD_DEPENDENCIES_H

#include "gridcast/workload.h"

/* Is any op after another? */
bool dependencies_exist(const gcast_workload *w);
/* Is op after the op `named`? */
bool dependencies_name(const gcast_op *op, size_t named);
/* run_op is the index in a run of an operation that executes op: returns the index of the operation of the same job
 * that executes the op `named`. */
static inline size_t dependencies_operation(size_t run_op, size_t op, size_t named)
{
    return run_op + named - op; /* the operations of a job, and those that run once, are in the order of the ops */
}
/* Are dependencies on the GPU, of the same job, called before their successors, and does no op wait for itself? */
gcast_status dependencies_check(const gcast_workload *w, gcast_error *err);
/* An error where an op is after another: for callers that do not support dependencies. `refusal` is a sentence that
 * says what they cannot do. */
gcast_status dependencies_refuse(const gcast_workload *w, const char *refusal, gcast_error *err);

#endif
