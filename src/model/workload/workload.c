/* A workload and the memory it owns: built by a reader or a program. */
#include "gridcast/workload.h"

#include <stdio.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/checked.h"
#include "model/workload/edit.h"
#include "model/workload/launching.h"
#include "model/workload/owned.h"
#include "model/workload/policy.h"

/* Arrays move when they grow: sets the public pointers and counts. */
static void publish(owned_workload *o)
{
    gcast_workload *w = &o->w;
    w->streams = o->streams.at, w->stream_count = o->streams.count;
    w->hosts = o->hosts.at, w->host_count = o->hosts.count;
    w->ops = o->ops.at, w->op_count = o->ops.count;
    bool has_places =
        !o->children_deferred && o->ops.cap - o->ops.count >= o->children.count; /* add_op has reserved them */
    w->child_count = has_places ? o->children.count : 0;
    if (w->child_count)
        memcpy(&o->ops.at[o->ops.count], o->children.at, o->children.count * sizeof *o->ops.at);
    w->tasks = o->tasks.at, w->task_count = o->tasks.count;
    w->masks = o->masks.at, w->mask_count = o->masks.count;
    w->graphs = o->graphs.at, w->graph_count = o->graphs.count;
    w->notes = o->notes.at, w->note_count = o->notes.count;
    w->once_count = o->tasks.count ? o->tasks.at[0].first_op : o->ops.count;
    w->gpu = o->gpu;
}

void workload_defer_children(gcast_workload *w, bool is_deferred)
{
    owned_workload *o = workload_owned(w);
    o->children_deferred = is_deferred;
    publish(o);
}

gcast_status gcast_workload_create(const char *name, gcast_workload **w, gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!name || !w)
        return argument_missing(err);
    owned_workload *o = calloc(1, sizeof *o);
    if (!o || !(o->w.name = arena_strdup(&o->memory, name))) {
        gcast_workload_free(o ? &o->w : NULL);
        return gcast_error_set_memory(err);
    }
    o->w.source = "";
    o->w.connections = -1;
    *w = &o->w;
    return GCAST_OK;
}

void gcast_workload_free(gcast_workload *w)
{
    if (!w)
        return;
    owned_workload *o = workload_owned(w);
    arena_free(&o->memory);
    vec_free(&o->streams);
    vec_free(&o->hosts);
    vec_free(&o->ops);
    vec_free(&o->children);
    vec_free(&o->tasks);
    vec_free(&o->masks);
    vec_free(&o->graphs);
    vec_free(&o->notes);
    vec_free(&o->remarks);
    index_free(&o->stream_ids);
    index_free(&o->mask_index);
    gcast_gpu_free(o->gpu);
    free(o);
}

/* Stores the index of an added element, if the caller wants it. */
static gcast_status store_index(int *index, size_t place)
{
    if (index)
        *index = (int)place;
    return GCAST_OK;
}

static gcast_status added(owned_workload *o, bool ok, size_t count, int *index, gcast_error *err)
{
    if (!ok)
        return gcast_error_set_memory(err);
    publish(o);
    return store_index(index, count - 1);
}

gcast_status gcast_workload_add_stream(gcast_workload *w, const gcast_stream *stream, int *index, gcast_error *err)
{
    if (!w || !stream)
        return argument_missing(err);
    owned_workload *o = workload_owned(w);
    bool ok = o->streams.count < INT32_MAX && vec_reserve(&o->streams, o->streams.count + 1) &&
              index_add(&o->stream_ids, index_hash(&stream->id, sizeof stream->id), (uint32_t)o->streams.count) &&
              vec_push(&o->streams, *stream);
    return added(o, ok, o->streams.count, index, err);
}

int workload_find_stream(const gcast_workload *w, int id)
{
    const owned_workload *o = (const owned_workload *)w;
    for (index_probe p = index_start(&o->stream_ids, index_hash(&id, sizeof id)); index_next(&o->stream_ids, &p);)
        if (w->streams[p.value].id == id)
            return (int)p.value;
    return -1;
}

gcast_status gcast_workload_get_stream(gcast_workload *w, int id, int *index, gcast_error *err)
{
    if (!w)
        return argument_missing(err);
    int found = workload_find_stream(w, id);
    return found >= 0 ? store_index(index, (size_t)found)
                      : gcast_workload_add_stream(w, &(gcast_stream){.id = id, .blocking = id == 0}, index, err);
}

gcast_status gcast_workload_add_host(gcast_workload *w, const char *name, int *index, gcast_error *err)
{
    if (!w || !name)
        return argument_missing(err);
    owned_workload *o = workload_owned(w);
    char *copy = arena_strdup(&o->memory, name);
    bool ok = copy && vec_push(&o->hosts, copy);
    return added(o, ok, o->hosts.count, index, err);
}

gcast_status gcast_workload_add_graph(gcast_workload *w, const char *name, int *index, gcast_error *err)
{
    if (!w || !name)
        return argument_missing(err);
    owned_workload *o = workload_owned(w);
    char *copy = arena_strdup(&o->memory, name);
    bool ok = copy && o->graphs.count < INT32_MAX && vec_push(&o->graphs, copy);
    return added(o, ok, o->graphs.count, index, err);
}

gcast_status gcast_workload_add_mask(gcast_workload *w, const gcast_mask *mask, int *index, gcast_error *err)
{
    if (!w || !mask)
        return argument_missing(err);
    owned_workload *o = workload_owned(w);
    uint64_t hash = index_hash(mask, sizeof *mask);
    for (index_probe p = index_start(&o->mask_index, hash); index_next(&o->mask_index, &p);)
        if (memcmp(&w->masks[p.value], mask, sizeof *mask) == 0)
            return store_index(index, p.value);
    bool ok = o->masks.count < INT32_MAX && vec_reserve(&o->masks, o->masks.count + 1) &&
              index_add(&o->mask_index, hash, (uint32_t)o->masks.count) && vec_push(&o->masks, *mask);
    return added(o, ok, o->masks.count, index, err);
}

/* Saturates, so that a check can see that it is too large. */
static uint64_t product(const uint32_t d[3])
{
    uint64_t p = d[0];
    if (!checked_mul(p, d[1], &p) || !checked_mul(p, d[2], &p))
        return UINT64_MAX;
    return p;
}

gcast_status gcast_workload_add_op(gcast_workload *w, const gcast_op *op, int *index, gcast_error *err)
{
    if (!w || !op)
        return argument_missing(err);
    if ((unsigned)op->kind >= GCAST_KINDS || (unsigned)op->body >= GCAST_BODIES ||
        (unsigned)op->carveout >= GCAST_OP_CARVEOUTS || (unsigned)op->policy >= GCAST_POLICIES ||
        (unsigned)op->direction >= GCAST_DIRECTIONS)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "an op has a kind, body, carveout, policy or direction that "
                               "does not exist");
    if ((op->after_count && !op->after) || (op->waits_for_count && !op->waits_for))
        return argument_missing(err);
    gcast_status status = launches_check_given(op, err);
    if (status != GCAST_OK)
        return status;
    owned_workload *o = workload_owned(w);
    gcast_op copy = *op;
    bool ok = (copy.label = arena_strdup(&o->memory, op->label ? op->label : "")) != NULL;
    if (copy.kind == GCAST_KIND_KERNEL) {
        uint64_t threads = product(copy.block);
        copy.blocks = product(copy.grid);
        copy.shape.threads = threads > INT32_MAX ? INT32_MAX : (int)threads;
    }
    if (ok && op->block_ns) {
        size_t size;
        if (!checked_mul(copy.blocks, sizeof(int64_t), &size))
            return gcast_error_set(err, GCAST_INPUT, NULL, "more blocks than memory for their durations");
        ok = (copy.block_ns = arena_copy(&o->memory, op->block_ns, size)) != NULL;
    }
    if (op->after_count > INT32_MAX || op->waits_for_count > INT32_MAX) /* no workload has more ops */
        return gcast_error_set(err, GCAST_USAGE, NULL, "an op is after, or waits for, more ops than there can be");
    if (ok && op->after_count)
        ok = (copy.after = arena_copy(&o->memory, op->after, op->after_count * sizeof *op->after)) != NULL;
    if (ok && op->after_count && op->ports)
        ok = (copy.ports = arena_copy(&o->memory, op->ports, op->after_count * sizeof *op->ports)) != NULL;
    if (ok && op->waits_for_count)
        ok = (copy.waits_for = arena_copy(&o->memory, op->waits_for, op->waits_for_count * sizeof *op->waits_for)) !=
             NULL;
    if (ok && op->plan && (status = policy_check_given(w, op->plan, err)) != GCAST_OK)
        return status;
    if (ok && op->plan)
        ok = (copy.plan = policy_copy_plan(&o->memory, op->plan)) != NULL;
    copy.task = o->tasks.count ? (int)o->tasks.count - 1 : GCAST_ONCE;
    ok = ok && launches_copy(o, &copy) && o->ops.count < INT32_MAX / 2 &&
         vec_reserve(&o->ops, o->ops.count + 1 + o->children.count) && vec_push(&o->ops, copy);
    if (ok && o->tasks.count)
        o->tasks.at[o->tasks.count - 1].op_count++;
    return added(o, ok, o->ops.count, index, err);
}

gcast_status gcast_workload_add_task(gcast_workload *w, const gcast_task *task, int *index, gcast_error *err)
{
    if (!w || !task)
        return argument_missing(err);
    owned_workload *o = workload_owned(w);
    gcast_task copy = *task;
    copy.first_op = o->ops.count;
    copy.op_count = 0;
    bool ok = (copy.name = arena_strdup(&o->memory, task->name ? task->name : "")) && vec_push(&o->tasks, copy);
    return added(o, ok, o->tasks.count, index, err);
}

gcast_status gcast_workload_add_note(gcast_workload *w, const char *note, gcast_error *err)
{
    if (!w || !note)
        return argument_missing(err);
    owned_workload *o = workload_owned(w);
    char *copy = arena_strdup(&o->memory, note);
    bool ok = copy && vec_push(&o->notes, copy);
    return added(o, ok, o->notes.count, NULL, err);
}

gcast_status workload_add_remark(gcast_workload *w, const char *remark, gcast_error *err)
{
    owned_workload *o = workload_owned(w);
    char *copy = arena_strdup(&o->memory, remark);
    bool ok = copy && vec_push(&o->remarks, copy);
    return added(o, ok, o->remarks.count, NULL, err);
}

void gcast_workload_set_gpu(gcast_workload *w, gcast_gpu *gpu)
{
    if (!w)
        return;
    owned_workload *o = workload_owned(w);
    gcast_gpu_free(o->gpu);
    o->gpu = gpu;
    publish(o);
}

gcast_status gcast_workload_set_source(gcast_workload *w, const char *source, gcast_error *err)
{
    if (!w || !source)
        return argument_missing(err);
    const char *copy = arena_strdup(&workload_owned(w)->memory, source);
    if (!copy)
        return gcast_error_set_memory(err);
    w->source = copy;
    return GCAST_OK;
}

void gcast_workload_set_partition(gcast_workload *w, int sms)
{
    if (!w)
        return;
    w->partition_sms = sms;
}

void gcast_workload_set_connections(gcast_workload *w, int connections)
{
    if (!w)
        return;
    w->connections = connections;
}

void workload_set_op_duration(gcast_workload *w, size_t op, int64_t ns)
{
    owned_workload *owned = workload_owned(w);
    gcast_op *o = &owned->ops.at[op];
    owned->is_shortened = owned->is_shortened || (o->min_ns != GCAST_UNKNOWN_NS && ns < o->min_ns);
    o->min_ns = o->max_ns = ns;
    o->block_ns = NULL;
}

gcast_status workload_note_iterations(gcast_workload *w, gcast_error *err)
{
    owned_workload *o = workload_owned(w);
    bool is_noted = o->counted_by_time && o->is_shortened;
    o->counted_by_time = o->counted_by_time && !is_noted;
    return is_noted ? gcast_workload_add_note(w,
                                              "iterations were counted with the durations of the file; with shorter "
                                              "ones there may be more of them in its time",
                                              err)
                    : GCAST_OK;
}

size_t workload_label_stem(const char *label)
{
    size_t length = strlen(label), n = length;
    while (n && label[n - 1] >= '0' && label[n - 1] <= '9')
        n--;
    return n > 1 && n < length && label[n - 1] == '#' ? n - 1 : length;
}

size_t gcast_workload_set_duration(gcast_workload *w, const char *label, int64_t ns)
{
    if (!w || !label)
        return 0;
    size_t found = 0, length = strlen(label);
    for (size_t i = 0; i < w->op_count; i++) {
        const char *l = w->ops[i].label;
        bool same = strcmp(l, label) == 0 || (workload_label_stem(l) == length && strncmp(l, label, length) == 0);
        if (!same || !gcast_kind_on_gpu(w->ops[i].kind))
            continue;
        workload_set_op_duration(w, i, ns);
        found++;
    }
    return found;
}

gcast_op gcast_op_default(gcast_kind kind)
{
    return (gcast_op){.kind = kind,
                      .label = "",
                      .stream = -1,
                      .host = GCAST_NO_HOST,
                      .task = GCAST_ONCE,
                      .skip_ns = GCAST_NEVER,
                      .grid = {1, 1, 1},
                      .block = {1, 1, 1},
                      .mask = GCAST_ALL_SMS,
                      .graph = GCAST_NO_GRAPH,
                      .cluster = {1, 1, 1},
                      .trigger_ns = GCAST_NEVER,
                      .wait_ns = GCAST_NEVER,
                      .min_ns = GCAST_UNKNOWN_NS,
                      .max_ns = GCAST_UNKNOWN_NS};
}

/* The path of a child: where the first kernel launches it. */
static void child_path(const gcast_workload *w, int child, char *path, size_t size)
{
    snprintf(path, size, "/children/%d", child);
    for (size_t i = 0; i < w->op_count; i++) {
        int depth = 0;
        for (const gcast_launches *l = w->ops[i].launches; l && l->child; l = l->child->launches, depth++) {
            if (l->child_index != child)
                continue;
            gcast_workload_op_path(w, i, path, size);
            for (int k = 0; k <= depth; k++) {
                size_t length = strlen(path);
                snprintf(path + length, size - length, "/launches/child");
            }
            return;
        }
    }
}

void gcast_workload_op_path(const gcast_workload *w, size_t op, char *path, size_t size)
{
    if (!w || !path)
        return;
    if (op >= w->op_count && op - w->op_count < w->child_count) {
        child_path(w, (int)(op - w->op_count), path, size);
        return;
    }
    int task = op < w->op_count ? w->ops[op].task : GCAST_ONCE;
    if (task < 0)
        snprintf(path, size, "/ops/%zu", op);
    else
        snprintf(path, size, "/tasks/%d/ops/%zu", task, op - w->tasks[task].first_op);
}

bool gcast_workload_hyperperiod(const gcast_workload *w, int64_t *ns)
{
    if (!w || !ns)
        return false;
    int64_t lcm = 1;
    for (size_t i = 0; i < w->task_count; i++) {
        int64_t period = w->tasks[i].period_ns;
        if (period <= 0)
            return false;
        if (!checked_mul(lcm, period / common_divisor(lcm, period), &lcm))
            return false;
    }
    *ns = lcm;
    return w->task_count > 0;
}
