/* As which ports the edges of graphs count: the hardware takes some of them as full (docs/model.md, Graphs: "Ports").
 */
#ifndef MODEL_WORKLOAD_ATTRIBUTES_GRAPH_PORTS_H
#define MODEL_WORKLOAD_ATTRIBUTES_GRAPH_PORTS_H

#include "gridcast/workload.h"

/* Of all edges of a workload; that those of far nodes are full is not in it. */
typedef struct graph_ports {
    size_t *first;     /* by op: of what it is after, in `ports`; NULL: all edges are full */
    gcast_port *ports; /* by op, and then by number of what it is after */
} graph_ports;

/* False without memory; free in any case. */
bool graph_ports_init(graph_ports *p, const gcast_workload *w);
void graph_ports_free(graph_ports *p);

/* The port of number k of what an op is after. */
static inline gcast_port graph_ports_of(const graph_ports *p, size_t op, size_t k)
{
    return p->first ? p->ports[p->first[op] + k] : GCAST_PORT_FULL;
}

#endif
