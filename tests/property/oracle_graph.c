/* "Graphs" of docs/model.md. Everything is found again from the nodes and edges whenever it is asked for. */
#include "property/oracle_state.h"

static bool is_node(const oracle_op *x)
{
    return x->op->graph != GCAST_NO_GRAPH;
}

static bool same_launch(const oracle_op *x, const oracle_op *y)
{
    return is_node(x) && x->op->graph == y->op->graph && x->op->task == y->op->task && x->run.job == y->run.job;
}

const oracle_op *oracle_first(const oracle_state *o, const oracle_op *x)
{
    while (is_node(x) && x > o->ops && same_launch(x, x - 1))
        x--;
    return x;
}

/* The operation behind the last node of the launch of x. */
static const oracle_op *behind_launch(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *y = x + 1;
    while (y < o->ops + o->count && same_launch(x, y))
        y++;
    return y;
}

/* Number k of what x is after. */
static const oracle_op *named(const oracle_op *x, size_t k)
{
    return x + x->op->after[k] - x->run.op;
}

static bool is_edge(const oracle_op *x, size_t k)
{
    return is_node(x) && same_launch(x, named(x, k));
}

bool oracle_has_edges(const oracle_op *x)
{
    for (size_t k = 0; k < x->op->after_count; k++)
        if (is_edge(x, k))
            return true;
    return false;
}

static int roots_before(const oracle_state *o, const oracle_op *x)
{
    int roots = 0;
    for (const oracle_op *y = oracle_first(o, x); y < x; y++)
        roots += !oracle_has_edges(y);
    return roots;
}

/* "Parts". */
static int part_of(const oracle_state *o, const oracle_op *x)
{
    int part = -1;
    for (size_t k = 0; k < x->op->after_count; k++)
        if (is_edge(x, k) && (part < 0 || part_of(o, named(x, k)) < part))
            part = part_of(o, named(x, k));
    return part < 0 ? roots_before(o, x) : part;
}

static bool is_between(const oracle_op *x)
{
    return x->op->kind == GCAST_KIND_COPY && x->op->direction != GCAST_D2D;
}

static bool is_far(const oracle_state *o, const oracle_op *x)
{
    bool far = is_between(x);
    for (size_t k = 0; k < x->op->after_count; k++)
        if (is_edge(x, k))
            far = far || is_between(named(x, k)) || part_of(o, named(x, k)) != part_of(o, x);
    return far;
}

/* How many edges with this port the workload has from y. */
static int given_edges(const oracle_state *o, const oracle_op *y, gcast_port port)
{
    int count = 0;
    for (const oracle_op *z = y + 1; z < behind_launch(o, y); z++)
        for (size_t k = 0; k < z->op->after_count; k++)
            count += z->op->ports && is_edge(z, k) && named(z, k) == y && z->op->ports[k] == port;
    return count;
}

static bool has_another(const oracle_state *o, const oracle_op *y)
{
    return given_edges(o, y, GCAST_PORT_PROGRAMMATIC) + given_edges(o, y, GCAST_PORT_LAUNCH_COMPLETION) > 1;
}

/* The port of edge number k of x after the second case of "Ports". */
static gcast_port port_left(const oracle_state *o, const oracle_op *x, size_t k)
{
    gcast_port port = x->op->ports && is_edge(x, k) ? x->op->ports[k] : GCAST_PORT_FULL;
    bool both = port == GCAST_PORT_PROGRAMMATIC && given_edges(o, named(x, k), GCAST_PORT_LAUNCH_COMPLETION);
    return both ? GCAST_PORT_FULL : port;
}

/* "Ports". */
static gcast_port port_of(const oracle_state *o, const oracle_op *x, size_t k)
{
    const oracle_op *first = NULL, *y = named(x, k);
    gcast_port port = port_left(o, x, k);
    if (port == GCAST_PORT_FULL || is_far(o, x))
        return GCAST_PORT_FULL;
    for (size_t other = 0; other < x->op->after_count; other++)
        if (port_left(o, x, other) != GCAST_PORT_FULL && (!first || named(x, other) < first))
            first = named(x, other);
    return y != first && (has_another(o, y) || has_another(o, first)) ? GCAST_PORT_FULL : port;
}

/* When y is done; -1: not yet. */
static int64_t done_at(const oracle_state *o, const oracle_op *y)
{
    int64_t done = oracle_ended(y) ? y->run.end_ns : -1;
    for (size_t k = 0; k < y->op->after_count && done >= 0; k++) {
        if (!is_edge(y, k) || port_of(o, y, k) == GCAST_PORT_FULL)
            continue;
        int64_t other = done_at(o, named(y, k));
        done = other < 0 ? -1 : other > done ? other : done;
    }
    return done;
}

/* Edges from y to nodes that are not far and that count as this port: before x, and in all. */
static void count_edges(const oracle_state *o, const oracle_op *x, const oracle_op *y, gcast_port port, int64_t *before,
                        int64_t *all)
{
    *before = *all = 0;
    for (const oracle_op *z = oracle_first(o, y); z < behind_launch(o, y); z++)
        for (size_t k = 0; k < z->op->after_count; k++)
            if (is_edge(z, k) && named(z, k) == y && !is_far(o, z) && port_of(o, z, k) == port) {
                *all += 1;
                *before += z < x;
            }
}

int64_t oracle_nodes_done(const oracle_state *o, const oracle_op *x)
{
    int64_t last = 0;
    for (size_t k = 0; k < x->op->after_count && last >= 0; k++) {
        if (!is_edge(x, k) || port_of(o, x, k) == GCAST_PORT_FULL)
            continue;
        int64_t done = done_at(o, named(x, k));
        last = done < 0 ? -1 : done > last ? done : last;
    }
    return last;
}

/* When the edge number k of x is seen; -1: it is not known. */
static int64_t edge_seen(const oracle_state *o, const oracle_op *x, size_t k)
{
    const gcast_gpu *g = o->gpu;
    const oracle_op *y = named(x, k);
    gcast_port port = port_of(o, x, k);
    int64_t i, w, from, gap = g->graph_gap_ns ? g->graph_gap_ns : g->stream_gap_ns;
    count_edges(o, x, y, port, &i, &w);
    if (port == GCAST_PORT_FULL) {
        from = done_at(o, y);
        if (from < 0)
            return -1;
        if (is_far(o, x))
            return from + oracle_event_gap(o);
        if (g->graph_wide && w >= g->graph_wide)
            return from + gap + g->graph_wide_ns + (w - 1 - i) * g->graph_wide_step_ns;
        return from + gap + i * g->graph_step_ns;
    }
    int64_t dispatched = y->run.dispatched_ns;
    bool starts = port == GCAST_PORT_LAUNCH_COMPLETION;
    int64_t own = starts ? g->graph_start_gap_ns : g->graph_trigger_gap_ns;
    from = starts ? dispatched : oracle_triggered(o, y);
    if (from < 0)
        return -1;
    from += (own ? own : gap) + i * g->graph_step_ns;
    return from > dispatched ? from : dispatched + 1;
}

int64_t oracle_edges_seen(const oracle_state *o, const oracle_op *x)
{
    int64_t seen = 0;
    for (size_t k = 0; k < x->op->after_count && seen >= 0; k++)
        if (is_edge(x, k)) {
            int64_t edge = edge_seen(o, x, k);
            seen = edge < 0 ? -1 : edge > seen ? edge : seen;
        }
    return seen;
}

const oracle_op *oracle_last_node(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *last = x;
    for (const oracle_op *y = oracle_first(o, x); is_node(x) && y < behind_launch(o, x); y++) {
        if (!oracle_complete(y))
            return y;
        last = y->completion > last->completion ? y : last;
    }
    return last;
}

/* Does a kernel come before x in its graph? */
static bool behind_kernel(const oracle_op *x)
{
    for (size_t k = 0; k < x->op->after_count; k++)
        if (is_edge(x, k) && (oracle_is_kernel(named(x, k)) || behind_kernel(named(x, k))))
            return true;
    return false;
}

bool oracle_joins(const oracle_op *x)
{
    return oracle_is_kernel(x) && !(is_node(x) && behind_kernel(x));
}

bool oracle_joins_alone(const oracle_state *o, const oracle_op *x)
{
    for (const oracle_op *y = oracle_first(o, x); y < x; y++)
        if (oracle_joins(y))
            return true;
    return false;
}

int64_t oracle_graph_latency(const oracle_state *o, const oracle_op *x)
{
    int64_t latency = o->gpu->graph_latency_ns ? o->gpu->graph_latency_ns : o->gpu->launch_latency_ns;
    return latency + (behind_launch(o, x) - oracle_first(o, x)) * o->gpu->graph_node_ns +
           roots_before(o, x) * o->gpu->graph_root_ns;
}

int64_t oracle_node_arrives(const oracle_state *o, const oracle_op *x, int64_t arrives)
{
    const oracle_op *first = oracle_first(o, x);
    if (oracle_has_edges(x))
        return first->run.arrive_ns;
    return first != x && first->run.arrive_ns > arrives ? first->run.arrive_ns : arrives;
}
