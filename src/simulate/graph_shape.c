/* Graphs of a workload: parts and chains of nodes, and delays of edges. O(1) for each edge. */
#include "simulate/graph_shape.h"

#include <stdlib.h>

#include "base/integers.h"
#include "model/gpu.h"

/* A memset of more bytes is a kernel of the driver. */
#define SMALL_MEMSET 4096

/* a × b, or GRAPH_MAX_NS where that is less. */
static int64_t times(int64_t a, uint64_t b)
{
    int64_t product;
    bool overflow = b > INT64_MAX || __builtin_mul_overflow(a, (int64_t)b, &product);
    return overflow || product > GRAPH_MAX_NS ? GRAPH_MAX_NS : product;
}

static int64_t plus(int64_t a, int64_t b)
{
    return a > GRAPH_MAX_NS - b ? GRAPH_MAX_NS : a + b;
}

/* Is dependency k of op i a node of the same launch? */
static bool is_inside(const gcast_workload *w, size_t i, size_t k)
{
    return w->ops[i].graph != GCAST_NO_GRAPH && w->ops[w->ops[i].after[k]].graph == w->ops[i].graph;
}

/* Is this node a copy between host and device? */
static bool is_between(const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D;
}

static int64_t gap_of(const gcast_gpu *gpu)
{
    return gpu->graph_gap_ns ? gpu->graph_gap_ns : gpu->stream_gap_ns;
}

/* Sets the place of each node in its launch, and the number of nodes. */
static void set_places(graph_shape *shape, const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++) {
        graph_node *x = &shape->nodes[i];
        if (w->ops[i].graph == GCAST_NO_GRAPH)
            continue;
        x->is_node = true;
        x->place = i && w->ops[i - 1].graph == w->ops[i].graph ? shape->nodes[i - 1].place + 1 : 0;
        shape->nodes[i - x->place].count++;
    }
}

/* Sets the part of op i, whether it is far, and the number of its edges. Edges come from earlier nodes. */
static void set_part(graph_shape *shape, const gcast_workload *w, size_t i)
{
    const gcast_op *op = &w->ops[i];
    graph_node *x = &shape->nodes[i];
    x->is_far = is_between(op);
    for (size_t k = 0; k < op->after_count; k++) {
        if (!is_inside(w, i, k))
            continue;
        graph_node *y = &shape->nodes[op->after[k]];
        x->is_far = x->is_far || (x->after && y->part != x->part) || is_between(&w->ops[op->after[k]]);
        x->part = x->after && x->part < y->part ? x->part : y->part;
        x->after++;
        y->edge_count++;
    }
}

/* Numbers the parts and roots of each launch. */
static void set_parts(graph_shape *shape, const gcast_workload *w)
{
    uint32_t roots = 0, parts = 0;
    for (size_t i = 0; i < w->op_count; i++) {
        graph_node *x = &shape->nodes[i];
        if (!x->is_node)
            continue;
        if (!x->place)
            roots = parts = 0;
        set_part(shape, w, i);
        if (x->is_root)
            x->root = roots++;
        if (!x->is_inner)
            x->part = parts++;
    }
}

/* Adds the edges to op i; filled[]: how many edges of each node are there. */
static void add_edges(graph_shape *shape, const gcast_workload *w, size_t i, uint32_t *filled)
{
    const gcast_op *op = &w->ops[i];
    for (size_t k = 0; k < op->after_count; k++) {
        if (!is_inside(w, i, k))
            continue;
        size_t from = op->after[k];
        graph_node *y = &shape->nodes[from];
        gcast_port port = graph_shape_port(shape, i, k);
        shape->edges[y->first_edge + filled[from]++] = (graph_edge){.to = (uint32_t)i, .port = port};
        y->full_count += port == GCAST_PORT_FULL && !shape->nodes[i].is_far;
    }
}

/* The delay of an edge of y; i: its index among the edges of y with this port. */
static int64_t delay_of(const gcast_gpu *gpu, const graph_node *y, gcast_port port, uint32_t i)
{
    int64_t gap = gap_of(gpu);
    if (port == GCAST_PORT_LAUNCH_COMPLETION && gpu->graph_start_gap_ns)
        gap = gpu->graph_start_gap_ns;
    if (port == GCAST_PORT_PROGRAMMATIC && gpu->graph_trigger_gap_ns)
        gap = gpu->graph_trigger_gap_ns;
    if (port != GCAST_PORT_FULL || !gpu->graph_wide || y->full_count < (uint32_t)gpu->graph_wide)
        return plus(gap, times(gpu->graph_step_ns, i));
    return plus(plus(gap, gpu->graph_wide_ns), times(gpu->graph_wide_step_ns, y->full_count - 1 - i));
}

/* The delay of an edge from y to x, which is far. */
static int64_t far_delay(const gcast_gpu *gpu, const gcast_op *y, const gcast_op *x)
{
    bool one = is_between(y) != is_between(x);
    return one && gpu->graph_copy_gap_ns ? gpu->graph_copy_gap_ns : event_gap_of(gpu);
}

static void set_delays(graph_shape *shape, const gcast_workload *w, const gcast_gpu *gpu)
{
    for (size_t i = 0; i < w->op_count; i++) {
        const graph_node *y = &shape->nodes[i];
        uint32_t seen[GCAST_PORTS] = {0};
        for (uint32_t e = y->first_edge; e < y->first_edge + y->edge_count; e++) {
            graph_edge *edge = &shape->edges[e];
            edge->delay_ns = shape->nodes[edge->to].is_far ? far_delay(gpu, &w->ops[i], &w->ops[edge->to])
                                                           : delay_of(gpu, y, edge->port, seen[edge->port]++);
        }
    }
}

/* The driver puts the nodes of a launch into its queues as if they were in streams: a chain of nodes is such a stream.
 * An inner node is started by its dependencies and is in no queue. Seen on an H200 (docs/model.md, Graphs;
 * docs/rules.md, CUDA graphs). */

/* Does the node run outside the SMs? */
static bool is_outside(const gcast_op *op)
{
    return is_between(op) || (op->kind == GCAST_KIND_MEMSET && op->bytes <= SMALL_MEMSET);
}

/* Sets whether the node is a root, and whether it is inner. If so, only inner nodes continue the chains of its
 * dependencies. */
static void set_inner(graph_node *nodes, const gcast_workload *w, size_t i)
{
    const gcast_op *op = &w->ops[i];
    nodes[i].is_root = true;
    nodes[i].is_inner = !is_outside(op);
    for (size_t k = 0; k < op->after_count; k++)
        if (is_inside(w, i, k)) {
            nodes[i].is_root = false;
            nodes[i].is_inner = nodes[i].is_inner && !is_outside(&w->ops[op->after[k]]);
        }
    nodes[i].is_inner = nodes[i].is_inner && !nodes[i].is_root;
    for (size_t k = 0; k < op->after_count && nodes[i].is_inner; k++)
        if (is_inside(w, i, k))
            nodes[op->after[k]].before_inner = true;
}

/* The node whose chain op i continues; NULL: it begins one. */
static graph_node *continued(graph_node *nodes, const gcast_workload *w, size_t i)
{
    const gcast_op *op = &w->ops[i];
    graph_node *found = NULL;
    for (size_t k = 0; k < op->after_count; k++) {
        graph_node *y = &nodes[op->after[k]];
        bool may = is_inside(w, i, k) && !y->is_continued && (nodes[i].is_inner || !y->before_inner);
        if (may && (!found || y < found))
            found = y;
    }
    return found;
}

/* How many ops before op i the op *last is, which counts from 1; 0: there is none. Sets *last to op i. */
static uint32_t behind(size_t i, size_t *last)
{
    uint32_t found = *last ? (uint32_t)(i + 1 - *last) : 0;
    *last = i + 1;
    return found;
}

/* Adds op i to a chain. */
static void add_to_chain(graph_node *nodes, const gcast_workload *w, const gcast_gpu *gpu, size_t i)
{
    const gcast_op *op = &w->ops[i];
    graph_node *x = &nodes[i], *y = continued(nodes, w, i);
    x->in_first = y ? y->in_first : !x->place;
    x->last_join = y ? y->last_join : 0;
    for (int e = 0; e < COPY_ENGINES && y; e++)
        x->last_copy[e] = y->last_copy[e];
    x->joins = !x->is_inner && !is_between(op);
    if (x->joins)
        x->joins_behind = behind(i, &x->last_join);
    if (op->kind != GCAST_KIND_KERNEL)
        x->copies_behind = behind(i, &x->last_copy[copy_engine_of(gpu, op)]);
    if (y)
        y->is_continued = true;
}

/* Sets is_root, is_inner, in_first, joins, joins_behind and copies_behind of all nodes. Their places are set. */
static void graph_chains_set(graph_node *nodes, const gcast_workload *w, const gcast_gpu *gpu)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (nodes[i].is_node)
            set_inner(nodes, w, i);
    for (size_t i = 0; i < w->op_count; i++)
        if (nodes[i].is_node)
            add_to_chain(nodes, w, gpu, i);
}

bool graph_shape_init(graph_shape *shape, const gcast_workload *w, const gcast_gpu *gpu)
{
    uint32_t edges = 0;
    size_t all = 0;
    *shape = (graph_shape){0};
    if (!w->graph_count)
        return true;
    for (size_t i = 0; i < w->op_count; i++)
        all += w->ops[i].after_count;
    if (all >= UINT32_MAX)
        return false;
    uint32_t *filled = calloc(w->op_count + 1, sizeof *filled);
    shape->nodes = calloc(w->op_count + 1, sizeof *shape->nodes);
    if (filled && shape->nodes && graph_ports_init(&shape->ports, w)) {
        set_places(shape, w);
        graph_chains_set(shape->nodes, w, gpu);
        set_parts(shape, w);
        for (size_t i = 0; i < w->op_count; i++) {
            shape->nodes[i].first_edge = edges;
            edges += shape->nodes[i].edge_count;
        }
        shape->edges = calloc((size_t)edges + 1, sizeof *shape->edges);
    }
    if (shape->edges) {
        for (size_t i = 0; i < w->op_count; i++)
            add_edges(shape, w, i, filled);
        set_delays(shape, w, gpu);
    }
    free(filled);
    return shape->edges != NULL;
}

void graph_shape_free(graph_shape *shape)
{
    free(shape->nodes);
    free(shape->edges);
    graph_ports_free(&shape->ports);
    *shape = (graph_shape){0};
}

gcast_port graph_shape_port(const graph_shape *shape, size_t op, size_t k)
{
    return shape->nodes[op].is_far ? GCAST_PORT_FULL : graph_ports_of(&shape->ports, op, k);
}

int64_t graph_latency_ns(const graph_shape *shape, const gcast_gpu *gpu, size_t op)
{
    const graph_node *x = &shape->nodes[op];
    int64_t latency = gpu->graph_latency_ns ? gpu->graph_latency_ns : gpu->launch_latency_ns;
    latency = plus(latency, times(gpu->graph_node_ns, shape->nodes[op - x->place].count));
    return plus(latency, times(gpu->graph_root_ns, x->root));
}
