/* The edges of a graph that no one tells, from all of its launches: a node may be after another only if it started
 * after that one's end in each of them. It is after the last such node of its own stream, if that runs its nodes one by
 * one; and after what ended right before it started, in any of the launches, where its own stream had been ready for
 * longer. A node for which neither holds is after what ended last before it; where nothing had, it is a root. */
#include <stdlib.h>

#include "base/minmax.h"
#include "profile/make/graphs/graph_launches.h"

#define MOST_BACK 256    /* nodes that are looked at for one node */
#define MOST_BEFORE 16   /* nodes that one node is after */
#define MOST_VISITS 4096 /* nodes that are looked at for one edge that others may imply */

typedef struct inferring {
    graph_launches *g;
    const graph_group *group;
    uint32_t *order;       /* numbers of nodes by their starts in the first launch */
    uint32_t *last;        /* by stream of the trace: number of its last node so far */
    bool *overlaps;        /* by stream of the trace: its nodes ran beside each other */
    uint32_t *first_edge;  /* by number of a node: its part of befores[] */
    uint32_t *edge_count;  /* by number of a node */
    uint32_t *visited;     /* by number of a node: the search that saw it last */
    uint32_t search;       /* number of the search */
    VEC(uint32_t) befores; /* numbers of nodes */
    bool *is_early;        /* by number of a node: its edge is programmatic */
    VEC(uint32_t) stack;
} inferring;

/* Nodes that a node may be after. */
typedef struct before_list {
    uint32_t at[MOST_BEFORE];
    uint32_t count;
} before_list;

static const prof_op *node_in(const inferring *x, size_t launch, uint32_t node)
{
    return node_at(x->g, x->group->firsts.at[launch], node);
}

/* In all launches. */
static bool precedes(const inferring *x, uint32_t before, uint32_t node)
{
    for (size_t l = 0; l < x->group->firsts.count; l++)
        if (node_in(x, l, before)->end_ns > node_in(x, l, node)->start_ns)
            return false;
    return true;
}

static void add_before(before_list *list, uint32_t node)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == node)
            return;
    if (list->count < MOST_BEFORE)
        list->at[list->count++] = node;
}

/* Nodes in the order of their starts, and which streams run one by one. */
static void look_at_streams(inferring *x)
{
    uint32_t nodes = x->group->nodes, first = x->group->firsts.at[0];
    for (uint32_t k = 0; k < nodes; k++) {
        x->order[x->g->node_op[first + k] - first] = k;
        x->last[node_in(x, 0, k)->stream] = PROF_NONE;
        x->overlaps[node_in(x, 0, k)->stream] = false;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t node = x->order[i], stream = node_in(x, 0, node)->stream;
        if (x->last[stream] != PROF_NONE && !precedes(x, x->last[stream], node))
            x->overlaps[stream] = true;
        x->last[stream] = node;
    }
}

/* Of those that ended before the node in all launches, the one that ended last in this one. */
static uint32_t last_ended(const inferring *x, size_t launch, const uint32_t *list, uint32_t count)
{
    uint32_t best = PROF_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (best == PROF_NONE || node_in(x, launch, list[i])->end_ns > node_in(x, launch, best)->end_ns)
            best = list[i];
    return best;
}

/* The kernel that is before this one in its stream; PROF_NONE: another operation is, or nothing. */
static uint32_t kernel_before(const inferring *x, uint32_t place)
{
    const prof_op *op = node_in(x, 0, x->order[place]);
    for (uint32_t i = place; i-- > 0 && place - i <= MOST_BACK && op->kind == GCAST_KIND_KERNEL;) {
        const prof_op *before = node_in(x, 0, x->order[i]);
        if (before->stream == op->stream)
            return before->kind == GCAST_KIND_KERNEL ? x->order[i] : PROF_NONE;
    }
    return PROF_NONE;
}

/* Did the kernel run beside `before`, which had started well before it, and had nothing else ended right before it
 * started, in any launch? */
static bool is_programmatic(const inferring *x, uint32_t before, uint32_t node, const uint32_t *ended, uint32_t count)
{
    bool overlaps = false;
    for (size_t l = 0; l < x->group->firsts.count; l++) {
        const prof_op *op = node_in(x, l, node), *first = node_in(x, l, before);
        uint32_t last = last_ended(x, l, ended, count);
        overlaps = overlaps || first->end_ns > op->start_ns;
        if (op->start_ns - first->start_ns <= READY_NS ||
            (last != PROF_NONE && op->start_ns - node_in(x, l, last)->end_ns <= READY_NS))
            return false;
    }
    return overlaps;
}

static before_list find_befores(inferring *x, uint32_t place)
{
    uint32_t node = x->order[place], stream = node_in(x, 0, node)->stream, own = PROF_NONE;
    uint32_t ended[MOST_BACK], count = 0;
    before_list list = {.count = 0};
    for (uint32_t i = place; i-- > 0 && place - i <= MOST_BACK;) {
        uint32_t before = x->order[i];
        if (!precedes(x, before, node))
            continue;
        ended[count++] = before;
        if (own == PROF_NONE && !x->overlaps[stream] && node_in(x, 0, before)->stream == stream)
            own = before;
    }
    uint32_t first = own == PROF_NONE ? kernel_before(x, place) : PROF_NONE;
    x->is_early[node] = first != PROF_NONE && is_programmatic(x, first, node, ended, count);
    if (x->is_early[node]) {
        add_before(&list, first);
        return list;
    }
    if (own != PROF_NONE)
        add_before(&list, own);
    for (size_t l = 0; l < x->group->firsts.count && count; l++) {
        uint32_t last = last_ended(x, l, ended, count);
        int64_t end_ns = node_in(x, l, last)->end_ns;
        bool is_ready = own != PROF_NONE && node_in(x, l, own)->end_ns >= end_ns - READY_NS;
        if (!is_ready && end_ns >= node_in(x, l, node)->start_ns - EVENT_NS)
            add_before(&list, last);
    }
    if (!list.count && count)
        add_before(&list, last_ended(x, 0, ended, count));
    return list;
}

/* Is `node` after `before` by edges that are there already? */
static bool is_implied(inferring *x, uint32_t before, uint32_t node, bool *ok)
{
    uint32_t visits = 0;
    x->stack.count = 0;
    x->search++;
    *ok = vec_push(&x->stack, node);
    while (*ok && x->stack.count && visits++ < MOST_VISITS) {
        uint32_t at = x->stack.at[--x->stack.count];
        for (uint32_t i = 0; i < x->edge_count[at] && *ok; i++) {
            uint32_t next = x->befores.at[x->first_edge[at] + i];
            if (next == before)
                return true;
            if (x->visited[next] != x->search)
                *ok = vec_push(&x->stack, next);
            x->visited[next] = x->search;
        }
    }
    return false;
}

/* Keeps those that the others do not imply. */
static bool keep_edges(inferring *x, uint32_t node, const before_list *list)
{
    bool ok = true;
    x->first_edge[node] = (uint32_t)x->befores.count;
    x->edge_count[node] = 0;
    uint32_t kept[MOST_BEFORE], count = 0;
    for (uint32_t i = 0; i < list->count && ok; i++) {
        bool implied = false;
        for (uint32_t k = 0; k < list->count && ok && !implied; k++)
            implied = k != i && is_implied(x, list->at[i], list->at[k], &ok);
        if (!implied)
            kept[count++] = list->at[i];
    }
    for (uint32_t i = 0; i < count && ok; i++)
        ok = vec_push(&x->befores, kept[i]);
    x->edge_count[node] = ok ? count : 0;
    return ok;
}

/* The same edges in every launch. */
static bool add_afters(inferring *x)
{
    making *m = x->g->m;
    bool ok = true;
    for (size_t l = 0; l < x->group->firsts.count && ok; l++) {
        const uint32_t *ops = &x->g->node_op[x->group->firsts.at[l]];
        for (uint32_t k = 0; k < x->group->nodes && ok; k++)
            for (uint32_t i = 0; i < x->edge_count[k] && ok; i++) {
                made_after a = {.op = ops[k],
                                .before = ops[x->befores.at[x->first_edge[k] + i]],
                                .port = x->is_early[k] ? GCAST_PORT_PROGRAMMATIC : GCAST_PORT_FULL};
                x->g->early += x->is_early[k];
                ok = vec_push(&m->afters, a);
            }
    }
    return ok;
}

bool graph_edges_inferred(graph_launches *g, const graph_group *group)
{
    size_t nodes = (size_t)group->nodes + 1, streams = g->m->t->stream_count + 1;
    inferring x = {.g = g,
                   .group = group,
                   .order = malloc(nodes * sizeof *x.order),
                   .last = malloc(streams * sizeof *x.last),
                   .overlaps = malloc(streams * sizeof *x.overlaps),
                   .first_edge = malloc(nodes * sizeof *x.first_edge),
                   .edge_count = calloc(nodes, sizeof *x.edge_count),
                   .visited = calloc(nodes, sizeof *x.visited),
                   .is_early = calloc(nodes, sizeof *x.is_early)};
    bool ok = x.order && x.is_early && x.last && x.overlaps && x.first_edge && x.edge_count && x.visited;
    if (ok)
        look_at_streams(&x);
    for (uint32_t i = 0; i < group->nodes && ok; i++) {
        before_list list = find_befores(&x, i);
        ok = keep_edges(&x, x.order[i], &list);
    }
    ok = ok && add_afters(&x);
    free(x.order);
    free(x.last);
    free(x.overlaps);
    free(x.first_edge);
    free(x.edge_count);
    free(x.visited);
    free(x.is_early);
    vec_free(&x.befores);
    vec_free(&x.stack);
    return ok;
}
