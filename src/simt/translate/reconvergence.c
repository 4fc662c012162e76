/* Where diverged paths reconverge before Volta: the immediate post-dominator of
 * each branch. Lanes that exit leave all masks, so where paths meet nowhere else,
 * exits before the end of the kernel do not count. */
#include "simt/translate/reconvergence.h"

#include <stdlib.h>

#include "base/postdominators.h"
#include "simt/program/flow.h"

/* Nodes are the ops of the function from 0; node `count` is its end. */
typedef struct graph {
    const op *ops;         /* of the function */
    uint32_t first, count; /* the ops of the function in the program */
    uint32_t last;         /* the only exit that leads to the end; NO_PC: all do */
    uint32_t *start, *to;  /* successors of node n: to[start[n]] to to[start[n + 1] - 1] */
    uint32_t *dom;         /* by node: its immediate post-dominator */
} graph;

/* The k-th successor of a node; NO_PC after the last. */
static uint32_t successor(const graph *g, uint32_t n, uint32_t k)
{
    const op *o = &g->ops[n];
    bool counts = flow_ends(o) && (g->last == NO_PC || n == g->last || o->kind == OP_RETURN);
    if (counts && k == 0)
        return g->count;
    uint32_t next = flow_next(g->ops - g->first, n + g->first, k - counts);
    return next == NO_PC ? NO_PC : next - g->first;
}

static bool solve(graph *g)
{
    uint32_t edges = 0;
    for (uint32_t n = 0; n < g->count; n++) {
        g->start[n] = edges;
        for (uint32_t k = 0, s; (s = successor(g, n, k)) != NO_PC; k++)
            g->to[edges++] = s;
    }
    g->start[g->count] = g->start[g->count + 1] = edges;
    return postdominators_find(g->count + 1, g->start, g->to, g->count, g->dom);
}

static uint32_t reconvergence_of(const graph *g, uint32_t n)
{
    return g->dom[n] == NO_PC || g->dom[n] == g->count ? NO_PC : g->first + g->dom[n];
}

/* Does another op lead to this one? */
static bool is_reached(const graph *g, uint32_t n)
{
    for (uint32_t e = 0; e < g->start[g->count]; e++)
        if (g->to[e] == n)
            return true;
    return false;
}

/* The last exit of a kernel. The one that the decoder adds at the end counts only if something leads to it. */
static uint32_t last_exit(const graph *g)
{
    uint32_t n = g->count - 1;
    if (g->ops[n].kind == OP_RETURN || is_reached(g, n))
        return n;
    do
        n -= n != 0;
    while (n && (g->ops[n].kind != OP_EXIT || flow_is_guarded(&g->ops[n])));
    return n;
}

gcast_status find_reconvergence(op *ops, uint32_t first, uint32_t count, gcast_error *err)
{
    graph g = {.ops = ops + first, .first = first, .count = count, .last = NO_PC};
    size_t edges = 0, nodes = (size_t)count + 2;
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; successor(&g, n, k) != NO_PC; k++)
            edges++;
    uint32_t *memory = calloc(2 * nodes + edges, sizeof *memory);
    if (!memory)
        return gcast_error_set_memory(err);
    g.start = memory;
    g.dom = memory + nodes;
    g.to = memory + 2 * nodes;
    bool ok = solve(&g);
    for (uint32_t n = 0; n < count && ok; n++)
        ops[first + n].reconverge = reconvergence_of(&g, n);
    if (ok) {
        g.last = last_exit(&g);
        ok = solve(&g);
    }
    for (uint32_t n = 0; n < count && ok; n++)
        if (ops[first + n].reconverge == NO_PC)
            ops[first + n].reconverge = reconvergence_of(&g, n);
    free(memory);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}
