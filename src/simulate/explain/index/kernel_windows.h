/* The kernels of a run, and which of them matter to a span of time. */
#ifndef SIMULATE_EXPLAIN_INDEX_KERNEL_WINDOWS_H
#define SIMULATE_EXPLAIN_INDEX_KERNEL_WINDOWS_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "simulate/explain/sweep/worker_spans.h"

typedef struct indexed_kernel {
    size_t run_op;
    int level;          /* of its EE queue */
    uint64_t entry;     /* its number in the order of entries */
    int64_t until_ns;   /* from its entry until then it may matter to others */
    worker_span *spans; /* its jobs, where it has a plan; else NULL */
    size_t first_part;  /* its place in the parts of block_history */
} indexed_kernel;

typedef struct kernel_windows {
    indexed_kernel *kernels; /* by level and entry: the order in which they dispatch blocks at one time */
    size_t count;
    uint32_t *by_enter; /* their numbers by the time of their entry */
    int64_t *latest;    /* a tree over by_enter: the largest until_ns below each node; its root is 1 */
    size_t leaves;      /* of the tree */
} kernel_windows;

typedef VEC(uint32_t) kernel_numbers;

/* Of a run with its blocks. False without memory; to be freed in any case. */
bool kernel_windows_init(kernel_windows *w, const gcast_run *run);
void kernel_windows_free(kernel_windows *w);
/* Kernels that entered before `end_ns` and matter after `start_ns`, in ascending order. False without memory. */
bool kernel_windows_find(const kernel_windows *w, const gcast_run *run, int64_t start_ns, int64_t end_ns,
                         kernel_numbers *out);

#endif
