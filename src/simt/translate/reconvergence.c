/* Where diverged paths reconverge before Volta: the immediate post-dominator of
 * each branch, by the algorithm of Cooper, Harvey and Kennedy on the reversed
 * graph. Lanes that exit leave all masks, so where paths meet nowhere else,
 * exits before the end of the kernel do not count. */
#include "simt/translate/reconvergence.h"

#include <stdlib.h>
#include <string.h>

#include "simt/program/flow.h"

/* Nodes are the ops of the function from 0; node `count` is its end. */
typedef struct graph {
    const op *ops;            /* of the function */
    uint32_t first, count;    /* the ops of the function in the program */
    uint32_t last;            /* the only exit that leads to the end; NO_PC: all do */
    uint32_t *start, *pred;   /* predecessors of node n: pred[start[n]] to pred[start[n + 1] - 1] */
    uint32_t *order, *number; /* nodes in reverse postorder from the end; by node: its position there, or NO_PC if it is
                                 not reached */
    uint32_t *dom;            /* by node: its immediate post-dominator */
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

static void find_predecessors(graph *g)
{
    for (uint32_t n = 0; n < g->count; n++)
        for (uint32_t k = 0, s; (s = successor(g, n, k)) != NO_PC; k++)
            g->start[s + 1]++;
    for (uint32_t n = 0; n <= g->count; n++)
        g->start[n + 1] += g->start[n];
}

static void fill_predecessors(graph *g, uint32_t *at)
{
    for (uint32_t n = 0; n <= g->count; n++)
        at[n] = g->start[n];
    for (uint32_t n = 0; n < g->count; n++)
        for (uint32_t k = 0, s; (s = successor(g, n, k)) != NO_PC; k++)
            g->pred[at[s]++] = n;
}

/* Searches depth first from the end along predecessors. `at` and `stack` are scratch memory. */
static void number_nodes(graph *g, uint32_t *at, uint32_t *stack)
{
    uint32_t depth = 0, place = g->count + 1;
    for (uint32_t n = 0; n <= g->count; n++) {
        at[n] = g->start[n];
        g->number[n] = NO_PC;
    }
    stack[depth++] = g->count;
    g->number[g->count] = 0; /* visited */
    while (depth) {
        uint32_t n = stack[depth - 1];
        if (at[n] < g->start[n + 1]) {
            uint32_t next = g->pred[at[n]++];
            if (g->number[next] == NO_PC) {
                g->number[next] = 0;
                stack[depth++] = next;
            }
        } else {
            g->order[--place] = n;
            depth--;
        }
    }
    for (uint32_t i = place; i <= g->count; i++)
        g->number[g->order[i]] = i - place;
    for (uint32_t i = 0; i + place <= g->count; i++)
        g->order[i] = g->order[i + place];
    for (uint32_t i = g->count + 1 - place; i <= g->count; i++)
        g->order[i] = NO_PC;
}

static uint32_t intersect(const graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->number[a] > g->number[b])
            a = g->dom[a];
        while (g->number[b] > g->number[a])
            b = g->dom[b];
    }
    return a;
}

static void find_dominators(graph *g)
{
    for (uint32_t n = 0; n <= g->count; n++)
        g->dom[n] = NO_PC;
    g->dom[g->count] = g->count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i <= g->count && g->order[i] != NO_PC; i++) {
            uint32_t n = g->order[i], found = NO_PC;
            for (uint32_t k = 0, s; (s = successor(g, n, k)) != NO_PC; k++)
                if (g->dom[s] != NO_PC)
                    found = found == NO_PC ? s : intersect(g, found, s);
            if (found != g->dom[n]) {
                g->dom[n] = found;
                changed = true;
            }
        }
    }
}

static void solve(graph *g, uint32_t *at, uint32_t *stack)
{
    memset(g->start, 0, ((size_t)g->count + 2) * sizeof *g->start);
    find_predecessors(g);
    fill_predecessors(g, at);
    number_nodes(g, at, stack);
    find_dominators(g);
}

static uint32_t reconvergence_of(const graph *g, uint32_t n)
{
    return g->dom[n] == NO_PC || g->dom[n] == g->count ? NO_PC : g->first + g->dom[n];
}

/* The last exit of a kernel. The one that the decoder adds at the end counts only if something leads to it. */
static uint32_t last_exit(const graph *g)
{
    uint32_t n = g->count - 1;
    if (g->ops[n].kind == OP_RETURN || g->start[n] != g->start[n + 1])
        return n;
    do
        n -= n != 0;
    while (n && (g->ops[n].kind != OP_EXIT || flow_is_guarded(&g->ops[n])));
    return n;
}

gcast_status find_reconvergence(op *ops, uint32_t first, uint32_t count, gcast_error *err)
{
    graph g = {.ops = ops + first, .first = first, .count = count, .last = NO_PC};
    size_t edges = 0;
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; successor(&g, n, k) != NO_PC; k++)
            edges++;
    size_t nodes = (size_t)count + 2;
    uint32_t *memory = calloc(6 * nodes + edges + 1, sizeof *memory);
    if (!memory)
        return gcast_error_set_memory(err);
    g.start = memory;
    g.order = memory + nodes;
    g.number = memory + 2 * nodes;
    g.dom = memory + 3 * nodes;
    uint32_t *at = memory + 4 * nodes, *stack = memory + 5 * nodes;
    g.pred = memory + 6 * nodes;
    solve(&g, at, stack);
    for (uint32_t n = 0; n < count; n++)
        ops[first + n].reconverge = reconvergence_of(&g, n);
    g.last = last_exit(&g);
    solve(&g, at, stack);
    for (uint32_t n = 0; n < count; n++)
        if (ops[first + n].reconverge == NO_PC)
            ops[first + n].reconverge = reconvergence_of(&g, n);
    free(memory);
    return GCAST_OK;
}
