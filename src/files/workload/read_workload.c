/* gcast_workload_read_native: a workload from gridcast.workload/1, which docs/formats.md describes. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "files/gpu_file.h"
#include "files/workload/native_reader.h"
#include "files/workload/read_launches.h"
#include "files/workload/read_policy.h"
#include "files/workload/write_workload.h"
#include "files/workload_formats.h"
#include "gridcast/names.h"
#include "gridcast/read.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

/* Reads launch attributes of a kernel whose grid and durations have been read, except those that refer to other ops. */
static void read_attributes(const node *n, gcast_op *op)
{
    if (node_key(n, "cluster").value)
        native_dimensions(n, "cluster", INT32_MAX, "blocks in a cluster", op->cluster);
    op->cooperative = get_bool_or(n, "cooperative", false);
    op->programmatic = get_bool_or(n, "programmatic", false);
    op->trigger_ns = get_int_or(n, "trigger_ns", 0, WORKLOAD_MAX_NS, GCAST_NEVER);
    bool waits = node_key(n, "waits_for").value != NULL;
    op->wait_ns = get_int_or(n, "wait_ns", 0, WORKLOAD_MAX_NS, waits ? 0 : GCAST_NEVER);
}

/* Finds or adds the graph launch of which the op is a node; GCAST_NO_GRAPH: none. */
static int find_graph(native_reader *r, const node *op)
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
        node_fail_memory(&at);
    return graph;
}

/* Sets of kinds. */
#define IS(kind) (1u << GCAST_KIND_##kind)
#define ON_GPU (IS(KERNEL) | IS(COPY) | IS(MEMSET))
#define ALL (ON_GPU | IS(MALLOC) | IS(FREE) | IS(SYNC) | IS(BARRIER))

static const struct {
    const char *name;
    unsigned kinds; /* kinds of ops that may have this key */
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
            node_fail(&at, "a %s has no %s", gcast_name(GCAST_NAMES_KIND, kind), key);
        else if (in_task && !op_keys[k].in_task)
            node_fail(&at, "an operation of a task cannot have %s", key);
    }
}

#define X(id, name, ...) name,
NAMES(kinds, GCAST_KIND_TABLE);
NAMES(directions, GCAST_DIRECTION_TABLE);
#undef X
static const char *const scopes[] = {"stream", "device", NULL};
static const char *const memories[] = {"device", "host", NULL};

/* Reads block_ns, the durations of blocks. The caller frees them. */
static int64_t *read_block_durations(const node *object, uint64_t blocks)
{
    node n = node_key(object, "block_ns");
    if (!n.value)
        return NULL;
    if (node_key(object, "duration_ns").value)
        node_fail(&n, "duration_ns and block_ns cannot both be given");
    size_t count = node_count(&n);
    if (count != blocks)
        node_fail(&n, "%zu durations for %llu blocks", count, (unsigned long long)blocks);
    int64_t *ns = n.doc->status == GCAST_OK ? malloc(count * sizeof *ns) : NULL;
    if (!ns && n.doc->status == GCAST_OK)
        node_fail_memory(&n);
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
            node_fail(&item, "SM %lld is listed twice", (long long)sm);
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
    read_attributes(n, op);
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

/* Finds or adds the op's host. */
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
        node_fail_memory(&at);
    return host;
}

/* The index of the stream whose number is the value of a key. */
static int find_stream(native_reader *r, const node *object, const char *key)
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
        op->stream = find_stream(r, n, "stream");
    else if (node_key(n, "stream").value)
        node_fail(n, "a device sync has no stream");
    op->host_memory = native_choice(n, "memory", memories, 0) == 1;
    if (op->kind == GCAST_KIND_BARRIER)
        op->barrier = (int)get_int(n, "barrier", 0, INT_MAX);
}

/* Adds the op; its label must be unique. */
static void add_op(native_reader *r, const node *n, const gcast_op *op)
{
    node at = node_key(n, "label");
    const char *label = op->label;
    uint64_t hash = index_hash_text(label);
    for (index_probe p = index_start(&r->labels, hash); index_next(&r->labels, &p);)
        if (strcmp(r->w->ops[p.value].label, label) == 0)
            node_fail(&at, "two operations have the label %s", label);
    if (r->doc.status != GCAST_OK)
        return;
    int index;
    gcast_status status = gcast_workload_add_op(r->w, op, &index, r->doc.err);
    if (status != GCAST_OK)
        node_fail_as(n, status);
    else if (!index_add(&r->labels, hash, (uint32_t)index))
        node_fail_memory(n);
}

/* Reads an element of /ops, or with task >= 0 of /tasks/N/ops. */
static void read_op(native_reader *r, const node *n, int task)
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
    snprintf(fallback, sizeof fallback, "%s-%zu", gcast_name(GCAST_NAMES_KIND, kind), r->w->op_count);
    gcast_op op = gcast_op_default(kind);
    op.label = node_key(n, "label").value ? get_name(n, "label") : fallback;
    op.release_ns = get_int_or(n, "release_ns", 0, WORKLOAD_MAX_NS, 0);
    op.extra_latency_ns = get_int_or(n, "extra_latency_ns", 0, LATENCY_MAX_NS, 0);
    if (task >= 0)
        op.stream = node_key(n, "stream").value ? find_stream(r, n, "stream") : r->w->tasks[task].stream;
    else
        read_call(r, n, &op);
    if (kind == GCAST_KIND_KERNEL)
        read_kernel(r, n, &op);
    else if (gcast_kind_on_gpu(kind))
        read_transfer(n, &op);
    else if (kind == GCAST_KIND_MALLOC)
        op.bytes = get_int_or(n, "bytes", 0, INT64_MAX, 0);
    op.graph = find_graph(r, n);
    r->has_after = r->has_after || node_key(n, "after").value || node_key(n, "waits_for").value;
    add_op(r, n, &op);
    arena_free(&r->launches);
    free((void *)op.block_ns);
    gcast_plan_free((gcast_plan *)op.plan);
}

/* The op with this label; UINT32_MAX and an error if there is none. */
static uint32_t find_label(native_reader *r, const node *n)
{
    const char *label = node_text(n);
    for (index_probe p = index_start(&r->labels, index_hash_text(label)); index_next(&r->labels, &p);)
        if (strcmp(r->w->ops[p.value].label, label) == 0)
            return p.value;
    node_fail(n, "there is no op with the label %.200s", label);
    return UINT32_MAX;
}

#define NAME(id, name, text) name,
static const char *const ports[] = {GCAST_PORT_TABLE(NAME) NULL};
#undef NAME

/* Reads a dependency: a label, or {"op": LABEL, "port": PORT}. */
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
        node_fail_memory(&n);
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        after[i] = read_edge(r, &item, &ports_of[i]);
        has_ports |= ports_of[i] != GCAST_PORT_FULL;
    }
    if (r->doc.status == GCAST_OK &&
        (!workload_set_after(r->w, op, after, count) || (has_ports && !workload_set_ports(r->w, op, ports_of))))
        node_fail_memory(&n);
    free(after);
    free(ports_of);
}

/* Reads waits_for, the kernels for whose blocks this kernel's blocks wait. */
static void read_waits_for(native_reader *r, const node *object, size_t op)
{
    node n = node_key(object, "waits_for");
    size_t count = n.value ? node_count(&n) : 0;
    if (n.value && !count)
        node_fail(&n, "must name at least one kernel");
    uint32_t *kernels = count ? malloc(count * sizeof *kernels) : NULL;
    if (count && !kernels)
        node_fail_memory(&n);
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        kernels[i] = find_label(r, &item);
        for (size_t k = 0; k < i; k++)
            if (kernels[k] == kernels[i])
                node_fail(&item, "%.100s is listed twice", r->w->ops[kernels[i]].label);
    }
    if (count && r->doc.status == GCAST_OK && !workload_set_waits_for(r->w, op, kernels, count))
        node_fail_memory(&n);
    free(kernels);
}

/* Reads the dependencies of a list of ops, which begins with op `first` of the workload. */
static void read_list(native_reader *r, const node *ops, size_t first)
{
    size_t count = ops->value ? node_count(ops) : 0;
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node op = node_item(ops, i);
        read_after(r, &op, first + i);
        read_waits_for(r, &op, first + i);
    }
}

/* Reads `after` and `waits_for` of all ops. The ops themselves have been read, so that all labels are known. */
static void read_dependencies(native_reader *r)
{
    node ops = node_key(&r->root, "ops"), tasks = node_key(&r->root, "tasks");
    read_list(r, &ops, 0);
    for (size_t i = 0; i < r->w->task_count && r->doc.status == GCAST_OK; i++) {
        node task = node_item(&tasks, i), task_ops = node_key(&task, "ops");
        read_list(r, &task_ops, r->w->tasks[i].first_op);
    }
}

static void read_gpu(native_reader *r, const node *root)
{
    node n = node_key(root, "gpu");
    gcast_gpu *gpu = n.value ? gpu_from_node(&n) : NULL;
    if (gpu)
        gcast_workload_set_gpu(r->w, gpu);
}

static void read_partition(native_reader *r, const node *root)
{
    static const char *const keys[] = {"sms", NULL};
    node n = node_key(root, "partition");
    if (n.value) {
        node_known(&n, keys);
        gcast_workload_set_partition(r->w, (int)get_int(&n, "sms", 1, GCAST_MAX_SMS));
    }
    gcast_workload_set_connections(r->w, (int)get_int_or(root, "connections", 0, 1024, -1));
}

static void read_stream(native_reader *r, const node *n)
{
    static const char *const keys[] = {"id", "priority", "blocking", "process", NULL};
    node_known(n, keys);
    gcast_stream s = {.id = (int)get_int(n, "id", 0, INT_MAX)};
    s.priority = (int)get_int_or(n, "priority", -1000, 1000, 0);
    s.blocking = get_bool_or(n, "blocking", s.id == 0);
    s.blocking_given = node_key(n, "blocking").value;
    s.process = (int)get_int_or(n, "process", 0, INT_MAX, 0);
    node id = node_key(n, "id");
    if (s.id == 0 && !s.blocking)
        node_fail(n, "stream 0, the NULL stream, is always blocking");
    else if (workload_find_stream(r->w, s.id) >= 0)
        node_fail(&id, "stream %d is listed twice", s.id);
    else if (r->doc.status == GCAST_OK && gcast_workload_add_stream(r->w, &s, NULL, r->doc.err) != GCAST_OK)
        node_fail_as(n, GCAST_RESOURCE);
}

static void read_task(native_reader *r, const node *n)
{
    static const char *const keys[] = {"name",      "stream",   "period_ns", "deadline_ns", "offset_ns",
                                       "jitter_ns", "sporadic", "ops",       NULL};
    node_known(n, keys);
    gcast_task t = {.name = get_text(n, "name"), .stream = find_stream(r, n, "stream")};
    t.period_ns = get_int(n, "period_ns", 1, WORKLOAD_MAX_NS);
    t.deadline_ns = get_int_or(n, "deadline_ns", 0, WORKLOAD_MAX_NS, t.period_ns);
    t.offset_ns = get_int_or(n, "offset_ns", 0, WORKLOAD_MAX_NS, 0);
    t.jitter_ns = get_int_or(n, "jitter_ns", 0, WORKLOAD_MAX_NS, 0);
    t.sporadic = get_bool_or(n, "sporadic", false);
    int task = 0;
    if (r->doc.status == GCAST_OK)
        node_fail_as(n, gcast_workload_add_task(r->w, &t, &task, r->doc.err));
    node ops = node_key(n, "ops");
    size_t count = node_count(&ops);
    if (count == 0)
        node_fail(&ops, "a task needs at least one op");
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node op = node_item(&ops, i);
        read_op(r, &op, task);
    }
}

/* Reads x-notes: what the writer of the file could not convert. Notes matter for verdicts. */
static void read_notes(native_reader *r)
{
    node notes = node_key(&r->root, "x-notes");
    size_t count = notes.value ? node_count(&notes) : 0;
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++) {
        node note = node_item(&notes, i);
        const char *words = node_text(&note);
        if (r->doc.status == GCAST_OK)
            node_fail_as(&note, gcast_workload_add_note(r->w, words, r->doc.err));
    }
}

static void read_root(native_reader *r)
{
    static const char *const keys[] = {"schema",  "name", "gpu",   "partition", "connections",
                                       "streams", "ops",  "tasks", "children",  NULL};
    r->root = document_root(&r->doc);
    node root = r->root, schema = node_key(&root, "schema");
    if (strcmp(node_text(&schema), WORKLOAD_SCHEMA) != 0)
        node_fail(&schema, "must be \"" WORKLOAD_SCHEMA "\"");
    node_known(&root, keys);
    if (r->doc.status != GCAST_OK)
        return;
    read_gpu(r, &root);
    read_partition(r, &root);
    read_notes(r);
    node streams = node_key(&root, "streams"), ops = node_key(&root, "ops"), tasks = node_key(&root, "tasks");
    size_t stream_count = streams.value ? node_count(&streams) : 0;
    size_t op_count = ops.value ? node_count(&ops) : 0;
    size_t task_count = tasks.value ? node_count(&tasks) : 0;
    r->streams_listed = stream_count > 0;
    if (!ops.value && !tasks.value)
        node_fail(&root, "ops and tasks are missing");
    for (size_t i = 0; i < stream_count && r->doc.status == GCAST_OK; i++) {
        node n = node_item(&streams, i);
        read_stream(r, &n);
    }
    if (r->doc.status == GCAST_OK)
        native_children(r);
    for (size_t i = 0; i < op_count && r->doc.status == GCAST_OK; i++) {
        node n = node_item(&ops, i);
        read_op(r, &n, GCAST_ONCE);
    }
    for (size_t i = 0; i < task_count && r->doc.status == GCAST_OK; i++) {
        node n = node_item(&tasks, i);
        read_task(r, &n);
    }
    if (r->doc.status == GCAST_OK && r->has_after)
        read_dependencies(r);
}

gcast_status gcast_workload_read_native(const char *text, size_t size, const char *file, gcast_workload **w,
                                        gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!text || !file || !w)
        return argument_missing(err);
    native_reader r = {0};
    gcast_error own;
    if (document_open(&r.doc, text, size, file, err ? err : &own) == GCAST_OK) {
        node root = document_root(&r.doc), name = node_key(&root, "name");
        node_fail_as(&root, gcast_workload_create(name.value ? node_text(&name) : "", &r.w, r.doc.err));
        if (r.w) {
            workload_defer_children(r.w, true);
            read_root(&r);
            workload_defer_children(r.w, false);
        }
        if (r.doc.status == GCAST_OK)
            node_fail_as(&root, workload_check_form(r.w, r.doc.err));
        if (r.doc.status == GCAST_OK)
            node_fail_as(&root, gcast_workload_set_source(r.w, file, r.doc.err));
    }
    if (r.doc.status == GCAST_OK)
        *w = r.w;
    else
        gcast_workload_free(r.w);
    index_free(&r.labels);
    index_free(&r.hosts);
    index_free(&r.graphs);
    index_free(&r.names);
    arena_free(&r.launches);
    power_law_free(&r.power);
    document_close(&r.doc);
    return r.doc.status;
}
