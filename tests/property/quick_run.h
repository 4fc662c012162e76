/* Many simulations of one workload in which only durations, releases and latencies differ: what
 * gcast_workload_simulate checks, copies and notes each time is done once, and the checker does not look at the runs.
 * quick_run_compare shows that the times are those of gcast_workload_simulate. */
#ifndef PROPERTY_QUICK_RUN_H
#define PROPERTY_QUICK_RUN_H

#include "gridcast/simulate.h"

typedef struct quick_run {
    const gcast_workload *workload; /* whose ops the caller may give other durations between runs */
    const gcast_gpu *gpu;           /* as the caller gave it */
    gcast_gpu *part;                /* the GPU with the workload's partition taken */
    gcast_run_op *untouched;        /* the operations before a simulation */
    gcast_run_op *ops;              /* the operations of the last simulation, in the order of calls of one time */
    size_t *order;                  /* by place in ops: the operation of untouched */
    bool is_plain;                  /* ops are in the order of untouched */
    int64_t *latencies;             /* of ops */
    size_t op_count;                /* of all these */
} quick_run;

/* Fails the test where the workload cannot be expanded. Kernels that launch kernels are not covered. */
quick_run quick_run_make(const gcast_workload *w, const gcast_gpu *gpu, int64_t horizon_ns);
void quick_run_free(quick_run *q);

/* Simulates, with releases and latencies of the operations as they are in untouched; fails the test where an operation
 * never ends. */
void quick_run_simulate(quick_run *q, const gcast_simulate_options *options);
/* Fails the test where gcast_workload_simulate gives other times. That is the same simulation only where no job is
 * before another because it is late; false elsewhere. */
bool quick_run_compare(const quick_run *q, const gcast_simulate_options *options);

#endif
