/* The driver puts nodes of a launch into its queues as if they were in streams: a chain of nodes is such a stream. What
 * runs on the SMs behind nodes that do so too is started by the nodes before it and is in no queue. Seen on an H200
 * (docs/rules.md, CUDA graphs). O(1) for each edge. */
#include "simulate/rules/graph_chains.h"

bool graph_is_inside(const gcast_workload *w, size_t i, size_t k)
{
    return w->ops[i].graph != GCAST_NO_GRAPH && w->ops[w->ops[i].after[k]].graph == w->ops[i].graph;
}

bool graph_is_between(const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D;
}

/* Is the node on none of the SMs? */
static bool is_outside(const gcast_op *op)
{
    return graph_is_between(op) || (op->kind == GCAST_KIND_MEMSET && op->bytes <= GRAPH_SMALL_MEMSET);
}

/* Is the node inner? If so, those that it is after are continued by inner nodes only. */
static void set_inner(graph_node *nodes, const gcast_workload *w, size_t i)
{
    const gcast_op *op = &w->ops[i];
    nodes[i].is_root = true;
    nodes[i].is_inner = !is_outside(op);
    for (size_t k = 0; k < op->after_count; k++)
        if (graph_is_inside(w, i, k)) {
            nodes[i].is_root = false;
            nodes[i].is_inner = nodes[i].is_inner && !is_outside(&w->ops[op->after[k]]);
        }
    nodes[i].is_inner = nodes[i].is_inner && !nodes[i].is_root;
    for (size_t k = 0; k < op->after_count && nodes[i].is_inner; k++)
        if (graph_is_inside(w, i, k))
            nodes[op->after[k]].before_inner = true;
}

/* The node whose chain op i continues; NULL: it begins one. */
static graph_node *continued(graph_node *nodes, const gcast_workload *w, size_t i)
{
    const gcast_op *op = &w->ops[i];
    graph_node *found = NULL;
    for (size_t k = 0; k < op->after_count; k++) {
        graph_node *y = &nodes[op->after[k]];
        bool may = graph_is_inside(w, i, k) && !y->is_continued && (nodes[i].is_inner || !y->before_inner);
        if (may && (!found || y < found))
            found = y;
    }
    return found;
}

/* How many ops before op i the op `last` is, which counts from 1; 0: there is none. *last is then op i. */
static uint32_t behind(size_t i, size_t *last)
{
    uint32_t found = *last ? (uint32_t)(i + 1 - *last) : 0;
    *last = i + 1;
    return found;
}

/* Op i takes its place in a chain. */
static void add_to_chain(graph_node *nodes, const gcast_workload *w, const gcast_gpu *gpu, size_t i)
{
    const gcast_op *op = &w->ops[i];
    graph_node *x = &nodes[i], *y = continued(nodes, w, i);
    x->in_first = y ? y->in_first : !x->place;
    x->last_join = y ? y->last_join : 0;
    for (int e = 0; e < COPY_ENGINES && y; e++)
        x->last_copy[e] = y->last_copy[e];
    x->joins = !x->is_inner && !graph_is_between(op);
    if (x->joins)
        x->joins_behind = behind(i, &x->last_join);
    if (op->kind != GCAST_KIND_KERNEL)
        x->copies_behind = behind(i, &x->last_copy[copy_engine_of(gpu, op)]);
    if (y)
        y->is_continued = true;
}

void graph_chains_set(graph_node *nodes, const gcast_workload *w, const gcast_gpu *gpu)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (nodes[i].is_node)
            set_inner(nodes, w, i);
    for (size_t i = 0; i < w->op_count; i++)
        if (nodes[i].is_node)
            add_to_chain(nodes, w, gpu, i);
}
