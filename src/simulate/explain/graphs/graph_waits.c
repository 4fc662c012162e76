#include "simulate/explain/graphs/graph_waits.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "model/workload/dependencies/dependencies.h"
#include "simulate/explain/wait_list.h"
#include "simulate/rules/graph_shape.h"
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

/* When an edge of operation i is seen. done_ns: when i was done. */
static int64_t seen_at(const gcast_run *run, const graph_shape *shape, size_t i, const graph_edge *edge,
                       int64_t done_ns)
{
    const gcast_run_op *y = &run->ops[i];
    if (edge->port == GCAST_PORT_FULL)
        return done_ns + edge->delay_ns;
    int64_t from = y->dispatched_ns;
    if (edge->port == GCAST_PORT_PROGRAMMATIC)
        from = shape->nodes[y->op].triggers_early ? from + run_spec(run, i)->trigger_ns : y->end_ns;
    return max_i64(from + edge->delay_ns, y->dispatched_ns + 1);
}

/* Goes through all edges of the launch, and collects those that lead to the subject. Returns how many. done[]: by node,
 * 0 at first. */
static size_t collect(const gcast_run *run, const graph_shape *shape, size_t subject, int64_t *done, seen_edge *found)
{
    size_t first = graph_launch_first(run, subject), count = 0;
    for (size_t i = first; i < subject; i++) {
        const graph_node *y = &shape->nodes[run->ops[i].op];
        done[i - first] = max_i64(done[i - first], run->ops[i].end_ns);
        for (uint32_t k = y->first_edge; k < y->first_edge + y->edge_count; k++) {
            const graph_edge *edge = &shape->edges[k];
            size_t to = dependencies_operation(i, run->ops[i].op, edge->to);
            if (to == subject)
                found[count++] = (seen_edge){seen_at(run, shape, i, edge, done[i - first]), i};
            if (edge->port != GCAST_PORT_FULL)
                done[to - first] = max_i64(done[to - first], done[i - first]);
        }
    }
    return count;
}

bool explain_edges(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end)
{
    size_t nodes = graph_launch_behind(run, subject) - graph_launch_first(run, subject);
    graph_shape shape;
    bool ok = graph_shape_init(&shape, run->workload, run->gpu);
    int64_t *done = calloc(nodes, sizeof *done);
    seen_edge *found = calloc(run_spec(run, subject)->after_count + 1, sizeof *found);
    ok = ok && done && found;
    size_t count = ok ? collect(run, &shape, subject, done, found) : 0;
    if (count)
        qsort(found, count, sizeof *found, by_time);
    for (size_t i = 0; i < count && *start < end; i++) {
        int64_t seen_ns = min_i64(found[i].seen_ns, end);
        if (seen_ns <= *start)
            continue;
        explain_add_for(e, GCAST_WHY_EDGE, *start, seen_ns, found[i].from);
        *start = seen_ns;
    }
    graph_shape_free(&shape);
    free(done);
    free(found);
    return ok;
}
