/* The stub's launches with attributes, graphs, and blocks that wait. Kernels run when they are called, the nodes of a
 * graph in the order of their edges, one after another. A block that waits for kernels whose blocks have not all
 * started by then gives up; of a kernel whose blocks wait for each other 8 start at first. STUB_OLD drivers have none
 * of this. */
#include <stdlib.h>
#include <string.h>

#include "stub.h"

#define ROOM 8 /* blocks that wait for each other */
#define PARAMETERS 5
#define EXPORT __attribute__((visibility("default")))

stub_seen stub_counts;

#define SEEN(name)                                                                                                     \
    EXPORT int stub_seen_##name(void);                                                                                 \
    int stub_seen_##name(void)                                                                                         \
    {                                                                                                                  \
        return stub_counts.name;                                                                                       \
    }
SEEN(clusters)
SEEN(cooperative)
SEEN(programmatic)
SEEN(graphs)
SEEN(nodes)
SEEN(ports)
SEEN(uploads)
SEEN(events)

/* What waits.ptx finds at its last parameter. */
typedef struct stub_waits {
    int64_t trigger, wait;
    uint64_t grid_wait;
    uint64_t started, list, count;
    int64_t give_up;
    uint64_t gave_up;
} stub_waits;

typedef struct stub_record {
    int64_t start, end;
    uint32_t sm, gave_up;
} stub_record;

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Raises the counter of this kernel; does a block then wait in vain? */
static bool waits_in_vain(const stub_waits *w, uint64_t blocks)
{
    const uint64_t *list = at(w->list);
    bool itself = false, vain = false;
    for (uint64_t i = 0; i < w->count; i++)
        itself = itself || list[2 * i] == w->started;
    if (w->started)
        *(uint32_t *)at(w->started) += (uint32_t)(itself && blocks > ROOM ? ROOM : blocks);
    for (uint64_t i = 0; i < w->count; i++)
        vain = vain || *(uint32_t *)at(list[2 * i]) < list[2 * i + 1];
    return vain;
}

/* A block is 1 ns late, and ends as asked. */
void stub_spin(const stub_function *f, uint64_t blocks, void **parameters)
{
    stub_record *records = at(*(CUdeviceptr *)parameters[0]);
    const int64_t *durations = at(*(CUdeviceptr *)parameters[1]);
    const stub_waits *w = strcmp(f->name, "spin_waiting") == 0 ? parameters[4] : NULL;
    bool vain = w && waits_in_vain(w, blocks);
    int64_t now = stub_gpu_now();
    for (uint64_t b = 0; b < blocks; b++) {
        records[b].start = now + (int64_t)b;
        if (vain && b >= ROOM)
            records[b].start += w->wait + w->give_up;
        records[b].end = records[b].start + (durations ? durations[b] : *(int64_t *)parameters[2]);
        if (vain)
            records[b].end = records[b].start + (b < ROOM ? w->wait + w->give_up : w->wait);
        records[b].sm = (uint32_t)(b % 2) + (uint32_t)stub_setting("STUB_SM");
        if (w)
            records[b].gave_up = vain;
    }
    if (vain)
        *(uint32_t *)at(w->gave_up) = 1;
}

#ifndef STUB_OLD
/* One attribute of a kernel; false: the driver refuses it. */
static bool attribute_is_right(const stub_function *f, const unsigned grid[3], int id,
                               const CUlaunchAttributeValue *value)
{
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    unsigned x = value->cluster.x, y = value->cluster.y, z = value->cluster.z;
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        stub_counts.clusters++;
        return x && y && z && grid[0] % x == 0 && grid[1] % y == 0 && grid[2] % z == 0 && f->newer &&
               x * y * z <= (f->large_clusters ? 16 : 8);
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        stub_counts.cooperative += value->cooperative;
        return blocks <= 64;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        stub_counts.programmatic += value->programmatic;
        return true;
    default:
        return false;
    }
}

static bool shape_is_right(const stub_function *f, const unsigned grid[3], const unsigned block[3], unsigned shared)
{
    return f && grid[0] && grid[1] && grid[2] && block[0] * block[1] * block[2] <= 1024 && block[0] && block[1] &&
           block[2] && (int)shared <= stub_max_shared;
}

CALL(cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra))
{
    MAY_FAIL;
    const stub_function *f = (const stub_function *)(void *)function;
    if (extra || !shape_is_right(f, config->grid, config->block, config->shared))
        return FAILURE;
    for (unsigned i = 0; i < config->attribute_count; i++)
        if (!attribute_is_right(f, config->grid, config->attributes[i].id, &config->attributes[i].value))
            return FAILURE;
    stub_spin(f, (uint64_t)config->grid[0] * config->grid[1] * config->grid[2], parameters);
    return CUDA_SUCCESS;
}

typedef struct stub_node {
    const stub_function *function; /* of a kernel; else NULL */
    unsigned grid[3];
    CUdeviceptr values[4];
    stub_waits waits;
    void *to;                 /* of a copy */
    const void *from;         /* NULL: a memset */
    size_t bytes;             /* of both */
    CUevent event;            /* that it records; NULL */
    size_t number;            /* in its graph */
    bool done;                /* in the launch that is being made */
    size_t after[16], afters; /* numbers of the nodes that it is after */
    struct stub_graph *graph;
} stub_node;

/* An executable graph is one of its own. */
typedef struct stub_graph {
    stub_node *nodes[256];
    size_t count;
} stub_graph;

static CUresult add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, stub_node *made)
{
    stub_graph *g = (stub_graph *)(void *)graph;
    stub_node *n = g->count < 256 && count <= 1 ? malloc(sizeof *n) : NULL;
    if (!n)
        return NO_MEMORY;
    *n = *made;
    n->number = g->count;
    n->graph = g;
    for (size_t i = 0; i < count; i++)
        n->after[n->afters++] = ((stub_node *)(void *)after[i])->number;
    g->nodes[g->count++] = n;
    *node = (CUgraphNode)(void *)n;
    return CUDA_SUCCESS;
}

static CUresult destroy_graph(stub_graph *g)
{
    for (size_t i = 0; i < g->count; i++)
        free(g->nodes[i]);
    return stub_destroy(g);
}

CALL(cuGraphCreate, (CUgraph * graph, unsigned flags))
{
    MAY_FAIL;
    *graph = stub_make(sizeof(stub_graph));
    return flags ? FAILURE : CREATED(*graph);
}

CALL(cuGraphDestroy, (CUgraph graph))
{
    return destroy_graph((stub_graph *)(void *)graph);
}

CALL(cuGraphAddKernelNode_v2,
     (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count, const CUkernelNode *kernel))
{
    MAY_FAIL;
    stub_node n = {.function = (const stub_function *)(const void *)kernel->function};
    if (kernel->extra || !shape_is_right(n.function, kernel->grid, kernel->block, kernel->shared))
        return FAILURE;
    memcpy(n.grid, kernel->grid, sizeof n.grid);
    for (int i = 0; i < 4; i++)
        n.values[i] = *(CUdeviceptr *)kernel->parameters[i];
    n.waits = *(stub_waits *)kernel->parameters[4];
    return add_node(node, graph, after, count, &n);
}

CALL(cuGraphKernelNodeSetAttribute, (CUgraphNode node, int attribute, const CUlaunchAttributeValue *value))
{
    MAY_FAIL;
    const stub_node *n = (const stub_node *)(const void *)node;
    bool in_streams = attribute == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    return in_streams || !attribute_is_right(n->function, n->grid, attribute, value) ? FAILURE : CUDA_SUCCESS;
}

CALL(cuGraphAddMemcpyNode, (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count,
                            const CUcopyNode *copy, CUcontext context))
{
    MAY_FAIL;
    const CUcopySide *from = &copy->from, *to = &copy->to;
    stub_node n = {.from = from->memory_type == CU_MEMORYTYPE_HOST ? from->host : at(from->device),
                   .to = to->memory_type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)to->host : at(to->device),
                   .bytes = copy->width};
    if (!context || !n.from || !n.to || !n.bytes || copy->height != 1 || copy->depth != 1)
        return FAILURE;
    return add_node(node, graph, after, count, &n);
}

CALL(cuGraphAddMemsetNode, (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count,
                            const CUmemsetNode *set, CUcontext context))
{
    MAY_FAIL;
    stub_node n = {.to = at(set->target), .bytes = set->width};
    if (!context || !n.to || set->element_size != 1 || set->height != 1)
        return FAILURE;
    return add_node(node, graph, after, count, &n);
}

CALL(cuGraphAddEventRecordNode,
     (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count, CUevent event))
{
    MAY_FAIL;
    return event ? add_node(node, graph, after, count, &(stub_node){.event = event}) : FAILURE;
}

static CUresult add_edge(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to)
{
    const stub_node *before = (const stub_node *)(const void *)*from;
    stub_node *n = (stub_node *)(void *)*to;
    if (before->graph != (stub_graph *)(void *)graph || n->graph != before->graph || n->afters == 16)
        return FAILURE;
    n->after[n->afters++] = before->number;
    return CUDA_SUCCESS;
}

CALL(cuGraphAddDependencies, (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count))
{
    MAY_FAIL;
    return count == 1 ? add_edge(graph, from, to) : FAILURE;
}

CALL(cuGraphAddDependencies_v2,
     (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t count))
{
    MAY_FAIL;
    if (count != 1 || data->to_port || data->type != CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC || data->from_port < 1 ||
        data->from_port > 2 || !((const stub_node *)(const void *)*from)->function)
        return FAILURE;
    stub_counts.ports++;
    return add_edge(graph, from, to);
}

CALL(cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags))
{
    MAY_FAIL;
    const stub_graph *g = (const stub_graph *)(const void *)graph;
    stub_graph *made = flags ? NULL : stub_make(sizeof *made);
    if (!made)
        return FAILURE;
    for (size_t i = 0; i < g->count; i++) {
        CUgraphNode node;
        if (add_node(&node, (CUgraph)(void *)made, NULL, 0, g->nodes[i]) != CUDA_SUCCESS) {
            destroy_graph(made);
            return NO_MEMORY;
        }
    }
    *exec = (CUgraphExec)(void *)made;
    return CUDA_SUCCESS;
}

CALL(cuGraphUpload, (CUgraphExec exec, CUstream stream))
{
    MAY_FAIL;
    stub_counts.uploads++;
    return exec && stream ? CUDA_SUCCESS : FAILURE;
}

static void run_node(stub_node *n)
{
    void *parameters[PARAMETERS] = {&n->values[0], &n->values[1], &n->values[2], &n->values[3], &n->waits};
    if (n->function)
        stub_spin(n->function, (uint64_t)n->grid[0] * n->grid[1] * n->grid[2], parameters);
    else if (n->event)
        *(int64_t *)(void *)n->event = stub_gpu_now();
    else if (n->from)
        memcpy(n->to, n->from, n->bytes);
    else
        memset(n->to, 0, n->bytes);
    stub_counts.events += n->event != NULL;
    stub_counts.nodes++;
    n->done = true;
}

/* Runs a node whose nodes before it are done; false: there is none left, or they wait in a circle. */
static bool run_next(stub_graph *g)
{
    for (size_t i = 0; i < g->count; i++) {
        bool ready = !g->nodes[i]->done;
        for (size_t k = 0; k < g->nodes[i]->afters; k++)
            ready = ready && g->nodes[g->nodes[i]->after[k]]->done;
        if (ready) {
            run_node(g->nodes[i]);
            return true;
        }
    }
    return false;
}

CALL(cuGraphLaunch, (CUgraphExec exec, CUstream stream))
{
    MAY_FAIL;
    (void)stream;
    stub_graph *g = (stub_graph *)(void *)exec;
    for (size_t i = 0; i < g->count; i++)
        g->nodes[i]->done = false;
    stub_counts.graphs++;
    while (run_next(g))
        ;
    for (size_t i = 0; i < g->count; i++)
        if (!g->nodes[i]->done)
            return FAILURE;
    return CUDA_SUCCESS;
}

CALL(cuGraphExecDestroy, (CUgraphExec exec))
{
    return destroy_graph((stub_graph *)(void *)exec);
}
#endif
