/* gcast_workload_read_native: a workload from gridcast.workload/1, which docs/formats.md describes. */
#include <limits.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "files/gpu/load.h"
#include "files/workload/json_after.h"
#include "files/workload/json_op.h"
#include "files/workload/launches/read_launches.h"
#include "files/workload/schema.h"
#include "gridcast/read.h"
#include "model/workload/edit.h"

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
        node_fail(&id, "stream %d is there twice", s.id);
    else if (r->doc.status == GCAST_OK && gcast_workload_add_stream(r->w, &s, NULL, r->doc.err) != GCAST_OK)
        node_fail_as(n, GCAST_RESOURCE);
}

static void read_task(native_reader *r, const node *n)
{
    static const char *const keys[] = {"name",      "stream",   "period_ns", "deadline_ns", "offset_ns",
                                       "jitter_ns", "sporadic", "ops",       NULL};
    node_known(n, keys);
    gcast_task t = {.name = get_text(n, "name"), .stream = native_stream(r, n, "stream")};
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
        native_op(r, &op, task);
    }
}

/* What whoever made the file could not carry over: it counts for the verdicts on it. */
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
        native_op(r, &n, GCAST_ONCE);
    }
    for (size_t i = 0; i < task_count && r->doc.status == GCAST_OK; i++) {
        node n = node_item(&tasks, i);
        read_task(r, &n);
    }
    if (r->doc.status == GCAST_OK && r->has_after)
        native_dependencies(r);
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
