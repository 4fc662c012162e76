/* The order in which the driver queues the nodes of a launch: as the program made them, each behind what it is after.
 * With few connections that decides which branch waits for which; the order of starts would not. */
#include <stdlib.h>

#include "base/heap.h"
#include "profile/make/graphs/graph_launches.h"

typedef struct ordering {
    making *m;
    uint32_t first, count; /* operations of the launch */
    made_after *edges;     /* of the launch, by `op` */
    size_t edge_count;
    uint32_t *waits;      /* by node: edges whose other end is not placed yet */
    uint32_t *first_edge; /* by node: its part of successors[] */
    uint32_t *successors; /* nodes that are after each */
    uint32_t *place;      /* by node: its place in the new order */
} ordering;

/* The number by which the program made a node; -1: not told. */
static int64_t number_of(const making *m, uint32_t op)
{
    const prof_op *x = trace_op(m, op);
    return x->origin >= 0 ? x->origin : x->node;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Are all nodes numbered, each by a number of its own? */
static bool are_numbered(const ordering *x, int64_t *numbers)
{
    for (uint32_t k = 0; k < x->count; k++)
        numbers[k] = number_of(x->m, x->first + k);
    qsort(numbers, x->count, sizeof *numbers, by_number);
    bool are = numbers[0] >= 0;
    for (uint32_t k = 1; k < x->count; k++)
        are = are && numbers[k] != numbers[k - 1];
    return are;
}

static void link_nodes(ordering *x)
{
    for (size_t e = 0; e < x->edge_count; e++) {
        x->waits[x->edges[e].op - x->first]++;
        x->first_edge[x->edges[e].before - x->first + 1]++;
    }
    for (uint32_t k = 0; k < x->count; k++)
        x->first_edge[k + 1] += x->first_edge[k];
    for (size_t e = x->edge_count; e-- > 0;) /* place[] is not set yet: it counts */
        x->successors[x->first_edge[x->edges[e].before - x->first] + x->place[x->edges[e].before - x->first]++] =
            x->edges[e].op - x->first;
}

/* Of the nodes that wait for none that is not placed, the one that was made first comes next. */
static bool place_nodes(ordering *x)
{
    heap ready = {0};
    bool ok = true;
    uint32_t next = 0;
    for (uint32_t k = 0; k < x->count && ok; k++)
        if (!x->waits[k])
            ok = heap_push(&ready, (heap_item){number_of(x->m, x->first + k), 0, k});
    while (ok && heap_count(&ready)) {
        uint32_t k = heap_pop(&ready).id;
        x->place[k] = next++;
        for (uint32_t e = x->first_edge[k]; e < x->first_edge[k + 1] && ok; e++)
            if (--x->waits[x->successors[e]] == 0)
                ok = heap_push(&ready, (heap_item){number_of(x->m, x->first + x->successors[e]), 0, x->successors[e]});
    }
    vec_free(&ready.items);
    return ok;
}

/* Moves the operations to their new places. False without memory. */
static bool move_nodes(const ordering *x)
{
    making *m = x->m;
    made_op *moved = malloc(x->count * sizeof *moved);
    if (!moved)
        return false;
    for (uint32_t k = 0; k < x->count; k++)
        moved[x->place[k]] = m->ops.at[x->first + k];
    for (uint32_t k = 0; k < x->count; k++) {
        m->ops.at[x->first + k] = moved[k];
        m->op_of[moved[k].op] = x->first + k;
    }
    for (size_t e = 0; e < x->edge_count; e++) {
        x->edges[e].op = x->first + x->place[x->edges[e].op - x->first];
        x->edges[e].before = x->first + x->place[x->edges[e].before - x->first];
    }
    free(moved);
    return true;
}

bool graph_order(graph_launches *g, uint32_t first_op, uint32_t nodes, size_t first_after, size_t after_count)
{
    ordering x = {.m = g->m,
                  .first = first_op,
                  .count = nodes,
                  .edges = after_count ? &g->m->afters.at[first_after] : NULL,
                  .edge_count = after_count,
                  .waits = calloc((size_t)nodes + 1, sizeof *x.waits),
                  .first_edge = calloc((size_t)nodes + 2, sizeof *x.first_edge),
                  .successors = malloc((after_count + 1) * sizeof *x.successors),
                  .place = calloc((size_t)nodes + 1, sizeof *x.place)};
    int64_t *numbers = malloc(((size_t)nodes + 1) * sizeof *numbers);
    bool ok = x.waits && x.first_edge && x.successors && x.place && numbers;
    bool numbered = ok && are_numbered(&x, numbers);
    g->unnumbered += ok && !numbered;
    if (numbered) {
        link_nodes(&x);
        ok = place_nodes(&x) && move_nodes(&x);
    }
    free(x.waits);
    free(x.first_edge);
    free(x.successors);
    free(x.place);
    free(numbers);
    return ok;
}
