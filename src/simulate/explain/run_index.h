/* An index of a run, made once for all its explanations: an explanation then costs only as much as happened while its
 * operation waited, not as much as the whole run. */
#ifndef SIMULATE_EXPLAIN_RUN_INDEX_H
#define SIMULATE_EXPLAIN_RUN_INDEX_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "simulate/explain/block_history.h"
#include "simulate/graph_shape.h"

/* Operations are in groups (a stream, a connection, a copy engine), each sorted by place. The operations that hold up
 * others at some time are found without a search of all that had left before. */
typedef struct older_op {
    int group;
    uint64_t place;   /* by which its group is sorted: a launch number or time */
    size_t run_op;    /* the operation; of a graph's launch its last node */
    int64_t until_ns; /* it holds up others until then */
    size_t latest;    /* index of the one with the largest until_ns in its group up to here; of several, the first in
                            the run */
} older_op;

typedef struct older_ops {
    VEC(older_op) all; /* by group, place and run_op */
} older_ops;

/* The index behind the last operation of a group with a place before this one. *first: the index of the group's
 * first. */
size_t older_ops_before(const older_ops *o, int group, uint64_t place, size_t *first);
/* The first index from `first` on, up to `end`, from which on until_ns may be later than this time. */
size_t older_ops_after(const older_ops *o, size_t first, size_t end, int64_t time_ns);

/* Launches of graphs, by operation of the run. An operation that is no node is a launch of its own. */
typedef struct node_times {
    graph_shape shape;    /* of all graphs of the workload */
    size_t *launch_first; /* the first operation of its launch */
    size_t *launch_last;  /* the operation of its launch that was complete last */
    int64_t *done_ns;     /* when the node was done; NULL: there are no graphs */
    size_t *done_by;      /* the operation whose end made it done */
} node_times;

/* Does operation i have dependencies in its launch? */
bool node_times_has_edges(const node_times *t, const gcast_run *run, size_t i);
/* Do blocks of operation i wait for its dependency k after their start? */
bool node_times_waits(const node_times *t, const gcast_run *run, size_t i, size_t k);

typedef struct run_index {
    older_ops streams;     /* operations and launches of graphs, by stream and launch, until they depart */
    older_ops blocking;    /* operations of blocking streams, without the NULL stream, by launch, until they end */
    older_ops connections; /* kernels, by connection and launch, until they enter the EE queue */
    older_ops engines;     /* copies, by engine and start, until the engine is idle again */
    node_times nodes;      /* of graphs */
    bool has_plans;        /* a kernel has a plan */
    bool has_blocks;       /* the run has its blocks, and the index the fields below */
    kernel_windows kernels;
    block_history history;
} run_index;

/* Makes the index. False without memory; to be freed in any case. */
bool run_index_init(run_index *x, const gcast_run *run);
void run_index_free(run_index *x);

#endif
