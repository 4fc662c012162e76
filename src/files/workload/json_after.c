#include "files/workload/json_after.h"

#include <stdlib.h>
#include <string.h>

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

static void read_after(native_reader *r, const node *object, size_t op)
{
    node n = node_key(object, "after");
    size_t count = n.value ? node_count(&n) : 0;
    if (!count)
        return;
    uint32_t *after = malloc(count * sizeof *after);
    if (!after) {
        node_fail_as(&n, gcast_error_set_memory(r->doc.err));
        return;
    }
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        after[i] = find_label(r, &item);
    }
    if (r->doc.status == GCAST_OK && !workload_set_after(r->w, op, after, count))
        node_fail_as(&n, gcast_error_set_memory(r->doc.err));
    free(after);
}

/* The ops of this list are those of the workload from number `first` on. */
static void read_list(native_reader *r, const node *ops, size_t first)
{
    size_t count = ops->value ? node_count(ops) : 0;
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node op = node_item(ops, i);
        read_after(r, &op, first + i);
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
