/* An index of the kernels and blocks of a run: the jobs of workers, the kernels that matter to a span of time, and all
 * starts of blocks in order. The starts give the state that earlier blocks leave on an SM, and the blocks of a kernel
 * that may be resident at a time. */
#ifndef SIMULATE_EXPLAIN_BLOCK_HISTORY_H
#define SIMULATE_EXPLAIN_BLOCK_HISTORY_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "simulate/blocks/sm.h"

/* A run has the jobs of a kernel with a plan, not its workers. A job that is taken when another one ends on the same SM
 * is assumed to be of the same worker. Workers that found no job do not show. */

/* The time for which a worker had a job. */
typedef struct worker_span {
    int64_t taken_ns;   /* when it took the job */
    int64_t release_ns; /* when its resources became free, or it took its next job */
    uint64_t job;       /* number of the job */
    uint64_t previous;  /* index in the list of the worker's previous job; UINT64_MAX: none */
} worker_span;

/* Was the operation i run by workers? */
bool explain_has_plan(const gcast_run *run, size_t i);
/* Was some operation of the run? */
bool explain_any_plan(const gcast_run *run);
/* The jobs of the operation i by taken_ns; NULL without memory. To be freed by the caller. */
worker_span *explain_worker_spans(const gcast_run *run, size_t i);

/* A kernel of a run. */
typedef struct indexed_kernel {
    size_t run_op;
    int level;          /* of its EE queue */
    uint64_t entry;     /* its number in the order of entries */
    int64_t until_ns;   /* it may matter to others from its entry until then */
    worker_span *spans; /* its jobs, where it has a plan; else NULL */
    size_t first_part;  /* its first part in block_history */
} indexed_kernel;

typedef struct kernel_windows {
    indexed_kernel *kernels; /* by level and entry: the order in which they dispatch blocks at one time */
    size_t count;
    uint32_t *by_enter; /* indices of kernels[] by time of entry */
    int64_t *latest;    /* a tree over by_enter: the largest until_ns below each node; its root is 1 */
    size_t leaves;      /* how many leaves the tree has */
} kernel_windows;

typedef VEC(uint32_t) kernel_numbers;

/* Indexes the kernels of a run with blocks. False without memory; to be freed in any case. */
bool kernel_windows_init(kernel_windows *w, const gcast_run *run);
void kernel_windows_free(kernel_windows *w);
/* Finds the kernels that entered before `end_ns` and matter after `start_ns`, as ascending indices of kernels[]. False
 * without memory. */
bool kernel_windows_find(const kernel_windows *w, const gcast_run *run, int64_t start_ns, int64_t end_ns,
                         kernel_numbers *out);

#define HISTORY_PART 64 /* how many consecutive blocks of a kernel are a part, which has one start and one end */

/* An SM takes another size. */
typedef struct size_change {
    int64_t time;
    int32_t rank; /* of the SM */
    int32_t size; /* the new size */
} size_change;

/* A block starts on an SM. */
typedef struct sm_start {
    int64_t time;
    int32_t size;         /* of the shared memory from then on */
    int32_t next_quarter; /* where the first warp of the next block goes */
} sm_start;

typedef struct block_history {
    int64_t *part_start_ns;   /* by part: when its first block and all earlier ones had started */
    int64_t *part_until_ns;   /* by part: when the last of its blocks releases its SM */
    sm_start *starts;         /* by rank of their SM, then in order */
    size_t *first_start;      /* by rank: its first index in starts[]; one more at the end */
    VEC(size_change) changes; /* by time; none where all SMs always have the largest size */
    bool has_sizes;           /* sizes of shared memory change */
} block_history;

/* The block of a kernel that starts after `next` others; with a plan: the job that is taken. */
uint64_t indexed_kernel_block(const gcast_run *run, const indexed_kernel *k, uint64_t next);
/* When that block starts, or a worker takes the job. */
int64_t indexed_kernel_start(const gcast_run *run, const indexed_kernel *k, uint64_t next);
/* When that block releases its resources, or the worker takes its next job. */
int64_t indexed_kernel_release(const gcast_run *run, const indexed_kernel *k, uint64_t next);

/* Indexes all starts. False without memory; to be freed in any case. */
bool block_history_init(block_history *h, const gcast_run *run, kernel_windows *w, const sm_set *sms);
void block_history_free(block_history *h);
/* How many blocks of a kernel have started up to this time. */
uint64_t block_history_started(const block_history *h, const gcast_run *run, const indexed_kernel *k, int64_t time_ns);
/* The last start on an SM up to this time; NULL: none. */
const sm_start *block_history_last(const block_history *h, int rank, int64_t time_ns);
/* The first change of a size after this time. */
size_t block_history_change(const block_history *h, int64_t time_ns);

#endif
