/* Edges of graphs: when each is seen, and which nodes have seen all of theirs. O(1) for each edge, and O(log nodes) for
 * each node. */
#include "simulate/engine/graph_nodes.h"

#include <stdlib.h>

#include "base/integers.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"
#include "simulate/engine/state.h"

/* The operation that an edge of o leads to. */
static uint32_t target(const sim *s, uint32_t o, const graph_edge *edge)
{
    return (uint32_t)dependencies_operation(o, s->state[o].op, edge->to);
}

static void init_node(sim *s, uint32_t o)
{
    const graph_node *shape = graph_node_of(s, o);
    sim_node *x = &s->graph->nodes[o];
    x->first = shape->is_node ? o - shape->place : NONE;
    x->incomplete = shape->count;
    x->unseen = shape->after;
    for (uint32_t e = shape->first_edge; e < shape->first_edge + shape->edge_count; e++)
        if (s->graph->shape.edges[e].port != GCAST_PORT_FULL)
            s->graph->nodes[target(s, o, &s->graph->shape.edges[e])].undone++;
}

bool graph_init(sim *s)
{
    if (!s->w->graph_count)
        return true;
    s->graph = calloc(1, sizeof *s->graph);
    if (!s->graph || !graph_shape_init(&s->graph->shape, s->w, s->gpu))
        return false;
    s->graph->nodes = calloc((size_t)s->op_count + 1, sizeof *s->graph->nodes);
    for (uint32_t o = 0; o < s->op_count && s->graph->nodes; o++)
        init_node(s, o);
    return s->graph->nodes != NULL;
}

void graph_free(sim *s)
{
    if (!s->graph)
        return;
    graph_shape_free(&s->graph->shape);
    vec_free(&s->graph->seen.items);
    vec_free(&s->graph->entering.items);
    vec_free(&s->graph->done);
    vec_free(&s->graph->opened);
    free(s->graph->nodes);
    free(s->graph);
    s->graph = NULL;
}

/* An edge that leads to o is seen at this time. */
static void edge_is_seen(sim *s, uint32_t o, int64_t time)
{
    sim_node *x = &s->graph->nodes[o];
    x->seen_ns = max_i64(x->seen_ns, time);
    if (--x->unseen)
        return;
    sim_push(s, &s->graph->seen, x->seen_ns, 0, o);
    s->host_side_ns = min_i64(s->host_side_ns, x->seen_ns);
}

/* The edges of o with this port are due at this time. All blocks of o have started. */
static void port_happened(sim *s, uint32_t o, gcast_port port, int64_t time)
{
    const graph_node *shape = graph_node_of(s, o);
    int64_t dispatched = s->ops[o].dispatched_ns < 0 ? s->now : s->ops[o].dispatched_ns;
    for (uint32_t e = shape->first_edge; e < shape->first_edge + shape->edge_count; e++) {
        const graph_edge *edge = &s->graph->shape.edges[e];
        if (edge->port == port)
            edge_is_seen(s, target(s, o, edge), max_i64(sim_add_ns(s, o, time, edge->delay_ns), dispatched + 1));
    }
}

void graph_triggered(sim *s, uint32_t o, int64_t time)
{
    if (graph_has(s, o))
        port_happened(s, o, GCAST_PORT_PROGRAMMATIC, time);
}

void graph_dispatched(sim *s, uint32_t o)
{
    int64_t trigger = sim_spec(s, o)->trigger_ns, end = s->ops[o].end_ns;
    if (!graph_has(s, o))
        return;
    port_happened(s, o, GCAST_PORT_LAUNCH_COMPLETION, s->now);
    if (!s->state[o].starts_each) /* all blocks take the same time, or none triggers */
        port_happened(s, o, GCAST_PORT_PROGRAMMATIC,
                      trigger == GCAST_NEVER ? end : min_i64(end, sim_add_ns(s, o, s->now, trigger)));
}

bool graph_needs_trigger(const sim *s, uint32_t o)
{
    bool needs = false;
    const graph_node *shape = s->graph ? graph_node_of(s, o) : NULL;
    for (uint32_t e = 0; shape && e < shape->edge_count; e++)
        needs = needs || s->graph->shape.edges[shape->first_edge + e].port == GCAST_PORT_PROGRAMMATIC;
    return needs;
}

/* The node o is done: that may make other nodes done. */
static void tell_done(sim *s, uint32_t o)
{
    const graph_node *shape = graph_node_of(s, o);
    for (uint32_t e = shape->first_edge; e < shape->first_edge + shape->edge_count; e++) {
        const graph_edge *edge = &s->graph->shape.edges[e];
        uint32_t to = target(s, o, edge);
        sim_node *x = &s->graph->nodes[to];
        if (edge->port == GCAST_PORT_FULL) {
            edge_is_seen(s, to, sim_add_ns(s, o, s->now, edge->delay_ns));
            continue;
        }
        if (attributes_waits(sim_spec(s, to)) && !vec_push(&s->graph->opened, to))
            sim_fail_memory(s);
        if (--x->undone == 0 && x->is_complete && !vec_push(&s->graph->done, to))
            sim_fail_memory(s);
    }
}

bool graph_complete(sim *s, uint32_t o)
{
    sim_node *x = &s->graph->nodes[o];
    if (x->first == NONE)
        return true;
    x->is_complete = true;
    if (!x->undone && !vec_push(&s->graph->done, o))
        sim_fail_memory(s);
    while (s->graph->done.count && s->status == GCAST_OK)
        tell_done(s, s->graph->done.at[--s->graph->done.count]);
    return --s->graph->nodes[x->first].incomplete == 0;
}

int64_t graph_next_time(const sim *s)
{
    const heap_item *top = heap_top(&s->graph->seen);
    return top ? top->time : INT64_MAX;
}

uint32_t graph_next_seen(sim *s)
{
    for (const heap_item *top; (top = heap_top(&s->graph->seen)) && top->time <= s->now;) {
        uint32_t o = heap_pop(&s->graph->seen).id;
        s->graph->nodes[o].is_seen = true;
        sim_push(s, &s->graph->entering, (int64_t)s->ops[o].launch, 0, o);
    }
    return heap_top(&s->graph->entering) ? heap_pop(&s->graph->entering).id : NONE;
}
