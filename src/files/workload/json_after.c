#include "files/workload/json_after.h"

#include <stdlib.h>
#include <string.h>

#include "files/workload/json_kernel.h"
#include "model/workload/edit.h"

/* The op with this label; UINT32_MAX and an error where there is none. */
static uint32_t find_label(native_reader *r, const node *n)
{
    const char *label = node_text(n);
    for (index_probe p = index_start(&r->labels, index_hash_text(label)); index_next(&r->labels, &p);)
        if (strcmp(r->w->ops[p.value].label, label) == 0)
            return p.value;
    node_fail(n, "there is no op with the label %.200s", label);
    return UINT32_MAX;
}

#define X(id, name, text) name,
static const char *const ports[] = {GCAST_PORT_TABLE(X) NULL};
#undef X

/* A label, or {"op": LABEL, "port": PORT}. */
static uint32_t read_edge(native_reader *r, const node *n, gcast_port *port)
{
    static const char *const keys[] = {"op", "port", NULL};
    *port = GCAST_PORT_FULL;
    if (!json_is_object(n->value))
        return find_label(r, n);
    node_known(n, keys);
    node label = node_key(n, "op");
    *port = (gcast_port)native_choice(n, "port", ports, GCAST_PORT_FULL);
    return find_label(r, &label);
}

static void read_after(native_reader *r, const node *object, size_t op)
{
    node n = node_key(object, "after");
    size_t count = n.value ? node_count(&n) : 0;
    if (!count)
        return;
    bool has_ports = false;
    uint32_t *after = malloc(count * sizeof *after);
    gcast_port *ports_of = malloc(count * sizeof *ports_of);
    if (!after || !ports_of)
        node_fail_as(&n, gcast_error_set_memory(r->doc.err));
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        after[i] = read_edge(r, &item, &ports_of[i]);
        has_ports |= ports_of[i] != GCAST_PORT_FULL;
    }
    if (r->doc.status == GCAST_OK &&
        (!workload_set_after(r->w, op, after, count) || (has_ports && !workload_set_ports(r->w, op, ports_of))))
        node_fail_as(&n, gcast_error_set_memory(r->doc.err));
    free(after);
    free(ports_of);
}

/* Kernels whose blocks the kernel's own wait for. */
static void read_waits_for(native_reader *r, const node *object, size_t op)
{
    node n = node_key(object, "waits_for");
    size_t count = n.value ? node_count(&n) : 0;
    if (n.value && !count)
        node_fail(&n, "must name at least one kernel");
    uint32_t *kernels = count ? malloc(count * sizeof *kernels) : NULL;
    if (count && !kernels)
        node_fail_as(&n, gcast_error_set_memory(r->doc.err));
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        kernels[i] = find_label(r, &item);
        for (size_t k = 0; k < i; k++)
            if (kernels[k] == kernels[i])
                node_fail(&item, "%.100s is there twice", r->w->ops[kernels[i]].label);
    }
    if (count && r->doc.status == GCAST_OK && !workload_set_waits_for(r->w, op, kernels, count))
        node_fail_as(&n, gcast_error_set_memory(r->doc.err));
    free(kernels);
}

/* The ops of this list are those of the workload from number `first` on. */
static void read_list(native_reader *r, const node *ops, size_t first)
{
    size_t count = ops->value ? node_count(ops) : 0;
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node op = node_item(ops, i);
        read_after(r, &op, first + i);
        read_waits_for(r, &op, first + i);
    }
}

void native_dependencies(native_reader *r)
{
    node ops = node_key(&r->root, "ops"), tasks = node_key(&r->root, "tasks");
    read_list(r, &ops, 0);
    for (size_t i = 0; i < r->w->task_count && r->doc.status == GCAST_OK; i++) {
        node task = node_item(&tasks, i), task_ops = node_key(&task, "ops");
        read_list(r, &task_ops, r->w->tasks[i].first_op);
    }
}
