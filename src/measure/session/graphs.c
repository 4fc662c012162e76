#include "measure/session/graphs.h"

#include "measure/launch/graph_making.h"
#include "measure/session/driver_calls.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/dependencies/dependencies.h"

/* Adds the node of operation i. */
static gcast_status add_node(session *s, graph_making *g, size_t i, gcast_error *err)
{
    const gcast_op *op = session_spec(s, i);
    if (op->kind == GCAST_KIND_KERNEL) {
        kernel_call k = session_kernel(s, i, false);
        return graph_making_kernel(g, &k, err);
    }
    graph_copy c = {.op = op,
                    .from = s->device_source,
                    .to = s->device_target,
                    .host_from = s->host_source,
                    .host_to = s->host_target};
    return graph_making_copy(g, &c, err);
}

/* Adds the edges that lead to operation i, where `first` is the first node. */
static gcast_status add_edges(session *s, graph_making *g, size_t first, size_t i, gcast_error *err)
{
    const gcast_op *op = session_spec(s, i);
    gcast_status status = GCAST_OK;
    for (size_t k = 0; k < op->after_count && status == GCAST_OK; k++) {
        if (s->w->ops[op->after[k]].graph != op->graph)
            continue; /* the launch as a whole waits for it */
        size_t from = dependencies_operation(i, s->ops[i].op, op->after[k]);
        status = graph_making_edge(g, from - first, i - first, op->ports ? op->ports[k] : GCAST_PORT_FULL, err);
    }
    return status;
}

/* How many nodes of its launch operation i is after. */
static size_t edges_to(const session *s, size_t i)
{
    const gcast_op *op = session_spec(s, i);
    size_t count = 0;
    for (size_t k = 0; k < op->after_count; k++)
        count += s->w->ops[op->after[k]].graph == op->graph;
    return count;
}

static bool is_after(const session *s, size_t i, size_t other)
{
    const gcast_op *op = session_spec(s, i);
    for (size_t k = 0; k < op->after_count; k++)
        if (dependencies_operation(i, s->ops[i].op, op->after[k]) == other)
            return true;
    return false;
}

/* How the end of a copy or memset is seen. Events are nodes that the driver puts into its queues. Behind a copy between
 * host and device they are in the queue of that copy, unless something else is after the copy: then they would be in a
 * queue of kernels, and hold it up. Behind copies on the device and memsets they always would. */
static copy_end how_end_is_seen(const session *s, size_t i, size_t last)
{
    const gcast_op *op = session_spec(s, i);
    for (size_t k = i + 1; k < last; k++)
        if (session_spec(s, k)->kind == GCAST_KIND_KERNEL && edges_to(s, k) == 1 && is_after(s, k, i))
            return END_KERNEL;
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D ? END_EVENT : END_UNSEEN;
}

/* Of copies that are roots the event before the first tells when the launch was called. */
static void set_timing(session *s, size_t first, size_t i, size_t last)
{
    session_op *x = &s->at[i];
    x->timed_by = NO_EVENT;
    for (size_t k = first; k <= i && !edges_to(s, i) && x->timed_by == NO_EVENT; k++)
        if (session_spec(s, k)->kind != GCAST_KIND_KERNEL && !edges_to(s, k))
            x->timed_by = k;
    x->end = how_end_is_seen(s, i, last);
}

/* Adds the node of operation i, what it is after, and the event that tells its end. */
static gcast_status add_operation(session *s, graph_making *g, size_t first, size_t i, size_t last, gcast_error *err)
{
    gcast_status status = add_node(s, g, i, err);
    if (status == GCAST_OK)
        status = add_edges(s, g, first, i, err);
    if (status == GCAST_OK && session_spec(s, i)->kind != GCAST_KIND_KERNEL) {
        set_timing(s, first, i, last);
        if (s->at[i].end == END_EVENT)
            status = graph_making_event(g, i - first, s->at[i].after, err);
    }
    return session_error(s, i, status, err);
}

static gcast_status make_graph(session *s, size_t first, gcast_error *err)
{
    size_t last = first + 1;
    graph_making g;
    while (last < s->op_count && attributes_is_next_node(s->w, s->ops[last].op))
        last++;
    s->at[first].nodes = (uint32_t)(last - first);
    gcast_status status = graph_making_open(&g, &s->v.d, s->v.context, last - first, err);
    for (size_t i = first; i < last && status == GCAST_OK; i++)
        status = add_operation(s, &g, first, i, last, err);
    if (status == GCAST_OK)
        status = graph_making_finish(&g, s->helper_stream, &s->at[first].exec, err);
    graph_making_close(&g);
    return session_error(s, first, status, err);
}

gcast_status graphs_make(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++)
        if (attributes_is_first_node(s->w, s->ops[i].op))
            status = make_graph(s, i, err);
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->helper_stream) : status;
}
