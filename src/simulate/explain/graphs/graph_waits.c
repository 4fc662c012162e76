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
static int64_t seen_at(const gcast_run *run, const node_times *t, size_t i, const graph_edge *edge)
{
    const gcast_run_op *y = &run->ops[i];
    if (edge->port == GCAST_PORT_FULL)
        return t->done[i - t->first] + edge->delay_ns;
    int64_t from = edge->port == GCAST_PORT_PROGRAMMATIC ? open_times_triggered(run, t, i) : y->dispatched_ns;
    return max_i64(from + edge->delay_ns, y->dispatched_ns + 1);
}

/* Collects the edges that lead to the subject. Returns how many. */
static size_t collect(const gcast_run *run, const node_times *t, size_t subject, seen_edge *found)
{
    size_t count = 0;
    for (size_t i = t->first; i < subject; i++) {
        const graph_node *y = &t->shape.nodes[run->ops[i].op];
        for (uint32_t k = y->first_edge; k < y->first_edge + y->edge_count; k++)
            if (dependencies_operation(i, run->ops[i].op, t->shape.edges[k].to) == subject)
                found[count++] = (seen_edge){seen_at(run, t, i, &t->shape.edges[k]), i};
    }
    return count;
}

bool explain_edges(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end)
{
    node_times t;
    seen_edge *found = calloc(run_spec(run, subject)->after_count + 1, sizeof *found);
    bool ok = node_times_init(&t, run, subject) && found;
    size_t count = ok ? collect(run, &t, subject, found) : 0;
    if (count)
        qsort(found, count, sizeof *found, by_time);
    for (size_t i = 0; i < count && *start < end; i++) {
        int64_t seen_ns = min_i64(found[i].seen_ns, end);
        if (seen_ns <= *start)
            continue;
        explain_add_for(e, GCAST_WHY_EDGE, *start, seen_ns, found[i].from);
        *start = seen_ns;
    }
    node_times_free(&t);
    free(found);
    return ok;
}
