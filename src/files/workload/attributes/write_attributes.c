#include "files/workload/attributes/write_attributes.h"

#include "files/workload/write_kernel.h"
#include "model/workload/attributes/attributes.h"

static void write_edge(text *t, const gcast_workload *w, const gcast_op *op, size_t i)
{
    const char *label = w->ops[op->after[i]].label;
    if (!op->ports || op->ports[i] == GCAST_PORT_FULL) {
        text_json(t, label);
        return;
    }
    text_str(t, "{\"op\": ");
    text_json(t, label);
    write_text(t, "port", gcast_port_name(op->ports[i]));
    text_char(t, '}');
}

void write_after(text *t, const gcast_workload *w, const gcast_op *op)
{
    if (op->graph != GCAST_NO_GRAPH)
        write_text(t, "graph", w->graphs[op->graph]);
    for (size_t i = 0; i < op->after_count; i++) {
        text_str(t, i ? ", " : ", \"after\": [");
        write_edge(t, w, op, i);
    }
    if (op->after_count)
        text_char(t, ']');
}

void write_attributes(text *t, const gcast_workload *w, const gcast_op *op)
{
    if (attributes_cluster(op) != 1)
        write_dimensions(t, "cluster", op->cluster);
    if (op->cooperative)
        text_str(t, ", \"cooperative\": true");
    if (op->programmatic)
        text_str(t, ", \"programmatic\": true");
    write_int(t, "trigger_ns", op->trigger_ns, GCAST_NEVER);
    write_int(t, "wait_ns", op->wait_ns, GCAST_NEVER);
    for (size_t i = 0; i < op->waits_for_count; i++) {
        text_str(t, i ? ", " : ", \"waits_for\": [");
        text_json(t, w->ops[op->waits_for[i]].label);
    }
    if (op->waits_for_count)
        text_char(t, ']');
}
