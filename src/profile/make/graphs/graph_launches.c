/* Launches of graphs are found by their calls. Those of the same nodes, by number where that is told, else by names,
 * shapes and streams, are of the same graph. */
#include "profile/make/graphs/graph_launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "profile/make/make_steps.h"

/* A node while they are put in the order that all launches of a graph have in common. */
typedef struct ordered_node {
    int64_t node; /* its number; PROF_UNKNOWN */
    uint32_t stream, op;
} ordered_node;

static int by_node(const void *a, const void *b)
{
    const ordered_node *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static void order_nodes(graph_launches *g, const made_item *launch, ordered_node *scratch)
{
    for (uint32_t k = 0; k < launch->op_count; k++) {
        const prof_op *op = trace_op(g->m, launch->first_op + k);
        scratch[k] = (ordered_node){.node = op->node, .stream = op->stream, .op = launch->first_op + k};
    }
    qsort(scratch, launch->op_count, sizeof *scratch, by_node);
    for (uint32_t k = 0; k < launch->op_count; k++)
        g->node_op[launch->first_op + k] = scratch[k].op;
}

static bool same_node(const prof_op *a, const prof_op *b)
{
    return a->kind == b->kind && a->name == b->name && a->node == b->node && a->graph == b->graph &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static uint64_t hash_of(const graph_launches *g, const made_item *launch)
{
    uint64_t hash = launch->op_count;
    for (uint32_t k = 0; k < launch->op_count; k++) {
        const prof_op *op = node_at(g, launch->first_op, k);
        const uint64_t key[] = {hash, (uint64_t)op->kind, (uint64_t)(uintptr_t)op->name, (uint64_t)op->node};
        hash = index_hash(key, sizeof key);
    }
    return hash;
}

static bool is_of(const graph_launches *g, const graph_group *group, const made_item *launch)
{
    bool same = group->nodes == launch->op_count;
    for (uint32_t k = 0; same && k < group->nodes; k++)
        same = same_node(node_at(g, group->firsts.at[0], k), node_at(g, launch->first_op, k));
    return same;
}

/* A name that all launches of the graph share: the profile's number of it where that is told. */
static bool name_graph(making *m, const made_item *launch)
{
    char name[48];
    int64_t number = trace_op(m, launch->first_op)->graph;
    if (number == PROF_UNKNOWN)
        snprintf(name, sizeof name, "graph-%zu", m->graphs.count + 1);
    else
        snprintf(name, sizeof name, "graph %lld", (long long)number);
    const char *kept = arena_strdup(&m->memory, name);
    return kept && vec_push(&m->graphs, kept);
}

static bool add_launch(graph_launches *g, hash_index *index, made_item *launch)
{
    uint64_t hash = hash_of(g, launch);
    uint32_t group = PROF_NONE;
    for (index_probe p = index_start(index, hash); group == PROF_NONE && index_next(index, &p);)
        if (is_of(g, &g->groups.at[p.value], launch))
            group = p.value;
    if (group == PROF_NONE) {
        graph_group x = {.nodes = launch->op_count};
        group = (uint32_t)g->groups.count;
        if (!vec_push(&g->groups, x) || !index_add(index, hash, group) || !name_graph(g->m, launch))
            return false;
    }
    launch->graph = group + 1;
    return vec_push(&g->groups.at[group].firsts, launch->first_op);
}

static bool is_launch(const making *m, const made_item *item)
{
    return item->kind == ITEM_OPS && item->call != PROF_NONE && m->t->calls[item->call].kind == PROF_CALL_GRAPH_LAUNCH;
}

static bool find_launches(graph_launches *g)
{
    making *m = g->m;
    hash_index index = {0};
    ordered_node *scratch = malloc((m->ops.count + 1) * sizeof *scratch);
    bool ok = scratch != NULL;
    for (size_t i = 0; ok && i < m->items.count; i++) {
        if (!is_launch(m, &m->items.at[i]))
            continue;
        order_nodes(g, &m->items.at[i], scratch);
        ok = add_launch(g, &index, &m->items.at[i]);
    }
    free(scratch);
    index_free(&index);
    return ok;
}

static int by_op(const void *a, const void *b)
{
    const made_after *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

/* Spans of launches whose edges are afters[] from `at` on, launch by launch. */
static bool set_spans(graph_launches *g, uint32_t first, uint32_t nodes, size_t *at)
{
    making *m = g->m;
    size_t end = *at;
    while (end < m->afters.count && m->afters.at[end].op >= first && m->afters.at[end].op - first < nodes)
        end++;
    if (end > *at)
        qsort(&m->afters.at[*at], end - *at, sizeof *m->afters.at, by_op);
    bool ok = graph_spans(g, first, nodes, *at, end - *at) && graph_order(g, first, nodes, *at, end - *at);
    *at = end;
    return ok;
}

static bool add_edges(graph_launches *g, const graph_group *group)
{
    making *m = g->m;
    bool ok = true, told = true;
    size_t at = m->afters.count;
    uint64_t contradicted = g->contradicted, early = g->early;
    for (size_t i = 0; ok && told && i < group->firsts.count; i++)
        ok = graph_edges_told(g, &m->items.at[m->ops.at[group->firsts.at[i]].item], &told);
    if (ok && !told) { /* of none of them */
        m->afters.count = at;
        g->contradicted = contradicted;
        g->early = early;
        g->inferred += group->firsts.count;
        ok = graph_edges_inferred(g, group);
    }
    for (size_t i = 0; ok && i < group->firsts.count; i++)
        ok = set_spans(g, group->firsts.at[i], group->nodes, &at);
    return ok;
}

static bool find_findings(const graph_launches *g)
{
    prof_findings *f = g->m->findings;
    return findings_add(f,
                        "{graph launch} whose stream the profile does not tell: one that its nodes ran in is taken, "
                        "the same for all launches of the graph",
                        NULL, g->streams_chosen) &&
           findings_add(f,
                        "{graph launch} whose nodes have no numbers: they are queued in the order of their starts, "
                        "which the driver may not do; what-ifs with fewer connections may be too optimistic",
                        NULL, g->unnumbered) &&
           findings_add(
               f,
               "{graph launch} without edges in the profile, or with edges that times contradict: these are inferred "
               "from streams and times",
               NULL, g->inferred) &&
           findings_add(f, "{edge} of graphs that times contradict, left out", NULL, g->contradicted) &&
           findings_add(f,
                        "{edge} of graphs to a kernel that started before the other had ended, which the profile does "
                        "not explain: taken as programmatic",
                        NULL, g->early) &&
           findings_add(
               f,
               "{node} of graphs, copies and memsets, that held up the next one for longer than the GPU's gap: "
               "that is part of their duration",
               NULL, g->held) &&
           findings_add(f,
                        "{node} of these with more than 10 microseconds until the next one, for a reason that the "
                        "profile does not tell",
                        NULL, g->held_long) &&
           findings_add(f,
                        "{kernel} of graphs whose successor started late, for a reason that the profile does not tell: "
                        "it starts earlier here",
                        g->late_name, g->late);
}

gcast_status make_graphs(making *m)
{
    graph_launches g = {.m = m, .node_op = malloc((m->ops.count + 1) * sizeof *g.node_op)};
    bool ok = g.node_op && find_launches(&g) && graph_streams(&g);
    for (size_t i = 0; ok && i < g.groups.count; i++)
        ok = add_edges(&g, &g.groups.at[i]);
    ok = ok && find_findings(&g);
    for (size_t i = 0; i < g.groups.count; i++)
        vec_free(&g.groups.at[i].firsts);
    vec_free(&g.groups);
    free(g.node_op);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
