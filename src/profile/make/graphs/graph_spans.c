/* How long the nodes of a graph take. Between the end of a node and the start of the next one lies the GPU's gap, which
 * counts from the end of the last block. Times of profilers are a little wider than those of blocks, and after copies
 * and memsets the next node starts much later. So a node takes as long as until its successor started, less the gap: at
 * most by JITTER_NS longer than recorded, if it is a kernel, whose blocks hold SMs. */
#include <stdlib.h>

#include "base/minmax.h"
#include "model/gpu/event_gap.h"
#include "profile/make/graphs/graph_launches.h"

#define JITTER_NS 2000
#define SMALL_MEMSET 4096 /* bytes; larger ones run on SMs */

/* What the gap behind a node depends on (docs/model.md, Graphs). */
typedef struct span_node {
    uint32_t part;   /* that it belongs to */
    bool has_edges;  /* it is no root */
    bool is_between; /* it is a copy between host and device */
    bool is_outside; /* it is one, or a small memset */
    bool is_far;     /* it is after nodes of several parts, or one of the two is such a copy */
    uint32_t full;   /* edges that lead to nodes that are not far */
    uint32_t seen;   /* how many of these were looked at */
    int64_t end_ns;  /* when others could start, less the gap; INT64_MAX: none waits for it */
} span_node;

static bool is_between(const prof_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D;
}

static const gcast_gpu *recorded_gpu(const making *m)
{
    return m->o->recorded_on ? m->o->recorded_on : m->o->gpu;
}

static bool is_outside(const prof_op *op)
{
    return is_between(op) || (op->kind == GCAST_KIND_MEMSET && op->bytes <= SMALL_MEMSET);
}

static void set_parts(const making *m, span_node *nodes, uint32_t first, uint32_t count, const made_after *edges,
                      size_t edge_count)
{
    size_t e = 0;
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        span_node *x = &nodes[i];
        x->is_between = is_between(trace_op(m, first + i));
        x->is_far = x->is_between;
        bool begins = x->is_outside = is_outside(trace_op(m, first + i));
        x->end_ns = INT64_MAX;
        for (; e < edge_count && edges[e].op == first + i; e++) {
            const span_node *y = &nodes[edges[e].before - first];
            begins = begins || y->is_outside;
            x->is_far = x->is_far || (x->has_edges && x->part != y->part) || y->is_between;
            x->part = x->has_edges && x->part < y->part ? x->part : y->part;
            x->has_edges = true;
        }
        if (begins || !x->has_edges)
            x->part = parts++;
    }
    for (e = 0; e < edge_count; e++)
        nodes[edges[e].before - first].full += edges[e].port == GCAST_PORT_FULL && !nodes[edges[e].op - first].is_far;
}

/* From the end of a node until one that is after it may start. */
static int64_t gap_of(const gcast_gpu *gpu, span_node *before, const span_node *node)
{
    int64_t gap_ns = gpu->graph_gap_ns ? gpu->graph_gap_ns : gpu->stream_gap_ns;
    if (node->is_far && gpu->graph_copy_gap_ns && before->is_between != node->is_between)
        return gpu->graph_copy_gap_ns;
    if (node->is_far)
        return event_gap_of(gpu);
    uint32_t i = before->seen++;
    if (gpu->graph_wide && before->full >= (uint32_t)gpu->graph_wide)
        return gap_ns + gpu->graph_wide_ns + (before->full - 1 - i) * gpu->graph_wide_step_ns;
    return gap_ns + i * gpu->graph_step_ns;
}

/* Each node started after what it is after: the last of these to end let it. */
static void set_ends(const making *m, span_node *nodes, uint32_t first, const made_after *edges, size_t edge_count)
{
    for (size_t e = 0, end; e < edge_count; e = end) {
        uint32_t last = PROF_NONE;
        int64_t last_gap_ns = 0;
        for (end = e; end < edge_count && edges[end].op == edges[e].op; end++) {
            uint32_t before = edges[end].before;
            if (edges[end].port != GCAST_PORT_FULL)
                continue;
            int64_t gap_ns = gap_of(recorded_gpu(m), &nodes[before - first], &nodes[edges[e].op - first]);
            if (last != PROF_NONE && trace_op(m, before)->end_ns <= trace_op(m, last)->end_ns)
                continue;
            last = before;
            last_gap_ns = gap_ns;
        }
        if (last == PROF_NONE)
            continue;
        span_node *y = &nodes[last - first];
        y->end_ns = min_i64(y->end_ns, trace_op(m, edges[e].op)->start_ns - last_gap_ns);
    }
}

bool graph_spans(graph_launches *g, uint32_t first_op, uint32_t count, size_t first_after, size_t after_count)
{
    making *m = g->m;
    const made_after *edges = after_count ? &m->afters.at[first_after] : NULL;
    span_node *nodes = calloc((size_t)count + 1, sizeof *nodes);
    if (!nodes)
        return false;
    set_parts(m, nodes, first_op, count, edges, after_count);
    set_ends(m, nodes, first_op, edges, after_count);
    for (uint32_t i = 0; i < count; i++) {
        made_op *x = &m->ops.at[first_op + i];
        const prof_op *op = trace_op(m, first_op + i);
        int64_t later_ns = nodes[i].end_ns == INT64_MAX ? 0 : nodes[i].end_ns - op->end_ns;
        bool is_late = later_ns > JITTER_NS;
        if (op->kind == GCAST_KIND_KERNEL && is_late) {
            g->late_name = g->late_name ? g->late_name : op->name;
            g->late++;
            continue;
        }
        g->held += is_late;
        g->held_long += later_ns > EVENT_NS;
        x->span_ns = max_i64(x->span_ns + later_ns, 1);
    }
    free(nodes);
    return true;
}
