/* What a launch asks of the GPU beyond blocks and threads: graphs, programmatic dependent launch, clusters, cooperative
 * launches, and blocks that wait for other blocks. */
#ifndef MODEL_WORKLOAD_ATTRIBUTES_H
#define MODEL_WORKLOAD_ATTRIBUTES_H

#include "gridcast/workload.h"

#define ATTRIBUTES_PROGRAMMATIC_CC 9 /* compute capability from which on there are programmatic launches */
#define ATTRIBUTES_COOPERATIVE_CC 6  /* and cooperative ones */
#define ATTRIBUTES_MAX_CLUSTER 16    /* blocks; more than 8 are not portable */

#define ATTRIBUTES_CLUSTER_BLOCKS 8 /* blocks of clusters that an SM holds at a time, as seen on an H200 */

/* Has an op any of these attributes? */
bool attributes_any(const gcast_op *op);
/* Do blocks of the kernel wait for something after their start? */
bool attributes_waits(const gcast_op *op);
/* Blocks of a cluster. */
uint32_t attributes_cluster(const gcast_op *op);
/* The index of the block that starts at this position, if blocks start cluster by cluster: clusters are numbered as
 * blocks are, x first, and so are the blocks of a cluster. */
uint64_t attributes_block_at(const gcast_op *op, uint64_t position);
/* Does the op begin a launch of a graph, and is it a further node of the launch of the op before it? */
bool attributes_is_first_node(const gcast_workload *w, size_t op);
bool attributes_is_next_node(const gcast_workload *w, size_t op);

/* Do the attributes of an op fit together and to the rest of the op? */
gcast_status attributes_check(const gcast_workload *w, size_t op, gcast_error *err);
/* Are the nodes and edges of graphs sound? Dependencies must be sound. */
gcast_status attributes_check_graphs(const gcast_workload *w, gcast_error *err);
/* An error where an op has an attribute: for callers that do not support them. `refusal` is a sentence that says what
 * they cannot do. */
gcast_status attributes_refuse(const gcast_workload *w, const char *refusal, gcast_error *err);
/* Does the GPU support the attributes, and is no kernel beside them that has a plan or launches kernels? */
gcast_status attributes_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* As attributes_refuse; an error also where an op has a policy or launches kernels. */
gcast_status attributes_refuse_special(const gcast_workload *w, const char *refusal, gcast_error *err);

/* The ports of all edges of a workload as they count: the hardware takes some as full (docs/model.md, Graphs: "Ports").
 * Edges of far nodes are full, too, but not marked so here. */
typedef struct graph_ports {
    size_t *first;     /* by op: its first incoming edge in `ports`; NULL: all edges are full */
    gcast_port *ports; /* by op, then in the order of its `after` */
} graph_ports;

/* False without memory; free in any case. */
bool graph_ports_init(graph_ports *p, const gcast_workload *w);
void graph_ports_free(graph_ports *p);

/* The port of the k-th op in `after` of an op. */
static inline gcast_port graph_ports_of(const graph_ports *p, size_t op, size_t k)
{
    return p->first ? p->ports[p->first[op] + k] : GCAST_PORT_FULL;
}

#endif
