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

/* Events behind copies, added when all nodes are there: the order of nodes counts where a graph forks. The event before
 * the first copy tells when the launch was called, for all copies. */
static gcast_status add_events(session *s, graph_making *g, size_t first, gcast_error *err)
{
    size_t first_copy = SIZE_MAX;
    gcast_status status = GCAST_OK;
    for (size_t i = first; i < first + g->count && status == GCAST_OK; i++) {
        if (session_spec(s, i)->kind == GCAST_KIND_KERNEL)
            continue;
        first_copy = first_copy == SIZE_MAX ? i : first_copy;
        s->at[i].timed_by = first_copy;
        status = graph_making_event(g, i - first, s->at[i].after, err);
    }
    return status;
}

static gcast_status make_graph(session *s, size_t first, gcast_error *err)
{
    size_t last = first + 1;
    graph_making g;
    while (last < s->op_count && attributes_is_next_node(s->w, s->ops[last].op))
        last++;
    s->at[first].nodes = (uint32_t)(last - first);
    gcast_status status = graph_making_open(&g, &s->v.d, s->v.context, last - first, err);
    for (size_t i = first; i < last && status == GCAST_OK; i++) {
        status = session_error(s, i, add_node(s, &g, i, err), err);
        if (status == GCAST_OK)
            status = session_error(s, i, add_edges(s, &g, first, i, err), err);
    }
    if (status == GCAST_OK)
        status = add_events(s, &g, first, err);
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
