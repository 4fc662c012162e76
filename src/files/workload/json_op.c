#include "files/workload/json_op.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/workload/attributes/read_attributes.h"
#include "files/workload/json_kernel.h"
#include "files/workload/json_policy.h"
#include "files/workload/launches/read_launches.h"
#include "model/gpu/latency.h"
#include "model/workload/edit.h"
#include "model/workload/mask.h"

/* Sets of kinds. */
#define IS(kind) (1u << GCAST_KIND_##kind)
#define ON_GPU (IS(KERNEL) | IS(COPY) | IS(MEMSET))
#define ALL (ON_GPU | IS(MALLOC) | IS(FREE) | IS(SYNC) | IS(BARRIER))

static const struct {
    const char *name;
    unsigned kinds; /* that may have this key */
    bool in_task;   /* an op of a task may have it */
} op_keys[] = {
    {"kind", ALL, true},
    {"label", ALL, true},
    {"stream", ON_GPU | IS(SYNC), true},
    {"host", ALL, false},
    {"release_ns", ALL, true},
    {"delay_ns", ALL, false},
    {"event_pause_ns", ALL, false},
    {"skip_ns", ALL, false},
    {"host_waits", ON_GPU, false},
    {"extra_latency_ns", ON_GPU, true},
    {"after", ON_GPU, true},
    {"grid", IS(KERNEL), true},
    {"block", IS(KERNEL), true},
    {"registers", IS(KERNEL), true},
    {"static_smem", IS(KERNEL), true},
    {"dynamic_smem", IS(KERNEL), true},
    {"barriers", IS(KERNEL), true},
    {"duration_ns", ON_GPU, true},
    {"block_ns", IS(KERNEL), true},
    {"body", IS(KERNEL), true},
    {"carveout", IS(KERNEL), true},
    {"allowed_sms", IS(KERNEL), true},
    {"policy", IS(KERNEL), true},
    {"plan", IS(KERNEL), true},
    {"fill", IS(KERNEL), true},
    {"launches", IS(KERNEL), true},
    {"graph", ON_GPU, true},
    {"cluster", IS(KERNEL), true},
    {"cooperative", IS(KERNEL), true},
    {"programmatic", IS(KERNEL), true},
    {"trigger_ns", IS(KERNEL), true},
    {"wait_ns", IS(KERNEL), true},
    {"waits_for", IS(KERNEL), true},
    {"direction", IS(COPY), true},
    {"bytes", IS(COPY) | IS(MEMSET) | IS(MALLOC), true},
    {"memory", IS(MALLOC) | IS(FREE), false},
    {"scope", IS(SYNC), false},
    {"barrier", IS(BARRIER), false},
};

static void check_keys(const node *n, gcast_kind kind, bool in_task)
{
    const char *key;
    json_t *value;
    json_object_foreach(n->value, key, value)
    {
        size_t k = 0, count = sizeof op_keys / sizeof op_keys[0];
        while (k < count && strcmp(op_keys[k].name, key) != 0)
            k++;
        node at = node_key(n, key);
        if (node_misplaced_notes(n, key) || strncmp(key, "x-", 2) == 0)
            continue;
        if (k == count)
            node_fail(&at, "unknown key %s", key);
        else if (!(op_keys[k].kinds & 1u << kind))
            node_fail(&at, "a %s has no %s", gcast_kind_name(kind), key);
        else if (in_task && !op_keys[k].in_task)
            node_fail(&at, "an op of a task has no %s", key);
    }
}

#define NAMES(list, table) static const char *const list[] = {table(X) NULL}
#define X(id, name, ...) name,
NAMES(kinds, GCAST_KIND_TABLE);
NAMES(directions, GCAST_DIRECTION_TABLE);
#undef X
static const char *const scopes[] = {"stream", "device", NULL};
static const char *const memories[] = {"device", "host", NULL};

/* The durations of blocks, for the caller to free. */
static int64_t *read_block_durations(const node *object, uint64_t blocks)
{
    node n = node_key(object, "block_ns");
    if (!n.value)
        return NULL;
    if (node_key(object, "duration_ns").value)
        node_fail(&n, "there is duration_ns too");
    size_t count = node_count(&n);
    if (count != blocks)
        node_fail(&n, "%zu durations for %llu blocks", count, (unsigned long long)blocks);
    int64_t *ns = n.doc->status == GCAST_OK ? malloc(count * sizeof *ns) : NULL;
    if (!ns && n.doc->status == GCAST_OK)
        node_fail_as(&n, gcast_error_set_memory(n.doc->err));
    for (size_t i = 0; ns && i < count; i++) {
        node item = node_item(&n, i);
        ns[i] = node_int(&item, 1, WORKLOAD_MAX_NS);
    }
    return ns;
}

static int read_allowed_sms(native_reader *r, const node *object)
{
    node n = node_key(object, "allowed_sms");
    if (!n.value)
        return GCAST_ALL_SMS;
    gcast_mask mask = {{0}};
    size_t count = node_count(&n);
    if (count == 0)
        node_fail(&n, "must name at least one SM");
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        int64_t sm = node_int(&item, 0, GCAST_MAX_SMS - 1);
        if (mask_has_sm(&mask, (int)sm))
            node_fail(&item, "SM %lld is there twice", (long long)sm);
        mask.word[sm / 64] |= (uint64_t)1 << sm % 64;
    }
    int index = 0;
    if (r->doc.status == GCAST_OK)
        node_fail_as(&n, gcast_workload_add_mask(r->w, &mask, &index, r->doc.err));
    return index;
}

static void read_kernel(native_reader *r, const node *n, gcast_op *op)
{
    native_dimensions(n, "grid", INT64_MAX, "blocks: there must be fewer than 2^63", op->grid);
    native_shape(n, op);
    op->mask = read_allowed_sms(r, n);
    native_duration(n, op);
    op->block_ns = read_block_durations(n, (uint64_t)op->grid[0] * op->grid[1] * op->grid[2]);
    native_policy(r, n, op);
    native_launches(r, n, op);
    native_attributes(n, op);
}

static void read_transfer(const node *n, gcast_op *op)
{
    if (op->kind == GCAST_KIND_COPY)
        op->direction = (gcast_direction)native_choice(n, "direction", directions, -1);
    native_duration(n, op);
    if (op->max_ns == GCAST_UNKNOWN_NS)
        op->bytes = get_int(n, "bytes", 0, INT64_MAX);
    else
        op->bytes = get_int_or(n, "bytes", 0, INT64_MAX, 0);
}

/* The host of this name, which is added where it is new. */
static int read_host(native_reader *r, const node *n)
{
    node at = node_key(n, "host");
    if (!at.value)
        return GCAST_NO_HOST;
    const char *name = get_name(n, "host");
    uint64_t hash = index_hash_text(name);
    for (index_probe p = index_start(&r->hosts, hash); index_next(&r->hosts, &p);)
        if (strcmp(r->w->hosts[p.value], name) == 0)
            return (int)p.value;
    int host = -1;
    if (gcast_workload_add_host(r->w, name, &host, r->doc.err) != GCAST_OK ||
        !index_add(&r->hosts, hash, (uint32_t)host))
        node_fail_as(&at, gcast_error_set_memory(r->doc.err));
    return host;
}

int native_stream(native_reader *r, const node *object, const char *key)
{
    int id = (int)get_int(object, key, 0, INT_MAX);
    node n = node_key(object, key);
    if (r->doc.status != GCAST_OK)
        return -1;
    if (id != 0 && r->streams_listed && workload_find_stream(r->w, id) < 0) {
        node_fail(&n, "stream %d is not in /streams", id);
        return -1;
    }
    int index = -1;
    node_fail_as(&n, gcast_workload_get_stream(r->w, id, &index, r->doc.err));
    return index;
}

static void read_call(native_reader *r, const node *n, gcast_op *op)
{
    op->host = read_host(r, n);
    op->delay_ns = get_int_or(n, "delay_ns", 0, WORKLOAD_MAX_NS, 0);
    op->event_pause_ns = get_int_or(n, "event_pause_ns", 0, op->delay_ns, 0);
    op->skip_ns = get_int_or(n, "skip_ns", 0, WORKLOAD_MAX_NS, GCAST_NEVER);
    op->host_waits = get_bool_or(n, "host_waits", false);
    if (op->host == GCAST_NO_HOST && (op->delay_ns || op->host_waits))
        node_fail(n, "delay_ns and host_waits need a host");
    bool device = native_choice(n, "scope", scopes, 0) == 1;
    if (gcast_kind_on_gpu(op->kind) || (op->kind == GCAST_KIND_SYNC && !device))
        op->stream = native_stream(r, n, "stream");
    else if (node_key(n, "stream").value)
        node_fail(n, "a device sync has no stream");
    op->host_memory = native_choice(n, "memory", memories, 0) == 1;
    if (op->kind == GCAST_KIND_BARRIER)
        op->barrier = (int)get_int(n, "barrier", 0, INT_MAX);
}

/* Adds the op, under a label that no other has. */
static void add_op(native_reader *r, const node *n, const gcast_op *op)
{
    node at = node_key(n, "label");
    const char *label = op->label;
    uint64_t hash = index_hash_text(label);
    for (index_probe p = index_start(&r->labels, hash); index_next(&r->labels, &p);)
        if (strcmp(r->w->ops[p.value].label, label) == 0)
            node_fail(&at, "the label %s is there twice", label);
    if (r->doc.status != GCAST_OK)
        return;
    int index;
    gcast_status status = gcast_workload_add_op(r->w, op, &index, r->doc.err);
    if (status != GCAST_OK)
        node_fail_as(n, status);
    else if (!index_add(&r->labels, hash, (uint32_t)index))
        node_fail_as(n, gcast_error_set_memory(r->doc.err));
}

void native_op(native_reader *r, const node *n, int task)
{
    if (!node_is_object(n))
        return;
    gcast_kind kind = (gcast_kind)native_choice(n, "kind", kinds, -1);
    if (r->doc.status != GCAST_OK)
        return;
    if (task >= 0 && !gcast_kind_on_gpu(kind)) {
        node_fail(n, "a task holds kernels, copies and memsets only");
        return;
    }
    check_keys(n, kind, task >= 0);
    char fallback[64];
    snprintf(fallback, sizeof fallback, "%s-%zu", gcast_kind_name(kind), r->w->op_count);
    gcast_op op = gcast_op_default(kind);
    op.label = node_key(n, "label").value ? get_name(n, "label") : fallback;
    op.release_ns = get_int_or(n, "release_ns", 0, WORKLOAD_MAX_NS, 0);
    op.extra_latency_ns = get_int_or(n, "extra_latency_ns", 0, LATENCY_MAX_NS, 0);
    if (task >= 0)
        op.stream = node_key(n, "stream").value ? native_stream(r, n, "stream") : r->w->tasks[task].stream;
    else
        read_call(r, n, &op);
    if (kind == GCAST_KIND_KERNEL)
        read_kernel(r, n, &op);
    else if (gcast_kind_on_gpu(kind))
        read_transfer(n, &op);
    else if (kind == GCAST_KIND_MALLOC)
        op.bytes = get_int_or(n, "bytes", 0, INT64_MAX, 0);
    op.graph = native_graph(r, n);
    r->has_after = r->has_after || node_key(n, "after").value || node_key(n, "waits_for").value;
    add_op(r, n, &op);
    arena_free(&r->launches);
    free((void *)op.block_ns);
    gcast_plan_free((gcast_plan *)op.plan);
}
