#include "measure/launch/graph_making.h"

#include <stdlib.h>

gcast_status graph_making_open(graph_making *g, const driver *d, CUcontext context, size_t nodes, gcast_error *err)
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

gcast_status graph_making_kernel(graph_making *g, const kernel_call *k, gcast_error *err)
{
    return kernel_call_add(g->d, k, g->graph, &g->nodes[g->count++], err);
}

gcast_status graph_making_copy(graph_making *g, const graph_copy *c, gcast_error *err)
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

/* What those are after that are after a node. */
static const CUgraphNode *end_of(const graph_making *g, size_t node)
{
    return g->ends[node] ? &g->ends[node] : &g->nodes[node];
}

gcast_status graph_making_edge(graph_making *g, size_t from, size_t to, gcast_port port, gcast_error *err)
{
    if (port == GCAST_PORT_FULL)
        return DRIVER_CALL(g->d, err, cuGraphAddDependencies, g->graph, end_of(g, from), &g->nodes[to], 1);
    if (!g->d->ports)
        return gcast_error_set(err, GCAST_GPU, NULL, "this driver has no edges with the port %s; that needs CUDA 12.3",
                               gcast_port_name(port));
    CUgraphEdgeData data = {.from_port = port == GCAST_PORT_PROGRAMMATIC ? CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC
                                                                         : CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER,
                            .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
    return DRIVER_CALL(g->d, err, cuGraphAddDependencies_v2, g->graph, &g->nodes[from], &g->nodes[to], &data, 1);
}

gcast_status graph_making_event(graph_making *g, size_t node, CUevent event, gcast_error *err)
{
    return DRIVER_CALL(g->d, err, cuGraphAddEventRecordNode, &g->ends[node], g->graph, &g->nodes[node], 1, event);
}

gcast_status graph_making_finish(graph_making *g, CUstream stream, CUgraphExec *exec, gcast_error *err)
{
    CUgraphExec made;
    gcast_status status = DRIVER_CALL(g->d, err, cuGraphInstantiateWithFlags, &made, g->graph, 0);
    if (status != GCAST_OK)
        return status;
    *exec = made;
    return DRIVER_CALL(g->d, err, cuGraphUpload, made, stream);
}

void graph_making_close(graph_making *g)
{
    if (g->graph)
        g->d->cuGraphDestroy(g->graph);
    free(g->nodes);
    free(g->ends);
    *g = (graph_making){0};
}
