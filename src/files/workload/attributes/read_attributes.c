#include "files/workload/attributes/read_attributes.h"

#include <string.h>

#include "files/workload/json_kernel.h"
#include "model/workload/edit.h"

void native_attributes(const node *n, gcast_op *op)
{
    if (node_key(n, "cluster").value)
        native_dimensions(n, "cluster", INT32_MAX, "blocks in a cluster", op->cluster);
    op->cooperative = get_bool_or(n, "cooperative", false);
    op->programmatic = get_bool_or(n, "programmatic", false);
    op->trigger_ns = get_int_or(n, "trigger_ns", 0, WORKLOAD_MAX_NS, GCAST_NEVER);
    bool waits = node_key(n, "waits_for").value != NULL;
    op->wait_ns = get_int_or(n, "wait_ns", 0, WORKLOAD_MAX_NS, waits ? 0 : GCAST_NEVER);
}

int native_graph(native_reader *r, const node *op)
{
    node at = node_key(op, "graph");
    if (!at.value)
        return GCAST_NO_GRAPH;
    const char *name = get_name(op, "graph");
    uint64_t hash = index_hash_text(name);
    for (index_probe p = index_start(&r->graphs, hash); index_next(&r->graphs, &p);)
        if (strcmp(r->w->graphs[p.value], name) == 0)
            return (int)p.value;
    int graph = GCAST_NO_GRAPH;
    if (r->doc.status == GCAST_OK && (gcast_workload_add_graph(r->w, name, &graph, r->doc.err) != GCAST_OK ||
                                      !index_add(&r->graphs, hash, (uint32_t)graph)))
        node_fail_as(&at, gcast_error_set_memory(r->doc.err));
    return graph;
}
