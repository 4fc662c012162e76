#include "simulate/explain/graphs/graph_waits.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "model/workload/dependencies/dependencies.h"
#include "simulate/explain/times/open_times.h"
#include "simulate/explain/wait_list.h"
#include "simulate/run_ops.h"

/* An edge that leads to the subject. */
typedef struct seen_edge {
    int64_t seen_ns; /* when it is seen */
    size_t from;     /* the operation that it comes from */
} seen_edge;

static int by_time(const void *a, const void *b)
{
    const seen_edge *x = a, *y = b;
    if (x->seen_ns != y->seen_ns)
        return x->seen_ns < y->seen_ns ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* When an edge of operation i is seen. */
static int64_t seen_at(const gcast_run *run, const run_index *x, size_t i, const graph_edge *edge)
{
    const gcast_run_op *y = &run->ops[i];
    if (edge->port == GCAST_PORT_FULL)
        return x->nodes.done_ns[i] + edge->delay_ns;
    int64_t from = edge->port == GCAST_PORT_PROGRAMMATIC ? open_times_triggered(run, x, i) : y->dispatched_ns;
    return max_i64(from + edge->delay_ns, y->dispatched_ns + 1);
}

/* The edge between two nodes: edges of a node are in the order of those that they lead to. */
static const graph_edge *edge_between(const graph_shape *shape, uint32_t from, uint32_t to)
{
    const graph_node *y = &shape->nodes[from];
    uint32_t low = y->first_edge, high = low + y->edge_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (shape->edges[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < y->first_edge + y->edge_count && shape->edges[low].to == to ? &shape->edges[low] : NULL;
}

/* Collects the edges that lead to the subject. Returns how many. */
static size_t collect(const gcast_run *run, const run_index *x, size_t subject, seen_edge *found)
{
    const gcast_op *op = run_spec(run, subject);
    size_t count = 0;
    for (size_t k = 0; k < op->after_count; k++) {
        const graph_edge *edge = edge_between(&x->nodes.shape, op->after[k], run->ops[subject].op);
        size_t from = dependencies_operation(subject, run->ops[subject].op, op->after[k]);
        if (edge)
            found[count++] = (seen_edge){seen_at(run, x, from, edge), from};
    }
    return count;
}

bool explain_edges(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end)
{
    seen_edge *found = calloc(run_spec(run, subject)->after_count + 1, sizeof *found);
    size_t count = found ? collect(run, e->index, subject, found) : 0;
    if (count)
        qsort(found, count, sizeof *found, by_time);
    for (size_t i = 0; i < count && *start < end; i++) {
        int64_t seen_ns = min_i64(found[i].seen_ns, end);
        if (seen_ns <= *start)
            continue;
        explain_add_for(e, GCAST_WHY_EDGE, *start, seen_ns, found[i].from);
        *start = seen_ns;
    }
    bool ok = found != NULL;
    free(found);
    return ok;
}
