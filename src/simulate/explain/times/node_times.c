#include "simulate/explain/times/node_times.h"

#include <stdlib.h>

#include "model/workload/dependencies/dependencies.h"
#include "simulate/run_ops.h"

static bool same_launch(const gcast_run *run, size_t a, size_t b)
{
    return run_spec(run, a)->graph != GCAST_NO_GRAPH && run_spec(run, a)->graph == run_spec(run, b)->graph &&
           run->ops[a].job == run->ops[b].job;
}

/* Sets the launch of `first`, and returns the operation behind its last one. */
static size_t set_launch(node_times *t, const gcast_run *run, size_t first)
{
    size_t last = first, behind = first + 1;
    for (; behind < run->op_count && same_launch(run, first, behind); behind++) {
        const gcast_run_op *r = &run->ops[behind], *l = &run->ops[last];
        if (r->end_ns > l->end_ns || (r->end_ns == l->end_ns && r->entry > l->entry))
            last = behind;
    }
    for (size_t i = first; i < behind; i++) {
        t->launch_first[i] = first;
        t->launch_last[i] = last;
    }
    return behind;
}

/* Nodes that are after operation i by another port than full are done no sooner than it is. */
static void pass_on(node_times *t, const gcast_run *run, size_t i)
{
    const graph_node *y = &t->shape.nodes[run->ops[i].op];
    for (uint32_t k = y->first_edge; k < y->first_edge + y->edge_count; k++) {
        size_t to = dependencies_operation(i, run->ops[i].op, t->shape.edges[k].to);
        if (t->shape.edges[k].port == GCAST_PORT_FULL || t->done_ns[to] >= t->done_ns[i])
            continue;
        t->done_ns[to] = t->done_ns[i];
        t->done_by[to] = t->done_by[i];
    }
}

bool node_times_init(node_times *t, const gcast_run *run)
{
    size_t count = run->op_count + 1;
    *t = (node_times){.launch_first = malloc(count * sizeof *t->launch_first),
                      .launch_last = malloc(count * sizeof *t->launch_last)};
    if (!t->launch_first || !t->launch_last)
        return false;
    for (size_t i = 0; i < run->op_count;)
        i = set_launch(t, run, i);
    if (!run->workload->graph_count)
        return true;
    t->done_ns = malloc(count * sizeof *t->done_ns);
    t->done_by = malloc(count * sizeof *t->done_by);
    if (!graph_shape_init(&t->shape, run->workload, run->gpu) || !t->done_ns || !t->done_by)
        return false;
    for (size_t i = 0; i < run->op_count; i++) {
        t->done_ns[i] = run->ops[i].end_ns;
        t->done_by[i] = i;
    }
    for (size_t i = 0; i < run->op_count; i++)
        if (run_spec(run, i)->graph != GCAST_NO_GRAPH)
            pass_on(t, run, i);
    return true;
}

void node_times_free(node_times *t)
{
    graph_shape_free(&t->shape);
    free(t->launch_first);
    free(t->launch_last);
    free(t->done_ns);
    free(t->done_by);
}

bool node_times_has_edges(const node_times *t, const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    if (i >= run->op_count || op->graph == GCAST_NO_GRAPH || t->launch_first[i] == i)
        return false;
    return op->after_count > 0; /* only the first node is after others than nodes */
}

bool node_times_waits(const node_times *t, const gcast_run *run, size_t i, size_t k)
{
    const gcast_op *op = run_spec(run, i);
    bool inside =
        i < run->op_count && op->graph != GCAST_NO_GRAPH && run->workload->ops[op->after[k]].graph == op->graph;
    return inside && graph_shape_port(&t->shape, run->ops[i].op, k) != GCAST_PORT_FULL;
}
