/* The edges of a graph as a recording tells them. Nodes that ran nothing on the GPU, as empty ones and those of hosts,
 * are passed through: what is after them is after what they are after. The driver adds such nodes to executable graphs
 * itself, where many nodes are after one. */
#include <stdlib.h>

#include "base/index.h"
#include "profile/make/graphs/graph_launches.h"
#include "profile/nodes/trace_nodes.h"

#define MOST_PASSED 256 /* nodes without operations between two with one */

typedef struct told_launch {
    graph_launches *g;
    const made_item *launch;
    int64_t pid;
    hash_index index; /* from origins to operations of the launch */
    VEC(int64_t) passed;
    bool is_complete;             /* so far all edges can be told */
    uint64_t contradicted, early; /* edges that times contradict, or only as full ones */
} told_launch;

static uint32_t op_of(const told_launch *t, int64_t origin)
{
    for (index_probe p = index_start(&t->index, index_hash(&origin, sizeof origin)); index_next(&t->index, &p);)
        if (trace_op(t->g->m, p.value)->origin == origin)
            return p.value;
    return PROF_NONE;
}

/* Each node of the launch once, all of one graph: those of graphs in nodes have edges to nothing outside of these. */
static bool find_nodes(told_launch *t)
{
    const making *m = t->g->m;
    int64_t graph = -1;
    for (uint32_t k = 0; k < t->launch->op_count && t->is_complete; k++) {
        const prof_op *op = trace_op(m, t->launch->first_op + k);
        const prof_node *n = op->origin == PROF_UNKNOWN ? NULL : graph_node_find(m->t, t->pid, op->origin);
        t->is_complete = n && op_of(t, op->origin) == PROF_NONE && (graph < 0 || graph == n->graph);
        graph = n ? n->graph : graph;
        if (t->is_complete &&
            !index_add(&t->index, index_hash(&op->origin, sizeof op->origin), t->launch->first_op + k))
            return false;
    }
    return true;
}

/* Edges to an operation are added one after the other. */
static bool is_there(const making *m, uint32_t op, uint32_t before)
{
    for (size_t i = m->afters.count; i-- > 0 && m->afters.at[i].op == op;)
        if (m->afters.at[i].before == before)
            return true;
    return false;
}

/* What times say of the port: between kernels that ran at the same time an edge is no full one. */
static bool add_edge(told_launch *t, uint32_t op, uint32_t before, gcast_port port)
{
    making *m = t->g->m;
    const prof_op *x = trace_op(m, op), *y = trace_op(m, before);
    bool kernels = x->kind == GCAST_KIND_KERNEL && y->kind == GCAST_KIND_KERNEL;
    made_after a = {.op = op, .before = before, .port = kernels ? port : GCAST_PORT_FULL};
    if (op <= before || (!kernels && y->end_ns > x->start_ns)) {
        t->contradicted++;
        return true;
    }
    if (a.port == GCAST_PORT_FULL && y->end_ns > x->start_ns) {
        a.port = GCAST_PORT_PROGRAMMATIC;
        t->early++;
    }
    return vec_push(&m->afters, a);
}

static bool pass(told_launch *t, int64_t node)
{
    const prof_node *n = graph_node_find(t->g->m->t, t->pid, node);
    for (size_t i = 0; i < t->passed.count; i++)
        if (t->passed.at[i] == node)
            return true;
    t->is_complete = t->is_complete && !(n && n->is_graph) && t->passed.count < MOST_PASSED;
    return !t->is_complete || vec_push(&t->passed, node);
}

static bool add_edges_to(told_launch *t, uint32_t op)
{
    const prof_trace *trace = t->g->m->t;
    t->passed.count = 0;
    if (!vec_push(&t->passed, trace_op(t->g->m, op)->origin))
        return false;
    for (size_t i = 0; i < t->passed.count && t->is_complete; i++) {
        size_t count;
        const prof_edge *edges = graph_edges_to(trace, t->pid, t->passed.at[i], &count);
        for (size_t k = 0; k < count && t->is_complete; k++) {
            uint32_t before = op_of(t, edges[k].before);
            gcast_port port = i == 0 ? edges[k].port : GCAST_PORT_FULL;
            if (before == PROF_NONE ? !pass(t, edges[k].before)
                                    : before != op && !is_there(t->g->m, op, before) && !add_edge(t, op, before, port))
                return false;
        }
    }
    return true;
}

bool graph_edges_told(graph_launches *g, const made_item *launch, bool *told)
{
    uint32_t stream = trace_op(g->m, launch->first_op)->stream;
    told_launch t = {
        .g = g, .launch = launch, .pid = g->m->t->streams[stream].pid, .is_complete = g->m->t->node_count > 0};
    size_t at = g->m->afters.count;
    bool ok = find_nodes(&t);
    for (uint32_t k = 0; k < launch->op_count && ok && t.is_complete; k++)
        ok = add_edges_to(&t, launch->first_op + k);
    *told = t.is_complete && t.contradicted <= g->m->afters.count - at; /* else they cannot be believed */
    if (!*told)
        g->m->afters.count = at;
    g->contradicted += *told ? t.contradicted : 0;
    g->early += *told ? t.early : 0;
    index_free(&t.index);
    vec_free(&t.passed);
    return ok;
}
