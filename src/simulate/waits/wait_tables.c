#include "simulate/waits/wait_tables.h"

#include <stdlib.h>

#include "model/workload/attributes/attributes.h"
#include "model/workload/attributes/programmatic.h"
#include "model/workload/dependencies/dependencies.h"
#include "simulate/dispatch/groups.h"
#include "simulate/graph/graph_nodes.h"

/* Are there streams with programmatic kernels, or blocks that wait? */
static bool is_waiting(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].programmatic || attributes_waits(&w->ops[i]))
            return true;
    return false;
}

/* Does it count when the node o triggers, and is that another time after the start for each of its blocks? */
static bool node_triggers(const sim *s, uint32_t o)
{
    return sim_spec(s, o)->kind == GCAST_KIND_KERNEL && sim_spec(s, o)->trigger_ns != GCAST_NEVER &&
           graph_needs_trigger(s, o) && !group_durations_equal(s, o);
}

static bool any_node_triggers(const sim *s)
{
    bool any = false;
    for (uint32_t o = 0; s->graph && o < s->op_count && !any; o++)
        any = node_triggers(s, o);
    return any;
}

/* Of every operation with waits_for: the kernels whose blocks it waits for, and how many those are; of a node of a
 * graph, how many nodes its blocks wait for. */
static void link_edges(sim *s, sim_waits *all)
{
    uint32_t count = 0;
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        if (s->graph && attributes_waits(op))
            all->ops[o].pending = s->graph->nodes[o].undone;
        for (size_t k = 0; k < op->waits_for_count; k++) {
            sim_wait_op *named = &all->ops[dependencies_operation(o, s->ops[o].op, op->waits_for[k])];
            all->edges[count] = (sim_wait_edge){o, named->first_edge};
            named->first_edge = count++;
            all->ops[o].pending++;
        }
    }
}

/* Blocks that wait, and those whose triggers count, start one by one. */
static void set_starts(sim *s)
{
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        bool triggers = s->waits && s->waits->has_programmatic && op->trigger_ns != GCAST_NEVER && !graph_has(s, o);
        s->state[o].starts_each = attributes_waits(op) || triggers || node_triggers(s, o);
        s->state[o].starts_whole = op->cooperative;
    }
}

bool wait_tables_init(sim *s)
{
    size_t edges = 0, ops = (size_t)s->op_count + 1;
    bool may_hang = is_waiting(s->w);
    if (may_hang || any_node_triggers(s)) {
        sim_waits *all = s->waits = calloc(1, sizeof *all);
        for (uint32_t o = 0; o < s->op_count; o++)
            edges += sim_spec(s, o)->waits_for_count;
        if (!all || edges >= NONE)
            return false;
        all->ops = calloc(ops, sizeof *all->ops);
        all->edges = calloc(edges + 1, sizeof *all->edges);
        all->called = calloc(s->w->stream_count + 1, sizeof *all->called);
        all->departed = calloc(s->w->stream_count + 1, sizeof *all->departed);
        if (!all->ops || !all->edges || !all->called || !all->departed)
            return false;
        for (uint32_t o = 0; o < s->op_count; o++)
            all->ops[o].before = all->ops[o].behind = all->ops[o].first_edge = NONE;
        all->may_hang = may_hang;
        all->gap_ns = programmatic_gap_of(s->gpu);
        all->wait_gap_ns = programmatic_wait_of(s->gpu);
        all->node_gap_ns = programmatic_node_wait_of(s->gpu);
        all->depth = (uint64_t)programmatic_depth_of(s->gpu);
        for (size_t i = 0; i < s->w->op_count; i++)
            all->has_programmatic = all->has_programmatic || s->w->ops[i].programmatic;
        link_edges(s, all);
    }
    set_starts(s);
    return true;
}

void wait_tables_free(sim *s)
{
    sim_waits *all = s->waits;
    if (!all)
        return;
    for (uint32_t o = 0; all->ops && o < s->op_count; o++)
        vec_free(&all->ops[o].blocks);
    vec_free(&all->triggers.items);
    vec_free(&all->candidates.items);
    free(all->ops);
    free(all->edges);
    free(all->called);
    free(all->departed);
    free(all);
    s->waits = NULL;
}
