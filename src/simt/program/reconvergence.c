/* Where diverged lanes meet again: ranks of ops since Volta, and post-dominators before. */
#include "simt/program/reconvergence.h"

#include <stdlib.h>

#include "base/postdominators.h"
#include "ptx/instruction.h"
#include "simt/program/op.h"

/* Since Volta ranks decide in which order groups of lanes run, so that they reconverge where ptxas makes them. Every op
 * ranks after its predecessors; all ops of a loop rank before the ops behind it; the head of a loop ranks after its
 * body, because lanes at the head have finished an iteration. So paths reconverge at the immediate post-dominator of
 * their branch or earlier, and in a loop at the end of an iteration at the latest. Loops are found as by Wei, Mao, Zou
 * and Chen (A New Algorithm for Identifying Loops in Decompilation, 2007), which also finds loops with several
 * entries. */

typedef struct node {
    uint32_t head;    /* head of the innermost loop around it; NO_PC: none. A head is not in its own loop */
    uint32_t on_path; /* its position on the path of the search, from 1; 0: not on the path */
    uint32_t at;      /* index of its next successor; later the rank of the next node in its loop */
    uint32_t size;    /* of a head: number of nodes of its loop; otherwise 1 */
    bool visited;     /* by the search */
} node;

typedef struct search {
    const op *ops;            /* of the program */
    uint32_t first, count;    /* the ops of the function */
    node *node;               /* by op of the function */
    uint32_t *path;           /* nodes from the start to the current node */
    uint32_t *order, reached; /* nodes in reverse postorder, from count - reached on */
} search;

/* Puts node n into the loop of this head, and also the heads of loops around n that are deeper on the path. */
static void put_in_loop(node *v, uint32_t n, uint32_t head)
{
    if (n == head || head == NO_PC)
        return;
    for (uint32_t outer; (outer = v[n].head) != NO_PC;) {
        if (outer == head)
            return;
        if (v[outer].on_path < v[head].on_path) {
            v[n].head = head;
            n = head;
            head = outer;
        } else {
            n = outer;
        }
    }
    v[n].head = head;
}

/* Handles an edge to a node that was visited before: back to a head, or into a loop. */
static void join_loop(node *v, uint32_t n, uint32_t successor)
{
    uint32_t head = v[successor].on_path ? successor : v[successor].head;
    while (head != NO_PC && !v[head].on_path)
        head = v[head].head;
    put_in_loop(v, n, head);
}

static void enter(search *s, uint32_t n, uint32_t depth)
{
    s->path[depth] = n;
    s->node[n].visited = true;
    s->node[n].on_path = depth + 1;
}

static void find_loops(search *s, uint32_t start)
{
    node *v = s->node;
    uint32_t depth = 1;
    enter(s, start, 0);
    while (depth) {
        uint32_t n = s->path[depth - 1], next = flow_next(s->ops, s->first + n, v[n].at++);
        if (next == NO_PC) {
            v[n].on_path = 0;
            s->order[s->count - ++s->reached] = n;
            if (--depth)
                put_in_loop(v, s->path[depth - 1], v[n].head);
        } else if (v[next - s->first].visited) {
            join_loop(v, n, next - s->first);
        } else {
            enter(s, next - s->first, depth++);
        }
    }
}

/* In reverse postorder a head comes before the nodes of its loop. So sizes are added up backwards, and ranks are
 * assigned forwards. */
static void assign_ranks(search *s, op *ops)
{
    node *v = s->node;
    uint32_t top = 0;
    for (uint32_t i = s->count; i-- > 0;) {
        const node *x = &v[s->order[i]];
        if (x->head != NO_PC)
            v[x->head].size += x->size;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t n = s->order[i], *next = v[n].head == NO_PC ? &top : &v[v[n].head].at;
        v[n].at = *next;
        *next += v[n].size;
        ops[n].rank = *next - 1;
    }
}

/* Marks the heads of loops in which lanes may wait for others. */
static void find_waits(const search *s, op *ops)
{
    for (uint32_t n = 0; n < s->count; n++) {
        const ptx_instruction *in = ops[n].source;
        if (ops[n].kind != OP_MEMORY || !in || (!ptx_is(in, "atom") && !flow_is_strong(in)))
            continue;
        uint32_t head = s->node[n].size > 1 ? n : s->node[n].head;
        if (head != NO_PC)
            ops[head].may_wait = true;
    }
}

/* Finds how far a group that does not jump can go until ranks rise by more than one; there another group may be due. */
static void find_runs(op *ops, uint32_t count)
{
    for (uint32_t n = count, end = count; n-- > 0;) {
        ops[n].run_length = end - n;
        if (n && ops[n].rank > ops[n - 1].rank + 1)
            end = n;
    }
}

gcast_status find_order(op *ops, uint32_t first, uint32_t count, gcast_error *err)
{
    search s = {.ops = ops, .first = first, .count = count};
    s.node = calloc(count, sizeof *s.node);
    s.path = calloc(count, 2 * sizeof *s.path);
    if (!s.node || !s.path) {
        free(s.node);
        free(s.path);
        return gcast_error_set_memory(err);
    }
    s.order = s.path + count;
    for (uint32_t n = 0; n < count; n++) {
        s.node[n].head = NO_PC;
        s.node[n].size = 1;
    }
    for (uint32_t n = 0; n < count; n++) /* from the entry, then from unreachable code */
        if (!s.node[n].visited)
            find_loops(&s, n);
    assign_ranks(&s, ops + first);
    find_waits(&s, ops + first);
    find_runs(ops + first, count);
    free(s.node);
    free(s.path);
    return GCAST_OK;
}

/* Before Volta diverged paths reconverge at the immediate post-dominator of the branch. Lanes that exit leave all
 * masks, so where paths meet nowhere else, exits before the end of the kernel do not count. */

/* Nodes are the ops of the function from 0; node `count` is its end. */
typedef struct graph {
    const op *ops;         /* of the function */
    uint32_t first, count; /* the ops of the function in the program */
    uint32_t last;         /* the only exit with an edge to the end; NO_PC: all exits have one */
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

/* The last exit of a kernel. The exit that the decoder adds at the end counts only if an op leads to it. */
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
