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

static bool is_between(const oracle_op *x)
{
    return x->op->kind == GCAST_KIND_COPY && x->op->direction != GCAST_D2D;
}

static bool on_sms(const oracle_op *x)
{
    return !is_between(x) && !(x->op->kind == GCAST_KIND_MEMSET && x->op->bytes <= 4096);
}

static bool is_inner(const oracle_op *x)
{
    bool inner = on_sms(x) && oracle_has_edges(x);
    for (size_t k = 0; k < x->op->after_count; k++)
        inner = inner && !(is_edge(x, k) && !on_sms(named(x, k)));
    return inner;
}

/* "Parts". */
static const oracle_op *part_of(const oracle_op *x)
{
    const oracle_op *part = NULL;
    if (!is_inner(x))
        return x;
    for (size_t k = 0; k < x->op->after_count; k++)
        if (is_edge(x, k) && (!part || part_of(named(x, k)) < part))
            part = part_of(named(x, k));
    return part;
}

static size_t first_edge(const oracle_op *x)
{
    size_t k = 0;
    while (!is_edge(x, k))
        k++;
    return k;
}

static bool is_far(const oracle_op *x)
{
    bool far = is_between(x);
    for (size_t k = 0; k < x->op->after_count; k++)
        if (is_edge(x, k))
            far = far || is_between(named(x, k)) || part_of(named(x, k)) != part_of(named(x, first_edge(x)));
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
    if (port == GCAST_PORT_FULL || is_far(x))
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
            if (is_edge(z, k) && named(z, k) == y && !is_far(z) && port_of(o, z, k) == port) {
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
        if (is_far(x) && is_between(x) != is_between(y) && g->graph_copy_gap_ns)
            return from + g->graph_copy_gap_ns;
        if (is_far(x))
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

bool oracle_joins(const oracle_op *x)
{
    return is_node(x) ? !is_inner(x) && !is_between(x) : oracle_is_kernel(x);
}

/* Does z, which is after y, continue the chain of y? "Chains". */
static bool continues(const oracle_state *o, const oracle_op *z, const oracle_op *y);

/* May z continue the chain of y, if no node before z does? */
static bool may_continue(const oracle_state *o, const oracle_op *z, const oracle_op *y)
{
    bool after = false;
    for (size_t k = 0; k < z->op->after_count; k++)
        after = after || (is_edge(z, k) && named(z, k) == y);
    for (const oracle_op *v = y + 1; v < behind_launch(o, y) && after && !is_inner(z); v++)
        for (size_t k = 0; k < v->op->after_count; k++)
            after = after && !(is_edge(v, k) && named(v, k) == y && is_inner(v));
    return after;
}

/* The node whose chain z continues; NULL: none. */
static const oracle_op *chain_before(const oracle_state *o, const oracle_op *z)
{
    for (const oracle_op *y = oracle_first(o, z); y < z; y++)
        if (continues(o, z, y))
            return y;
    return NULL;
}

static bool continues(const oracle_state *o, const oracle_op *z, const oracle_op *y)
{
    if (!may_continue(o, z, y))
        return false;
    for (const oracle_op *v = y + 1; v < z; v++)
        if (chain_before(o, v) == y)
            return false;
    return true;
}

static const oracle_op *chain_begin(const oracle_state *o, const oracle_op *x)
{
    for (const oracle_op *y = x; y; y = chain_before(o, x))
        x = y;
    return x;
}

const oracle_op *oracle_joins_behind(const oracle_state *o, const oracle_op *x)
{
    for (const oracle_op *y = is_node(x) ? chain_before(o, x) : NULL; y; y = chain_before(o, y))
        if (oracle_joins(y))
            return y;
    return NULL;
}

const oracle_op *oracle_copy_before(const oracle_state *o, const oracle_op *x)
{
    for (const oracle_op *y = is_node(x) ? chain_before(o, x) : NULL; y; y = chain_before(o, y))
        if (oracle_engine(o, y->op) == oracle_engine(o, x->op))
            return y;
    return NULL;
}

bool oracle_joins_alone(const oracle_state *o, const oracle_op *x)
{
    return is_node(x) && chain_begin(o, x) != oracle_first(o, x);
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
