#include "measure/session/graphs.h"

#include <stdlib.h>

#include "gridcast/names.h"
#include "gridcast/workload.h"
#include "measure/session/driver_calls.h"
#include "measure/session/kernel_call.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"

/* A CUDA graph is made node by node, and then instantiated. */

typedef struct graph_making {
    const driver *d;
    CUcontext context; /* of copies and memsets */
    CUgraph graph;
    CUgraphNode *nodes; /* in the order in which they were added */
    size_t count;       /* of nodes */
    CUgraphNode *ends;  /* by node: the event behind it; NULL: none */
} graph_making;

/* A copy or memset; the host's memory is for copies between host and device. */
typedef struct graph_copy {
    const gcast_op *op;
    CUdeviceptr from, to;
    const void *host_from;
    void *host_to;
} graph_copy;

/* Begins a graph of at most `nodes` nodes. */
static gcast_status graph_making_open(graph_making *g, const driver *d, CUcontext context, size_t nodes,
                                      gcast_error *err)
{
    *g = (graph_making){.d = d, .context = context};
    if (!d->graphs)
        return gcast_error_set(err, GCAST_GPU, NULL, "this driver cannot launch such graphs; that needs CUDA 12.0");
    g->nodes = calloc(nodes + 1, sizeof(CUgraphNode));
    g->ends = calloc(nodes + 1, sizeof(CUgraphNode));
    if (!g->nodes || !g->ends)
        return gcast_error_set_memory(err);
    gcast_status status = DRIVER_CALL(d, err, cuGraphCreate, &g->graph, 0);
    if (status != GCAST_OK)
        g->graph = NULL;
    return status;
}

static gcast_status graph_making_kernel(graph_making *g, const kernel_call *k, gcast_error *err)
{
    return kernel_call_add(g->d, k, g->graph, &g->nodes[g->count++], err);
}

static gcast_status graph_making_copy(graph_making *g, const graph_copy *c, gcast_error *err)
{
    CUgraphNode *node = &g->nodes[g->count++];
    size_t bytes = (size_t)c->op->bytes;
    if (c->op->kind == GCAST_KIND_MEMSET) {
        CUmemsetNode set = {.target = c->to, .element_size = 1, .width = bytes, .height = 1};
        return DRIVER_CALL(g->d, err, cuGraphAddMemsetNode, node, g->graph, NULL, 0, &set, g->context);
    }
    bool from_host = c->op->direction == GCAST_H2D, to_host = c->op->direction == GCAST_D2H;
    CUcopyNode copy = {.from = {.memory_type = from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
                                .host = from_host ? c->host_from : NULL,
                                .device = from_host ? 0 : c->from,
                                .pitch = bytes},
                       .to = {.memory_type = to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
                              .host = to_host ? c->host_to : NULL,
                              .device = to_host ? 0 : c->to,
                              .pitch = bytes},
                       .width = bytes,
                       .height = 1,
                       .depth = 1};
    return DRIVER_CALL(g->d, err, cuGraphAddMemcpyNode, node, g->graph, NULL, 0, &copy, g->context);
}

/* The node that successors of a node depend on: its end event, or itself. */
static const CUgraphNode *end_of(const graph_making *g, size_t node)
{
    return g->ends[node] ? &g->ends[node] : &g->nodes[node];
}

/* Makes node `to` depend on node `from`. */
static gcast_status graph_making_edge(graph_making *g, size_t from, size_t to, gcast_port port, gcast_error *err)
{
    if (port == GCAST_PORT_FULL)
        return DRIVER_CALL(g->d, err, cuGraphAddDependencies, g->graph, end_of(g, from), &g->nodes[to], 1);
    if (!g->d->ports)
        return gcast_error_set(err, GCAST_GPU, NULL, "this driver has no edges with the port %s; that needs CUDA 12.3",
                               gcast_name(GCAST_NAMES_PORT, port));
    CUgraphEdgeData data = {.from_port = port == GCAST_PORT_PROGRAMMATIC ? CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC
                                                                         : CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER,
                            .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
    return DRIVER_CALL(g->d, err, cuGraphAddDependencies_v2, g->graph, &g->nodes[from], &g->nodes[to], &data, 1);
}

/* Records an event behind a node; edges that are added later lead from the event. */
static gcast_status graph_making_event(graph_making *g, size_t node, CUevent event, gcast_error *err)
{
    return DRIVER_CALL(g->d, err, cuGraphAddEventRecordNode, &g->ends[node], g->graph, &g->nodes[node], 1, event);
}

/* Instantiates the graph and uploads it by `stream`, so that its first launch is like any other. */
static gcast_status graph_making_finish(graph_making *g, CUstream stream, CUgraphExec *exec, gcast_error *err)
{
    CUgraphExec made;
    gcast_status status = DRIVER_CALL(g->d, err, cuGraphInstantiateWithFlags, &made, g->graph, 0);
    if (status != GCAST_OK)
        return status;
    *exec = made;
    return DRIVER_CALL(g->d, err, cuGraphUpload, made, stream);
}

/* Frees everything but what graph_making_finish made. */
static void graph_making_close(graph_making *g)
{
    if (g->graph)
        g->d->cuGraphDestroy(g->graph);
    free(g->nodes);
    free(g->ends);
    *g = (graph_making){0};
}

/* Adds the node of operation i. */
static gcast_status add_node(session *s, graph_making *g, size_t i, gcast_error *err)
{
    const gcast_op *op = session_spec(s, i);
    if (op->kind == GCAST_KIND_KERNEL) {
        kernel_call k = session_kernel(s, i, false);
        return graph_making_kernel(g, &k, err);
    }
    graph_copy c = {.op = op,
                    .from = s->device_source,
                    .to = s->device_target,
                    .host_from = s->host_source,
                    .host_to = s->host_target};
    return graph_making_copy(g, &c, err);
}

/* Adds the edges that lead to operation i; `first` is the first operation of the graph. */
static gcast_status add_edges(session *s, graph_making *g, size_t first, size_t i, gcast_error *err)
{
    const gcast_op *op = session_spec(s, i);
    gcast_status status = GCAST_OK;
    for (size_t k = 0; k < op->after_count && status == GCAST_OK; k++) {
        if (s->w->ops[op->after[k]].graph != op->graph)
            continue; /* the launch as a whole waits for it */
        size_t from = dependencies_operation(i, s->ops[i].op, op->after[k]);
        status = graph_making_edge(g, from - first, i - first, op->ports ? op->ports[k] : GCAST_PORT_FULL, err);
    }
    return status;
}

/* The number of edges of its graph that lead to operation i. */
static size_t edges_to(const session *s, size_t i)
{
    const gcast_op *op = session_spec(s, i);
    size_t count = 0;
    for (size_t k = 0; k < op->after_count; k++)
        count += s->w->ops[op->after[k]].graph == op->graph;
    return count;
}

static bool is_after(const session *s, size_t i, size_t other)
{
    const gcast_op *op = session_spec(s, i);
    for (size_t k = 0; k < op->after_count; k++)
        if (dependencies_operation(i, s->ops[i].op, op->after[k]) == other)
            return true;
    return false;
}

/* How the end of a copy or memset is seen. The driver puts events, which are nodes, into its queues. Behind a copy
 * between host and device the event is in the queue of that copy, unless another node depends on the copy: then it
 * would be in a queue of kernels, and hold it up. Behind copies on the device and memsets it always would. */
static copy_end how_end_is_seen(const session *s, size_t i, size_t last)
{
    const gcast_op *op = session_spec(s, i);
    for (size_t k = i + 1; k < last; k++)
        if (session_spec(s, k)->kind == GCAST_KIND_KERNEL && edges_to(s, k) == 1 && is_after(s, k, i))
            return END_KERNEL;
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D ? END_EVENT : END_UNSEEN;
}

/* For copies that are roots, the event before the first shows when the launch was called. */
static void set_timing(session *s, size_t first, size_t i, size_t last)
{
    session_op *x = &s->at[i];
    x->timed_by = NO_EVENT;
    for (size_t k = first; k <= i && !edges_to(s, i) && x->timed_by == NO_EVENT; k++)
        if (session_spec(s, k)->kind != GCAST_KIND_KERNEL && !edges_to(s, k))
            x->timed_by = k;
    x->end = how_end_is_seen(s, i, last);
}

/* Adds the node of operation i, its dependencies, and the event that shows its end. */
static gcast_status add_operation(session *s, graph_making *g, size_t first, size_t i, size_t last, gcast_error *err)
{
    gcast_status status = add_node(s, g, i, err);
    if (status == GCAST_OK)
        status = add_edges(s, g, first, i, err);
    if (status == GCAST_OK && session_spec(s, i)->kind != GCAST_KIND_KERNEL) {
        set_timing(s, first, i, last);
        if (s->at[i].end == END_EVENT)
            status = graph_making_event(g, i - first, s->at[i].after, err);
    }
    return session_error(s, i, status, err);
}

static gcast_status make_graph(session *s, size_t first, gcast_error *err)
{
    size_t last = first + 1;
    graph_making g;
    while (last < s->op_count && attributes_is_next_node(s->w, s->ops[last].op))
        last++;
    s->at[first].nodes = (uint32_t)(last - first);
    gcast_status status = graph_making_open(&g, &s->v.d, s->v.context, last - first, err);
    for (size_t i = first; i < last && status == GCAST_OK; i++)
        status = add_operation(s, &g, first, i, last, err);
    if (status == GCAST_OK)
        status = graph_making_finish(&g, s->helper_stream, &s->at[first].exec, err);
    graph_making_close(&g);
    return session_error(s, first, status, err);
}

gcast_status graphs_make(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++)
        if (attributes_is_first_node(s->w, s->ops[i].op))
            status = make_graph(s, i, err);
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->helper_stream) : status;
}
