/* Where diverged paths join before Volta: the immediate post-dominator of each
 * branch, by the algorithm of Cooper, Harvey and Kennedy on the reversed graph.
 * Lanes that exit are taken off all masks, so where paths meet nowhere else,
 * those that exit before the kernel's end do not count. */
#include <stdlib.h>
#include <string.h>

#include "simt/decode/decode.h"
#include "simt/decode/flow.h"

/* Nodes are ops from 0, and `count` the end of the function. */
typedef struct graph {
    const op *ops;
    uint32_t first, count;
    uint32_t last;            /* the only exit that counts; NO_PC: all do */
    uint32_t *start, *pred;   /* predecessors of node n: pred[start[n] .. start[n + 1]) */
    uint32_t *order, *number; /* reverse postorder from the end; its inverse; count + 1: not reached */
    uint32_t *dom;
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

/* Depth first from the end along predecessors; `at` and `stack` are scratch. */
static void number_nodes(graph *g, uint32_t *at, uint32_t *stack)
{
    uint32_t depth = 0, place = g->count + 1;
    for (uint32_t n = 0; n <= g->count; n++) {
        at[n] = g->start[n];
        g->number[n] = NO_PC;
    }
    stack[depth++] = g->count;
    g->number[g->count] = 0; /* seen */
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

static uint32_t join_of(const graph *g, uint32_t n)
{
    return g->dom[n] == NO_PC || g->dom[n] == g->count ? NO_PC : g->first + g->dom[n];
}

/* Where a kernel's text ends. What is added there counts only if something leads to it: else the last exit before. */
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

gcast_status find_joins(op *ops, uint32_t first, uint32_t count, gcast_error *err)
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
        ops[first + n].join = join_of(&g, n);
    g.last = last_exit(&g);
    solve(&g, at, stack);
    for (uint32_t n = 0; n < count; n++)
        if (ops[first + n].join == NO_PC)
            ops[first + n].join = join_of(&g, n);
    free(memory);
    return GCAST_OK;
}
