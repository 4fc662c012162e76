#include "files/workload/launches/read_child.h"

#include <string.h>

#include "files/workload/json_kernel.h"
#include "model/workload/edit.h"

node native_child_node(const launch_chain *c, const node *value)
{
    native_reader *r = c->r;
    const char *name = json_string_value(value->value);
    if (!name)
        return *value;
    uint64_t hash = index_hash_text(name);
    for (index_probe p = index_start(&r->names, hash); index_next(&r->names, &p);) {
        node child = node_item(&r->children, p.value);
        if (strcmp(json_string_value(json_object_get(child.value, "label")), name) == 0)
            return child;
    }
    node_fail(value, "there is no %.100s in /children", name);
    return *value;
}

/* The label of a child that has none: its parent's, with an ending. */
static const char *default_label(const launch_chain *c)
{
    static const char ending[] = ".child";
    size_t length = strlen(c->parent->label);
    char *label = arena_alloc(&c->r->launches, length + sizeof ending);
    if (!label)
        return NULL;
    memcpy(label, c->parent->label, length);
    memcpy(label + length, ending, sizeof ending);
    return label;
}

gcast_op *native_child(const launch_chain *c, const node *child, gcast_launches *l)
{
    static const char *const keys[] = {
        "label",    "block",       "registers", "static_smem", "dynamic_smem",    "barriers", "body",
        "carveout", "duration_ns", "item_ns",   "launches",    "items_per_block", NULL};
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    if (!node_is_object(child))
        return NULL;
    node_known(child, keys);
    op.label = node_key(child, "label").value ? get_name(child, "label") : default_label(c);
    native_shape(child, &op);
    op.shape.threads = (int)((int64_t)op.block[0] * op.block[1] * op.block[2]);
    native_duration(child, &op);
    if (!node_key(child, "duration_ns").value)
        node_fail(child, "duration_ns is missing: what a block takes without items");
    if (!node_key(child, "item_ns").value)
        node_fail(child, "item_ns is missing: what a thread takes for an item");
    l->child_item_ns = get_int(child, "item_ns", 0, WORKLOAD_MAX_NS);
    l->items_per_block = (uint32_t)get_int_or(child, "items_per_block", 1, UINT32_MAX, 0);
    gcast_op *copy = op.label ? arena_copy(&c->r->launches, &op, sizeof op) : NULL;
    if (!copy)
        node_fail_as(child, gcast_error_set_memory(child->doc->err));
    return copy;
}
