#include "profile/nodes/trace_nodes.h"

#include <stdlib.h>

#define MAX_CLONES 64 /* an executable graph is a clone of a graph, which may be one of another */

static int by_two(int64_t a1, int64_t b1, int64_t a2, int64_t b2)
{
    return a1 != b1 ? (a1 < b1 ? -1 : 1) : a2 != b2 ? (a2 < b2 ? -1 : 1) : 0;
}

static int by_number(const void *a, const void *b)
{
    const prof_node *x = a, *y = b;
    return by_two(x->pid, y->pid, x->number, y->number);
}

/* Of a node that is told twice, the one that says what it is a clone of comes first. */
static int by_number_and_origin(const void *a, const void *b)
{
    const prof_node *x = a, *y = b;
    int order = by_number(a, b);
    return order ? order : (x->origin < y->origin) - (x->origin > y->origin);
}

static int by_node(const void *a, const void *b)
{
    const prof_edge *x = a, *y = b;
    return by_two(x->pid, y->pid, x->node, y->node);
}

static int by_edge(const void *a, const void *b)
{
    const prof_edge *x = a, *y = b;
    int order = by_node(a, b);
    return order ? order : by_two(x->before, y->before, y->port, x->port); /* a port that is told first */
}

static const prof_node *find(const prof_node *nodes, size_t count, int64_t pid, int64_t number)
{
    const prof_node key = {.pid = pid, .number = number};
    return count ? bsearch(&key, nodes, count, sizeof key, by_number) : NULL;
}

const prof_node *graph_node_find(const prof_trace *t, int64_t pid, int64_t number)
{
    return find(t->nodes, t->node_count, pid, number);
}

/* The node that the program made, behind all clones. */
static int64_t origin_of(const owned_trace *o, int64_t pid, int64_t number)
{
    for (int i = 0; i < MAX_CLONES; i++) {
        const prof_node *n = find(o->nodes.at, o->nodes.count, pid, number);
        if (!n || !n->origin)
            break;
        number = n->origin;
    }
    return number;
}

static void keep_each_node_once(owned_trace *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->nodes.count; i++)
        if (!kept || by_number(&o->nodes.at[kept - 1], &o->nodes.at[i]) != 0)
            o->nodes.at[kept++] = o->nodes.at[i];
    o->nodes.count = kept;
}

static void lead_edges(owned_trace *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->edges.count; i++) {
        prof_edge *e = &o->edges.at[i];
        e->before = origin_of(o, e->pid, e->before);
        e->node = origin_of(o, e->pid, e->node);
    }
    if (o->edges.count)
        qsort(o->edges.at, o->edges.count, sizeof *o->edges.at, by_edge);
    for (size_t i = 0; i < o->edges.count; i++) {
        prof_edge e = o->edges.at[i], *last = kept ? &o->edges.at[kept - 1] : NULL;
        if (!last || by_node(last, &e) != 0 || last->before != e.before)
            o->edges.at[kept++] = e;
    }
    o->edges.count = kept;
}

void trace_nodes_finish(owned_trace *o)
{
    if (o->nodes.count)
        qsort(o->nodes.at, o->nodes.count, sizeof *o->nodes.at, by_number_and_origin);
    keep_each_node_once(o);
    lead_edges(o);
    for (size_t i = 0; i < o->ops.count; i++) {
        prof_op *op = &o->ops.at[i];
        int64_t pid = o->streams.at[op->stream].pid;
        bool is_told = op->node != PROF_UNKNOWN && find(o->nodes.at, o->nodes.count, pid, op->node);
        op->origin = is_told ? origin_of(o, pid, op->node) : PROF_UNKNOWN;
    }
}

const prof_edge *graph_edges_to(const prof_trace *t, int64_t pid, int64_t node, size_t *count)
{
    const prof_edge key = {.pid = pid, .node = node};
    size_t low = 0, high = t->edge_count, end;
    while (low < high) { /* the first that is not below the key */
        size_t middle = low + (high - low) / 2;
        if (by_node(&t->edges[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < t->edge_count && by_node(&t->edges[end], &key) == 0; end++)
        ;
    *count = end - low;
    return *count ? &t->edges[low] : NULL;
}
