/* A predicted and a measured run, operation by operation. */
#ifndef VERIFY_COMPARE_H
#define VERIFY_COMPARE_H

#include "base/vec.h"
#include "gridcast/run.h"

/* Times of an operation that ran in both runs, counted from the first start of each run. */
typedef struct verify_op_times {
    size_t op;                                    /* of the workload */
    int64_t predicted_start_ns, predicted_end_ns; /* in the prediction */
    int64_t measured_start_ns, measured_end_ns;   /* in the recorded run */
    int64_t error_ns;                             /* predicted end less measured end */
} verify_op_times;

typedef VEC(verify_op_times) verify_op_times_list;

/* Lists the operations that ran in both runs; false without memory. */
bool verify_list_op_times(const gcast_run *predicted, const gcast_run *measured, verify_op_times_list *list);

#endif
