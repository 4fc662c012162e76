#include "simulate/rules/graph_shape.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "model/gpu/event_gap.h"
#include "simulate/rules/graph_chains.h"

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

static int64_t gap_of(const gcast_gpu *gpu)
{
    return gpu->graph_gap_ns ? gpu->graph_gap_ns : gpu->stream_gap_ns;
}

/* The place of each node in its launch, and how many there are. */
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

/* What edges that lead to op i, of earlier nodes, say about it. */
static void set_part(graph_shape *shape, const gcast_workload *w, size_t i)
{
    const gcast_op *op = &w->ops[i];
    graph_node *x = &shape->nodes[i];
    x->is_far = graph_is_between(op);
    for (size_t k = 0; k < op->after_count; k++) {
        if (!graph_is_inside(w, i, k))
            continue;
        graph_node *y = &shape->nodes[op->after[k]];
        x->is_far = x->is_far || (x->after && y->part != x->part) || graph_is_between(&w->ops[op->after[k]]);
        x->part = x->after && x->part < y->part ? x->part : y->part;
        x->after++;
        y->edge_count++;
    }
}

/* Parts of each launch. */
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

/* Adds the edges that lead to op i. */
static void add_edges(graph_shape *shape, const gcast_workload *w, size_t i, uint32_t *filled)
{
    const gcast_op *op = &w->ops[i];
    for (size_t k = 0; k < op->after_count; k++) {
        if (!graph_is_inside(w, i, k))
            continue;
        size_t from = op->after[k];
        graph_node *y = &shape->nodes[from];
        gcast_port port = graph_shape_port(shape, i, k);
        shape->edges[y->first_edge + filled[from]++] = (graph_edge){.to = (uint32_t)i, .port = port};
        y->full_count += port == GCAST_PORT_FULL && !shape->nodes[i].is_far;
    }
}

/* How long after what an edge of y waits for it is seen. `i`: its number among those of its kind. */
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

/* The same for an edge that leads to a far node. */
static int64_t far_delay(const gcast_gpu *gpu, const gcast_op *y, const gcast_op *x)
{
    bool one = graph_is_between(y) != graph_is_between(x);
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
