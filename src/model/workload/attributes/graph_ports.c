/* O(ops and edges). */
#include "model/workload/attributes/graph_ports.h"

#include <stdlib.h>

/* The edges with ports that come from an op, as they are in the workload. */
typedef struct out_ports {
    size_t count;        /* of either kind */
    bool from_its_start; /* one is launch_completion */
} out_ports;

/* How many edges there are in all; 0, if none has a port. */
static size_t count_edges(const gcast_workload *w)
{
    size_t edges = 0;
    bool ported = false;
    for (size_t i = 0; i < w->op_count; i++) {
        edges += w->ops[i].after_count;
        ported = ported || w->ops[i].ports;
    }
    return ported ? edges : 0;
}

static void count_out(const gcast_workload *w, out_ports *out)
{
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].after_count && w->ops[i].ports; k++) {
            out_ports *from = &out[w->ops[i].after[k]];
            from->count += w->ops[i].ports[k] != GCAST_PORT_FULL;
            from->from_its_start = from->from_its_start || w->ops[i].ports[k] == GCAST_PORT_LAUNCH_COMPLETION;
        }
}

/* The ports of what one op is after. */
static void set_ports(const gcast_op *op, const out_ports *out, gcast_port *ports)
{
    uint32_t first = UINT32_MAX; /* of the nodes that it is after by a port */
    for (size_t k = 0; k < op->after_count; k++) {
        uint32_t from = op->after[k];
        ports[k] = op->ports ? op->ports[k] : GCAST_PORT_FULL;
        if (ports[k] == GCAST_PORT_PROGRAMMATIC && out[from].from_its_start)
            ports[k] = GCAST_PORT_FULL;
        if (ports[k] != GCAST_PORT_FULL && from < first)
            first = from;
    }
    for (size_t k = 0; k < op->after_count && first != UINT32_MAX; k++)
        if (op->after[k] != first && (out[op->after[k]].count > 1 || out[first].count > 1))
            ports[k] = GCAST_PORT_FULL;
}

bool graph_ports_init(graph_ports *p, const gcast_workload *w)
{
    size_t edges = count_edges(w), filled = 0;
    *p = (graph_ports){0};
    if (!edges)
        return true;
    out_ports *out = calloc(w->op_count, sizeof *out);
    p->first = calloc(w->op_count, sizeof *p->first);
    p->ports = calloc(edges, sizeof *p->ports);
    bool ok = out && p->first && p->ports;
    if (ok)
        count_out(w, out);
    for (size_t i = 0; i < w->op_count && ok; i++) {
        p->first[i] = filled;
        set_ports(&w->ops[i], out, p->ports + filled);
        filled += w->ops[i].after_count;
    }
    free(out);
    return ok;
}

void graph_ports_free(graph_ports *p)
{
    free(p->first);
    free(p->ports);
    *p = (graph_ports){0};
}
