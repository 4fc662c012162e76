#include "simulate/explain/times/node_times.h"

#include <stdlib.h>

#include "model/workload/dependencies/dependencies.h"
#include "simulate/run_ops.h"

static bool same_launch(const gcast_run *run, size_t a, size_t b)
{
    return run_spec(run, a)->graph != GCAST_NO_GRAPH && run_spec(run, a)->graph == run_spec(run, b)->graph &&
           run->ops[a].job == run->ops[b].job;
}

size_t graph_launch_first(const gcast_run *run, size_t i)
{
    while (i > 0 && i < run->op_count && same_launch(run, i, i - 1))
        i--;
    return i;
}

size_t graph_launch_behind(const gcast_run *run, size_t i)
{
    size_t behind = i + 1;
    while (behind < run->op_count && same_launch(run, i, behind))
        behind++;
    return behind;
}

size_t graph_launch_last(const gcast_run *run, size_t i)
{
    size_t last = i, behind = graph_launch_behind(run, i);
    for (size_t k = graph_launch_first(run, i); k < behind; k++) {
        const gcast_run_op *r = &run->ops[k], *l = &run->ops[last];
        if (r->end_ns > l->end_ns || (r->end_ns == l->end_ns && r->entry > l->entry))
            last = k;
    }
    return last;
}

bool graph_node_has_edges(const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    if (i >= run->op_count || op->graph == GCAST_NO_GRAPH || graph_launch_first(run, i) == i)
        return false;
    return op->after_count > 0; /* only the first node is after others than nodes */
}

/* Nodes that are after operation i by another port than full are done no sooner than it is. */
static void pass_on(node_times *t, const gcast_run *run, size_t i)
{
    const graph_node *y = &t->shape.nodes[run->ops[i].op];
    size_t from = i - t->first;
    for (uint32_t k = y->first_edge; k < y->first_edge + y->edge_count; k++) {
        size_t to = dependencies_operation(i, run->ops[i].op, t->shape.edges[k].to) - t->first;
        if (t->shape.edges[k].port == GCAST_PORT_FULL || t->done[to] >= t->done[from])
            continue;
        t->done[to] = t->done[from];
        t->last[to] = t->last[from];
    }
}

bool node_times_init(node_times *t, const gcast_run *run, size_t i)
{
    size_t behind = graph_launch_behind(run, i);
    *t = (node_times){.first = graph_launch_first(run, i)};
    if (i >= run->op_count || run_spec(run, i)->graph == GCAST_NO_GRAPH)
        return true;
    t->done = calloc(behind - t->first, sizeof *t->done);
    t->last = calloc(behind - t->first, sizeof *t->last);
    if (!graph_shape_init(&t->shape, run->workload, run->gpu) || !t->done || !t->last)
        return false;
    for (size_t k = t->first; k < behind; k++) {
        t->done[k - t->first] = run->ops[k].end_ns;
        t->last[k - t->first] = k;
    }
    for (size_t k = t->first; k < behind; k++)
        pass_on(t, run, k);
    return true;
}

void node_times_free(node_times *t)
{
    graph_shape_free(&t->shape);
    free(t->done);
    free(t->last);
}

bool node_times_waits(const node_times *t, const gcast_run *run, size_t i, size_t k)
{
    const gcast_op *op = run_spec(run, i);
    bool inside = t->last && run->workload->ops[op->after[k]].graph == op->graph;
    return inside && graph_shape_port(&t->shape, run->ops[i].op, k) != GCAST_PORT_FULL;
}
