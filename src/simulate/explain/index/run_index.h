/* What explanations of one run look up, made once: an explanation then costs what happened while its operation waited,
 * and not what happened in the whole run. */
#ifndef SIMULATE_EXPLAIN_INDEX_RUN_INDEX_H
#define SIMULATE_EXPLAIN_INDEX_RUN_INDEX_H

#include "simulate/explain/index/block_history.h"
#include "simulate/explain/index/older_ops.h"
#include "simulate/explain/times/node_times.h"

typedef struct run_index {
    older_ops streams;     /* launches, by stream and launch, until they depart */
    older_ops blocking;    /* operations of blocking streams but the NULL stream, by launch, until they end */
    older_ops connections; /* kernels, by connection and launch, until they enter the EE queue */
    older_ops engines;     /* copies, by engine and start, until the engine is idle again */
    node_times nodes;      /* of graphs */
    bool has_plans;        /* a kernel has a plan */
    bool has_blocks;       /* the run has its blocks: what follows is there */
    kernel_windows kernels;
    block_history history;
} run_index;

/* False without memory; to be freed in any case. */
bool run_index_init(run_index *x, const gcast_run *run);
void run_index_free(run_index *x);

#endif
