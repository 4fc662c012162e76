/* What a launch asks of the GPU beyond blocks and threads: graphs, programmatic dependent launch, clusters, cooperative
 * launches, and blocks that wait for other blocks. */
#ifndef MODEL_WORKLOAD_ATTRIBUTES_ATTRIBUTES_H
#define MODEL_WORKLOAD_ATTRIBUTES_ATTRIBUTES_H

#include "gridcast/workload.h"

#define ATTRIBUTES_PROGRAMMATIC_CC 9 /* compute capability from which on there are programmatic launches */
#define ATTRIBUTES_COOPERATIVE_CC 6  /* and cooperative ones */
#define ATTRIBUTES_MAX_CLUSTER 16    /* blocks; more than 8 are not portable */

#define ATTRIBUTES_CLUSTER_BLOCKS 8 /* blocks of clusters that an SM holds at a time, as seen on an H200 */

/* Has an op any of them? */
bool attributes_any(const gcast_op *op);
/* Do blocks of the kernel wait for something, after their start? */
bool attributes_waits(const gcast_op *op);
/* Blocks of a cluster. */
uint32_t attributes_cluster(const gcast_op *op);
/* The index of the block that starts at this position, if blocks start cluster by cluster: clusters are numbered as
 * blocks are, x first, and so are the blocks of a cluster. */
uint64_t attributes_block_at(const gcast_op *op, uint64_t position);
/* Does the op begin a launch of a graph, and is it a further node of the launch of the op before it? */
bool attributes_is_first_node(const gcast_workload *w, size_t op);
bool attributes_is_next_node(const gcast_workload *w, size_t op);

/* Do those of an op go with each other and with the rest of the op; and those of all ops, where dependencies are
 * sound? */
gcast_status attributes_check(const gcast_workload *w, size_t op, gcast_error *err);
gcast_status attributes_check_graphs(const gcast_workload *w, gcast_error *err);
/* An error where an op has any: for callers that do not know them. `refusal` is a sentence that says what they cannot
 * do. */
gcast_status attributes_refuse(const gcast_workload *w, const char *refusal, gcast_error *err);
/* Has the GPU what they need, and are they without kernels that have a plan or launch kernels? */
gcast_status attributes_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* The same as attributes_refuse where it has any, a policy, or launches kernels: for callers that know only kernels
 * without all that. */
gcast_status attributes_refuse_special(const gcast_workload *w, const char *refusal, gcast_error *err);

#endif
