/* The algorithm of Cooper, Harvey and Kennedy on the reversed graph. */
#include "base/postdominators.h"

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct flow {
    uint32_t nodes;                     /* of the graph */
    const uint32_t *start, *to;         /* its edges */
    uint32_t *pred_start, *pred;        /* its edges reversed */
    uint32_t *order, *number, *scratch; /* nodes in reverse postorder from the end; by node: its place in `order` */
    uint32_t reached;                   /* nodes that lead to the end */
    uint32_t *dom;                      /* by node: its immediate post-dominator so far */
} flow;

static void reverse_edges(flow *f)
{
    for (uint32_t e = 0; e < f->start[f->nodes]; e++)
        f->pred_start[f->to[e] + 1]++;
    for (uint32_t n = 0; n < f->nodes; n++) {
        f->pred_start[n + 1] += f->pred_start[n];
        f->scratch[n] = f->pred_start[n];
    }
    for (uint32_t n = 0; n < f->nodes; n++)
        for (uint32_t e = f->start[n]; e < f->start[n + 1]; e++)
            f->pred[f->scratch[f->to[e]]++] = n;
}

/* Searches depth first from the end along reversed edges; `stack` has room for all nodes. */
static void number_nodes(flow *f, uint32_t end, uint32_t *stack)
{
    uint32_t depth = 0, place = f->nodes;
    for (uint32_t n = 0; n < f->nodes; n++) {
        f->scratch[n] = f->pred_start[n];
        f->number[n] = NONE;
    }
    stack[depth++] = end;
    f->number[end] = 0; /* visited */
    while (depth) {
        uint32_t n = stack[depth - 1];
        if (f->scratch[n] < f->pred_start[n + 1]) {
            uint32_t next = f->pred[f->scratch[n]++];
            if (f->number[next] == NONE) {
                f->number[next] = 0;
                stack[depth++] = next;
            }
        } else {
            f->order[--place] = n;
            depth--;
        }
    }
    f->reached = f->nodes - place;
    for (uint32_t i = 0; i < f->reached; i++) {
        f->order[i] = f->order[i + place];
        f->number[f->order[i]] = i;
    }
}

static uint32_t intersect(const flow *f, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (f->number[a] > f->number[b])
            a = f->dom[a];
        while (f->number[b] > f->number[a])
            b = f->dom[b];
    }
    return a;
}

static void find(flow *f, uint32_t end)
{
    for (uint32_t n = 0; n < f->nodes; n++)
        f->dom[n] = NONE;
    f->dom[end] = end;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < f->reached; i++) {
            uint32_t n = f->order[i], found = NONE;
            for (uint32_t e = f->start[n]; e < f->start[n + 1]; e++)
                if (f->dom[f->to[e]] != NONE)
                    found = found == NONE ? f->to[e] : intersect(f, found, f->to[e]);
            changed = changed || found != f->dom[n];
            f->dom[n] = found;
        }
    }
}

bool postdominators_find(uint32_t nodes, const uint32_t *start, const uint32_t *to, uint32_t end, uint32_t *out)
{
    size_t n = (size_t)nodes + 1;
    uint32_t *memory = calloc(5 * n + start[nodes], sizeof *memory);
    if (!memory)
        return false;
    flow f = {nodes, start, to, .dom = out};
    f.pred_start = memory;
    f.order = memory + n;
    f.number = memory + 2 * n;
    f.scratch = memory + 3 * n;
    f.pred = memory + 5 * n;
    reverse_edges(&f);
    number_nodes(&f, end, memory + 4 * n);
    find(&f, end);
    free(memory);
    return true;
}
