/* What a recording holds beside a trace: nodes and edges of graphs, attributes of launches. */
#include <stdlib.h>

#include "profile/recorded/state.h"

#define MAX_CLONES 64 /* of clones, as an executable graph is one of a graph that may be one of another */

static int by_two(int64_t a1, int64_t b1, int64_t a2, int64_t b2)
{
    return a1 != b1 ? (a1 < b1 ? -1 : 1) : a2 != b2 ? (a2 < b2 ? -1 : 1) : 0;
}

static int by_node(const void *a, const void *b)
{
    const recorded_node *x = a, *y = b;
    return by_two(x->pid, y->pid, x->node, y->node);
}

static int by_edge(const void *a, const void *b)
{
    const recorded_edge *x = a, *y = b;
    int order = by_two(x->pid, y->pid, x->node, y->node);
    return order ? order : by_two(x->before, y->before, x->graph, y->graph);
}

static int by_removal(const void *a, const void *b)
{
    const recorded_removal *x = a, *y = b;
    return by_edge(&x->edge, &y->edge);
}

static int by_use(const void *a, const void *b)
{
    const recorded_use *x = a, *y = b;
    return x->is_graph != y->is_graph ? x->is_graph - y->is_graph : by_two(x->pid, y->pid, x->number, y->number);
}

static int by_use_and_frame(const void *a, const void *b)
{
    const recorded_use *x = a, *y = b;
    int order = by_use(a, b);
    return order ? order : x->frame != y->frame ? (x->frame < y->frame ? -1 : 1) : 0;
}

/* Of a node that is told twice, the one that says what it is a clone of comes first. */
static int by_node_and_origin(const void *a, const void *b)
{
    const recorded_node *x = a, *y = b;
    int order = by_node(a, b);
    return order ? order : x->origin != y->origin ? (x->origin > y->origin ? -1 : 1) : 0;
}

static int by_launch(const void *a, const void *b)
{
    const recorded_launch *x = a, *y = b;
    return by_two(x->pid, y->pid, x->correlation, y->correlation);
}

static bool take_launch_frame(recording *r, const frame *f)
{
    int64_t priority = frame_field(f, LAUNCH_PRIORITY);
    recorded_launch l = {.pid = r->process.pid,
                         .correlation = recorded_number(f, LAUNCH_CORRELATION),
                         .is_cooperative = frame_field(f, LAUNCH_COOPERATIVE) > 0,
                         .is_programmatic = frame_field(f, LAUNCH_PROGRAMMATIC) > 0,
                         .has_event = frame_field(f, LAUNCH_PROGRAMMATIC_EVENT) > 0,
                         .has_priority = priority >= -64 && priority <= 64,
                         .priority = priority >= -64 && priority <= 64 ? (int)priority : 0};
    for (size_t i = 0; i < 3; i++) {
        int64_t n = frame_field(f, LAUNCH_CLUSTER_X + i);
        l.cluster[i] = n > 0 && n <= INT32_MAX ? (uint32_t)n : 0;
    }
    return vec_push(&r->launches, l);
}

static bool take_node_frame(recording *r, const frame *f)
{
    recorded_node n = {.pid = r->process.pid,
                       .node = recorded_number(f, NODE_NODE),
                       .graph = recorded_number(f, NODE_GRAPH),
                       .type = recorded_number(f, NODE_TYPE),
                       .origin = recorded_number(f, NODE_ORIGIN)};
    n.graph = n.graph == PROF_UNKNOWN ? 0 : n.graph;
    n.origin = n.origin == PROF_UNKNOWN ? 0 : n.origin;
    recorded_use use = {.pid = n.pid, .number = n.origin, .frame = r->frame_count};
    return vec_push(&r->nodes, n) && (!n.origin || vec_push(&r->uses, use));
}

static bool take_exec_frame(recording *r, const frame *f)
{
    recorded_use use = {
        .pid = r->process.pid, .number = recorded_number(f, EXEC_GRAPH), .is_graph = true, .frame = r->frame_count};
    return vec_push(&r->uses, use);
}

static bool take_edge_frame(recording *r, const frame *f)
{
    recorded_edge e = {.pid = r->process.pid,
                       .graph = recorded_number(f, EDGE_GRAPH),
                       .before = recorded_number(f, EDGE_BEFORE),
                       .node = recorded_number(f, EDGE_NODE),
                       .port = recorded_number(f, EDGE_PORT)};
    e.port = e.port == PROF_UNKNOWN ? 0 : e.port;
    e.graph = e.graph == PROF_UNKNOWN ? 0 : e.graph;
    recorded_removal removal = {.edge = e, .frame = r->frame_count};
    return frame_field(f, EDGE_REMOVED) > 0 ? vec_push(&r->removed, removal) : vec_push(&r->edges, e);
}

bool take_graph_frame(recording *r, const frame *f)
{
    return f->kind == RECORDED_LAUNCH ? take_launch_frame(r, f)
           : f->kind == RECORDED_NODE ? take_node_frame(r, f)
           : f->kind == RECORDED_EDGE ? take_edge_frame(r, f)
                                      : take_exec_frame(r, f);
}

static bool was_used(const recording *r, const recorded_use *key)
{
    size_t low = 0, high = r->uses.count;
    while (low < high) { /* the first that is not below the key; its frame is the least */
        size_t middle = low + (high - low) / 2;
        if (by_use(&r->uses.at[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->uses.count && by_use(&r->uses.at[low], key) == 0 && r->uses.at[low].frame < key->frame;
}

/* Graphs are destroyed, edge by edge, while executable ones that were made of them go on. */
static bool is_effective(const recording *r, const recorded_removal *removal)
{
    recorded_use node = {.pid = removal->edge.pid, .number = removal->edge.node, .frame = removal->frame};
    recorded_use graph = {
        .pid = removal->edge.pid, .number = removal->edge.graph, .is_graph = true, .frame = removal->frame};
    return !was_used(r, &node) && !was_used(r, &graph);
}

/* Leaves out edges that were removed, and keeps each once. Both lists are sorted. */
static void remove_edges(recording *r)
{
    size_t kept = 0, k = 0;
    for (size_t i = 0; i < r->edges.count; i++) {
        recorded_edge e = r->edges.at[i];
        while (k < r->removed.count && by_edge(&r->removed.at[k].edge, &e) < 0)
            k++;
        bool is_removed = false;
        for (size_t m = k; m < r->removed.count && by_edge(&r->removed.at[m].edge, &e) == 0 && !is_removed; m++)
            is_removed = is_effective(r, &r->removed.at[m]);
        bool is_repeated = kept && by_edge(&r->edges.at[kept - 1], &e) == 0;
        if (!is_removed && !is_repeated)
            r->edges.at[kept++] = e;
    }
    r->edges.count = kept;
}

static void keep_each_node_once(recording *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->nodes.count; i++)
        if (!kept || by_node(&r->nodes.at[kept - 1], &r->nodes.at[i]) != 0)
            r->nodes.at[kept++] = r->nodes.at[i];
    r->nodes.count = kept;
}

#define SORT(list, order)                                                                                              \
    do {                                                                                                               \
        if ((list)->count)                                                                                             \
            qsort((list)->at, (list)->count, sizeof *(list)->at, order);                                               \
    } while (0)

void recorded_settle(recording *r)
{
    SORT(&r->nodes, by_node_and_origin);
    SORT(&r->edges, by_edge);
    SORT(&r->removed, by_removal);
    SORT(&r->uses, by_use_and_frame);
    SORT(&r->launches, by_launch);
    keep_each_node_once(r);
    remove_edges(r);
}

void recorded_extras_take(recording *r, recorded_extras *e)
{
    *e = (recorded_extras){.nodes = r->nodes.at,
                           .node_count = r->nodes.count,
                           .edges = r->edges.at,
                           .edge_count = r->edges.count,
                           .launches = r->launches.at,
                           .launch_count = r->launches.count};
    r->nodes.at = NULL;
    r->edges.at = NULL;
    r->launches.at = NULL;
}

bool recorded_tell_graphs(recording *r)
{
    enum { GRAPH_NODE = 4 };
    bool ok = true;
    for (size_t i = 0; i < r->nodes.count && ok; i++) {
        const recorded_node *n = &r->nodes.at[i];
        prof_node node = {.pid = n->pid,
                          .number = n->node,
                          .graph = n->graph,
                          .origin = n->origin,
                          .is_graph = n->type == GRAPH_NODE};
        ok = prof_add_node(r->trace, &node);
    }
    for (size_t i = 0; i < r->edges.count && ok; i++) {
        const recorded_edge *e = &r->edges.at[i];
        prof_edge edge = {.pid = e->pid, .before = e->before, .node = e->node};
        edge.port = e->port == 1   ? GCAST_PORT_PROGRAMMATIC
                    : e->port == 2 ? GCAST_PORT_LAUNCH_COMPLETION
                                   : GCAST_PORT_FULL;
        ok = prof_add_edge(r->trace, &edge);
    }
    return ok;
}

void recorded_extras_free(recorded_extras *e)
{
    free(e->nodes);
    free(e->edges);
    free(e->launches);
    *e = (recorded_extras){0};
}

int64_t recorded_origin(const recorded_extras *e, int64_t pid, int64_t node)
{
    for (int i = 0; i < MAX_CLONES; i++) {
        const recorded_node key = {.pid = pid, .node = node};
        const recorded_node *found =
            e->node_count ? bsearch(&key, e->nodes, e->node_count, sizeof *e->nodes, by_node) : NULL;
        if (!found || !found->origin)
            break;
        node = found->origin;
    }
    return node;
}
