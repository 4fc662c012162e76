/* The order in which groups of lanes run since Volta, chosen so that they
 * reconverge where ptxas makes them. Every op comes after all that lead to it;
 * a loop is one piece that comes before what follows it; the head of a loop
 * comes after its body, because lanes at the head have finished an iteration.
 * So paths reconverge at the immediate post-dominator of their branch or
 * earlier, and in a loop at the end of an iteration at the latest. Loops are
 * found as by Wei, Mao, Zou and Chen (A New Algorithm for Identifying Loops in
 * Decompilation, 2007), which also finds loops with several entries. */
#include "simt/translate/group_order.h"

#include <stdlib.h>

#include "ptx/words.h"
#include "simt/program/flow.h"

typedef struct node {
    uint32_t head;    /* head of the innermost loop around it; NO_PC: none. A head is not in its own loop */
    uint32_t on_path; /* its position on the path of the search, from 1; 0: not on it */
    uint32_t at;      /* its next successor; later the rank of the next node in its loop */
    uint32_t size;    /* number of nodes of its loop where it is a head; else 1 */
    bool visited;     /* by the search */
} node;

typedef struct search {
    const op *ops;            /* of the program */
    uint32_t first, count;    /* the ops of the function */
    node *node;               /* by op of the function */
    uint32_t *path;           /* the nodes of the path */
    uint32_t *order, reached; /* nodes in reverse postorder, from count - reached on */
} search;

/* Node n is in the loop of this head. So are the heads of loops around n that are deeper on the path than that head. */
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

/* An edge to a node that was seen before: back to a head, or into a loop. */
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

/* In reverse postorder a head comes before the nodes of its loop, so sizes are added up backwards, and ranks given
 * forwards. */
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

/* Finds how far a group that does not jump can go before ranks rise by more than one: then another group may come
 * first. */
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
    for (uint32_t n = 0; n < count; n++) /* from the entry, then from code that nothing leads to */
        if (!s.node[n].visited)
            find_loops(&s, n);
    assign_ranks(&s, ops + first);
    find_waits(&s, ops + first);
    find_runs(ops + first, count);
    free(s.node);
    free(s.path);
    return GCAST_OK;
}
