/* The order in which groups of lanes run since Volta, so that they join where
 * ptxas makes them: each place after all that lead to it, a loop as one piece
 * before what follows it, and its head after its body, since who is there has
 * finished a round. So paths join at the immediate post-dominator of their branch
 * or before, and in a loop at the end of a round at the latest. Loops are found
 * as by Wei, Mao, Zou and Chen (A New Algorithm for Identifying Loops in
 * Decompilation, 2007), which also takes those with several entries. */
#include <stdlib.h>
#include <string.h>

#include "simt/decode/decode.h"
#include "simt/decode/flow.h"

typedef struct node {
    uint32_t head;    /* of the innermost loop around it, NO_PC: none; a head is not in its own */
    uint32_t on_path; /* its place on the path of the search, from 1; 0: not on it */
    uint32_t at;      /* its next successor; afterwards where the next of its loop goes */
    uint32_t size;    /* of its loop, or 1 */
    bool seen;
} node;

typedef struct search {
    const op *ops;
    uint32_t first, count;
    node *node;
    uint32_t *path;
    uint32_t *order, reached; /* reverse postorder: order[count - reached ..] */
} search;

/* Node n is in the loop of this head; so are the heads of loops around n that are deeper than it. */
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

/* An edge to what was seen before: back to a head, or into a loop. */
static void meet(node *v, uint32_t n, uint32_t to)
{
    uint32_t head = v[to].on_path ? to : v[to].head;
    while (head != NO_PC && !v[head].on_path)
        head = v[head].head;
    put_in_loop(v, n, head);
}

static void enter(search *s, uint32_t n, uint32_t depth)
{
    s->path[depth] = n;
    s->node[n].seen = true;
    s->node[n].on_path = depth + 1;
}

static void find_loops(search *s, uint32_t from)
{
    node *v = s->node;
    uint32_t depth = 1;
    enter(s, from, 0);
    while (depth) {
        uint32_t n = s->path[depth - 1], to = flow_next(s->ops, s->first + n, v[n].at++);
        if (to == NO_PC) {
            v[n].on_path = 0;
            s->order[s->count - ++s->reached] = n;
            if (--depth)
                put_in_loop(v, s->path[depth - 1], v[n].head);
        } else if (v[to - s->first].seen) {
            meet(v, n, to - s->first);
        } else {
            enter(s, to - s->first, depth++);
        }
    }
}

/* A head comes before its loop in reverse postorder, so what is inside can be counted backwards and placed forwards. */
static void place(search *s, op *ops)
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

bool flow_is_strong(const ptx_instruction *in)
{
    static const char *const words[] = {"volatile", "relaxed", "acquire", "cg", "cv", "mmio"};
    for (uint32_t i = 0; i < in->mods; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strcmp(in->mod[i], words[k]) == 0)
                return true;
    return false;
}

/* Loops in which lanes may wait for others. */
static void find_waits(const search *s, op *ops)
{
    for (uint32_t n = 0; n < s->count; n++) {
        const ptx_instruction *in = ops[n].source;
        if (ops[n].kind != OP_MEMORY || !in || (strcmp(in->opcode, "atom") != 0 && !flow_is_strong(in)))
            continue;
        uint32_t head = s->node[n].size > 1 ? n : s->node[n].head;
        if (head != NO_PC)
            ops[head].waits = true;
    }
}

/* Where a group that does not jump must look for others again: others may come first once it passes their ranks. */
static void find_runs(op *ops, uint32_t count)
{
    for (uint32_t n = count, end = count; n-- > 0;) {
        ops[n].ahead = end - n;
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
    for (uint32_t n = 0; n < count; n++) /* the entry, then what nothing leads to */
        if (!s.node[n].seen)
            find_loops(&s, n);
    place(&s, ops + first);
    find_waits(&s, ops + first);
    find_runs(ops + first, count);
    free(s.node);
    free(s.path);
    return GCAST_OK;
}
