/* make_graphs: finds launches of graphs, groups them by graph, and sets their streams, edges, order and spans. */
#include "profile/make/graph_launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/integers.h"
#include "model/gpu.h"
#include "profile/make/making.h"

/* Launches of graphs are found by their calls. Two launches with the same nodes launch the same graph. Nodes are
 * compared by kind, name, number, graph and shape, in an order that all launches of a graph have in common: by number,
 * else by stream. */

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

/* Adds the name of a new graph, with the profile's number if it is known. */
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

/* The stream of a graph launch is chosen here if the profile lacks it. Branches of a graph run in streams of the
 * driver, which differ between launches. So a stream with nodes of all launches comes first; then one that other calls
 * use, too; then the one with most nodes; then the oldest. */

typedef struct stream_votes {
    uint32_t nodes;    /* nodes of the graph that ran in it, over all launches */
    uint32_t launches; /* launches that have a node in it */
    size_t seen_by;    /* the launch that was counted last, from 1 */
} stream_votes;

typedef struct choosing {
    making *m;
    const graph_group *group;
    const bool *named;   /* by stream of the trace: other calls use it, too */
    stream_votes *votes; /* by stream of the trace */
} choosing;

static const prof_call *call_of(const making *m, uint32_t first)
{
    return &m->t->calls[m->items.at[m->ops.at[first].item].call];
}

static void set_stream(making *m, uint32_t first, uint32_t nodes, uint32_t stream)
{
    for (uint32_t k = 0; k < nodes; k++)
        m->ops.at[first + k].stream = stream;
}

/* Finds the streams that the program itself uses, so that they are not the driver's. The whole profile counts, whatever
 * part of it is imported. */
static void find_named(const making *m, bool *named)
{
    const prof_trace *t = m->t;
    for (size_t i = 0; i < t->call_count; i++)
        if (t->calls[i].stream != PROF_NONE)
            named[t->calls[i].stream] = true;
    for (size_t i = 0; i < t->op_count; i++)
        if (t->ops[i].call != PROF_NONE && t->calls[t->ops[i].call].kind != PROF_CALL_GRAPH_LAUNCH)
            named[t->ops[i].stream] = true;
}

static void count_votes(const choosing *x)
{
    for (size_t l = 0; l < x->group->firsts.count; l++)
        for (uint32_t k = 0; k < x->group->nodes; k++) {
            stream_votes *v = &x->votes[trace_op(x->m, x->group->firsts.at[l] + k)->stream];
            v->nodes++;
            v->launches += v->seen_by != l + 1;
            v->seen_by = l + 1;
        }
}

static void reset_votes(const choosing *x)
{
    for (size_t l = 0; l < x->group->firsts.count; l++)
        for (uint32_t k = 0; k < x->group->nodes; k++)
            x->votes[trace_op(x->m, x->group->firsts.at[l] + k)->stream] = (stream_votes){0};
}

static bool is_better(const choosing *x, uint32_t a, uint32_t b)
{
    const stream_votes *v = &x->votes[a], *w = &x->votes[b];
    size_t all = x->group->firsts.count;
    if ((v->launches == all) != (w->launches == all))
        return v->launches == all;
    if (x->named[a] != x->named[b])
        return x->named[a];
    if (v->nodes != w->nodes)
        return v->nodes > w->nodes;
    return x->m->t->streams[a].number < x->m->t->streams[b].number;
}

/* Sets the stream of a launch. True: the profile lacks it, and there were several to choose from. */
static bool choose_stream(const choosing *x, uint32_t first)
{
    uint32_t told = call_of(x->m, first)->stream, best = trace_op(x->m, first)->stream;
    bool several = false;
    if (told != PROF_NONE && x->m->t->streams[told].device == x->m->device) {
        set_stream(x->m, first, x->group->nodes, told);
        return false;
    }
    for (uint32_t k = 1; k < x->group->nodes; k++) {
        uint32_t stream = trace_op(x->m, first + k)->stream;
        several = several || stream != best;
        if (is_better(x, stream, best))
            best = stream;
    }
    set_stream(x->m, first, x->group->nodes, best);
    return several;
}

/* Sets the stream of all launches. False without memory. */
static bool graph_streams(graph_launches *g)
{
    making *m = g->m;
    bool *named = calloc(m->t->stream_count + 1, sizeof *named);
    stream_votes *votes = calloc(m->t->stream_count + 1, sizeof *votes);
    bool ok = named && votes;
    if (ok)
        find_named(m, named);
    for (size_t i = 0; ok && i < g->groups.count; i++) {
        choosing x = {m, &g->groups.at[i], named, votes};
        count_votes(&x);
        for (size_t l = 0; l < x.group->firsts.count; l++)
            g->streams_chosen += choose_stream(&x, x.group->firsts.at[l]);
        reset_votes(&x);
    }
    free(named);
    free(votes);
    return ok;
}

/* Spans of nodes are computed here. Between the end of a node's last block and the start of the next node lies the
 * GPU's gap. A profiler's interval is a little wider than that of the blocks, and after copies and memsets the next
 * node starts much later. So the span of a node lasts until its successor started, less the gap. A kernel, whose blocks
 * hold SMs, gets at most JITTER_NS more than recorded. */

#define JITTER_NS 2000
#define SMALL_MEMSET 4096 /* bytes; larger ones run on SMs */

/* What the gap behind a node depends on (docs/model.md, Graphs). */
typedef struct span_node {
    uint32_t part;   /* the part of the graph to which it belongs */
    bool has_edges;  /* it is no root */
    bool is_between; /* a copy between host and device */
    bool is_outside; /* such a copy, or a small memset */
    bool is_far;     /* it depends on nodes of several parts, or it or a predecessor is such a copy */
    uint32_t full;   /* full edges to successors that are not far */
    uint32_t seen;   /* number of these edges so far */
    int64_t end_ns;  /* when successors could start, less the gap; INT64_MAX: it has none */
} span_node;

static bool is_between(const prof_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D;
}

static bool is_outside(const prof_op *op)
{
    return is_between(op) || (op->kind == GCAST_KIND_MEMSET && op->bytes <= SMALL_MEMSET);
}

static void set_parts(const making *m, span_node *nodes, uint32_t first, uint32_t count, const made_after *edges,
                      size_t edge_count)
{
    size_t e = 0;
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        span_node *x = &nodes[i];
        x->is_between = is_between(trace_op(m, first + i));
        x->is_far = x->is_between;
        bool begins = x->is_outside = is_outside(trace_op(m, first + i));
        x->end_ns = INT64_MAX;
        for (; e < edge_count && edges[e].op == first + i; e++) {
            const span_node *y = &nodes[edges[e].before - first];
            begins = begins || y->is_outside;
            x->is_far = x->is_far || (x->has_edges && x->part != y->part) || y->is_between;
            x->part = x->has_edges && x->part < y->part ? x->part : y->part;
            x->has_edges = true;
        }
        if (begins || !x->has_edges)
            x->part = parts++;
    }
    for (e = 0; e < edge_count; e++)
        nodes[edges[e].before - first].full += edges[e].port == GCAST_PORT_FULL && !nodes[edges[e].op - first].is_far;
}

/* The time from the end of a node until a successor may start. */
static int64_t gap_of(const gcast_gpu *gpu, span_node *before, const span_node *node)
{
    int64_t gap_ns = gpu->graph_gap_ns ? gpu->graph_gap_ns : gpu->stream_gap_ns;
    if (node->is_far && gpu->graph_copy_gap_ns && before->is_between != node->is_between)
        return gpu->graph_copy_gap_ns;
    if (node->is_far)
        return event_gap_of(gpu);
    uint32_t i = before->seen++;
    if (gpu->graph_wide && before->full >= (uint32_t)gpu->graph_wide)
        return gap_ns + gpu->graph_wide_ns + (before->full - 1 - i) * gpu->graph_wide_step_ns;
    return gap_ns + i * gpu->graph_step_ns;
}

/* Each node started a gap after the last of its predecessors had ended: this gives that one's end. */
static void set_ends(const making *m, span_node *nodes, uint32_t first, const made_after *edges, size_t edge_count)
{
    for (size_t e = 0, end; e < edge_count; e = end) {
        uint32_t last = PROF_NONE;
        int64_t last_gap_ns = 0;
        for (end = e; end < edge_count && edges[end].op == edges[e].op; end++) {
            uint32_t before = edges[end].before;
            if (edges[end].port != GCAST_PORT_FULL)
                continue;
            int64_t gap_ns = gap_of(recorded_gpu(m), &nodes[before - first], &nodes[edges[e].op - first]);
            if (last != PROF_NONE && trace_op(m, before)->end_ns <= trace_op(m, last)->end_ns)
                continue;
            last = before;
            last_gap_ns = gap_ns;
        }
        if (last == PROF_NONE)
            continue;
        span_node *y = &nodes[last - first];
        y->end_ns = min_i64(y->end_ns, trace_op(m, edges[e].op)->start_ns - last_gap_ns);
    }
}

/* Sets span_ns of the `count` nodes of a launch. Its edges are after_count entries of afters[] from first_after on. */
static bool graph_spans(graph_launches *g, uint32_t first_op, uint32_t count, size_t first_after, size_t after_count)
{
    making *m = g->m;
    const made_after *edges = after_count ? &m->afters.at[first_after] : NULL;
    span_node *nodes = calloc((size_t)count + 1, sizeof *nodes);
    if (!nodes)
        return false;
    set_parts(m, nodes, first_op, count, edges, after_count);
    set_ends(m, nodes, first_op, edges, after_count);
    for (uint32_t i = 0; i < count; i++) {
        made_op *x = &m->ops.at[first_op + i];
        const prof_op *op = trace_op(m, first_op + i);
        int64_t later_ns = nodes[i].end_ns == INT64_MAX ? 0 : nodes[i].end_ns - op->end_ns;
        bool is_late = later_ns > JITTER_NS;
        if (op->kind == GCAST_KIND_KERNEL && is_late) {
            g->late_name = g->late_name ? g->late_name : op->name;
            g->late++;
            continue;
        }
        g->held += is_late;
        g->held_long += later_ns > EVENT_NS;
        x->span_ns = max_i64(x->span_ns + later_ns, 1);
    }
    free(nodes);
    return true;
}

/* Sets the spans and the order of the nodes of a launch whose edges begin at afters[*at]. *at moves behind them. */
static bool finish_launch(graph_launches *g, uint32_t first, uint32_t nodes, size_t *at)
{
    making *m = g->m;
    size_t end = *at;
    while (end < m->afters.count && m->afters.at[end].op >= first && m->afters.at[end].op - first < nodes)
        end++;
    if (end > *at)
        qsort(&m->afters.at[*at], end - *at, sizeof *m->afters.at, compare_afters);
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
    if (ok && !told) { /* the edges of all launches of the group are inferred */
        m->afters.count = at;
        g->contradicted = contradicted;
        g->early = early;
        g->inferred += group->firsts.count;
        ok = graph_edges_inferred(g, group);
    }
    for (size_t i = 0; ok && i < group->firsts.count; i++)
        ok = finish_launch(g, group->firsts.at[i], group->nodes, &at);
    return ok;
}

static bool find_findings(const graph_launches *g)
{
    prof_findings *f = g->m->findings;
    return findings_add(f,
                        "{graph launch} without a stream in the profile: a stream of its nodes is assumed, the same "
                        "for all launches of the graph",
                        NULL, g->streams_chosen) &&
           findings_add(f,
                        "{graph launch} whose nodes have no numbers: the order of their starts is used, but the driver "
                        "may queue them in another order; what-ifs with fewer connections may be too optimistic",
                        NULL, g->unnumbered) &&
           findings_add(f,
                        "{graph launch} without edges in the profile, or with edges that times contradict: edges are "
                        "inferred from streams and times",
                        NULL, g->inferred) &&
           findings_add(f, "{edge} of graphs contradicted by times: left out", NULL, g->contradicted) &&
           findings_add(f,
                        "{edge} of graphs to a kernel that started before its predecessor had ended; the profile does "
                        "not say why: a programmatic edge is assumed",
                        NULL, g->early) &&
           findings_add(f,
                        "{node} of graphs (copies or memsets) whose successor started later than the GPU's gap "
                        "explains: the delay was added to their duration",
                        NULL, g->held) &&
           findings_add(f, "{node} of these with a delay of more than 10 microseconds, for an unknown reason", NULL,
                        g->held_long) &&
           findings_add(f,
                        "{kernel} of graphs whose successor started late for an unknown reason: the successor starts "
                        "earlier here",
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
