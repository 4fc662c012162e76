#include "model/workload/workload.h"

#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/workload.h"
#include "model/workload/launching.h"
#include "model/workload/policy.h"

int64_t workload_longest_block(const gcast_op *op)
{
    int64_t longest = op->block_ns ? 1 : op->max_ns; /* a block takes 1 ns or more */
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        longest = max_i64(longest, op->block_ns[b]);
    return longest;
}

int64_t workload_shortest_block(const gcast_op *op)
{
    int64_t shortest = op->block_ns ? INT64_MAX : op->min_ns;
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        shortest = min_i64(shortest, op->block_ns[b]);
    return shortest;
}

void workload_stretch_op(gcast_workload *w, size_t op, const gcast_op *original, int64_t longest)
{
    gcast_op *o = &workload_owned(w)->ops.at[op];
    int64_t *block_ns = (int64_t *)o->block_ns; /* in the memory of w, which may be changed */
    int64_t original_longest = workload_longest_block(original);
    for (uint64_t b = 0; block_ns && b < o->blocks; b++)
        checked_mul_div_up(original->block_ns[b], longest, original_longest, &block_ns[b]);
    o->max_ns = block_ns ? original->max_ns : longest;
    o->min_ns = original->min_ns == GCAST_UNKNOWN_NS || original->min_ns > o->max_ns ? o->max_ns : original->min_ns;
}

void workload_put_op(gcast_workload *w, size_t at, const gcast_op *op)
{
    workload_owned(w)->ops.at[at] = *op;
}

bool workload_set_after(gcast_workload *w, size_t op, const uint32_t *after, size_t count)
{
    owned_workload *o = workload_owned(w);
    o->ops.at[op].after_count = count;
    return !count || (o->ops.at[op].after = arena_copy(&o->memory, after, count * sizeof *after));
}

bool workload_set_ports(gcast_workload *w, size_t op, const gcast_port *ports)
{
    owned_workload *o = workload_owned(w);
    gcast_op *to = &o->ops.at[op];
    return !to->after_count || (to->ports = arena_copy(&o->memory, ports, to->after_count * sizeof *ports));
}

bool workload_set_waits_for(gcast_workload *w, size_t op, const uint32_t *kernels, size_t count)
{
    owned_workload *o = workload_owned(w);
    o->ops.at[op].waits_for_count = count;
    return !count || (o->ops.at[op].waits_for = arena_copy(&o->memory, kernels, count * sizeof *kernels));
}

void workload_set_period(gcast_workload *w, size_t task, int64_t ns)
{
    workload_owned(w)->tasks.at[task].period_ns = ns;
}

void workload_set_priority(gcast_workload *w, size_t stream, int priority)
{
    workload_owned(w)->streams.at[stream].priority = priority;
}

gcast_stream workload_stream_like(const gcast_workload *w, int like, int id)
{
    gcast_stream s = w->streams[like];
    bool was_null = s.id == 0;
    s.id = id;
    s.blocking = s.blocking && !was_null;
    s.blocking_given = s.blocking_given || was_null;
    return s;
}

void workload_set_blocking(gcast_workload *w, size_t stream, bool blocking)
{
    gcast_stream *s = &workload_owned(w)->streams.at[stream];
    s->blocking = blocking;
    s->blocking_given = true;
}

void workload_move_op(gcast_workload *w, size_t op, int stream)
{
    gcast_op *ops = workload_owned(w)->ops.at;
    int task = ops[op].task, old_stream = ops[op].stream;
    ops[op].stream = stream;
    if (task == GCAST_ONCE)
        return;
    gcast_task *t = &workload_owned(w)->tasks.at[task];
    if (t->stream == old_stream)
        t->stream = stream;
    for (size_t i = 0; i < t->op_count; i++)
        if (ops[t->first_op + i].stream == old_stream)
            ops[t->first_op + i].stream = stream;
}

bool workload_blocking_unknown(const gcast_workload *w)
{
    bool null_used = false, unknown = false;
    for (size_t i = 0; i < w->op_count; i++) {
        if (!gcast_kind_on_gpu(w->ops[i].kind))
            continue;
        const gcast_stream *s = &w->streams[w->ops[i].stream];
        null_used = null_used || s->id == 0;
        unknown = unknown || (s->id != 0 && !s->blocking && !s->blocking_given);
    }
    return null_used && unknown;
}

/* A workload owns its memory. Readers and programs build it with the calls that follow. */

/* Sets the public pointers and counts: arrays move when they grow. */
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

/* The product saturates, so that a check can see that it is too large. */
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
                                              "durations the program may make more",
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

/* gcast_workload_copy adds everything through the public calls. */

static gcast_status copy_ops(gcast_workload *copy, const gcast_workload *original, size_t first, size_t count,
                             gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = first; i < first + count && status == GCAST_OK; i++)
        status = gcast_workload_add_op(copy, &original->ops[i], NULL, err);
    return status;
}

static gcast_status copy_all(gcast_workload *copy, const gcast_workload *original, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < original->stream_count && status == GCAST_OK; i++)
        status = gcast_workload_add_stream(copy, &original->streams[i], NULL, err);
    for (size_t i = 0; i < original->host_count && status == GCAST_OK; i++)
        status = gcast_workload_add_host(copy, original->hosts[i], NULL, err);
    for (size_t i = 0; i < original->mask_count && status == GCAST_OK; i++)
        status = gcast_workload_add_mask(copy, &original->masks[i], NULL, err);
    for (size_t i = 0; i < original->graph_count && status == GCAST_OK; i++)
        status = gcast_workload_add_graph(copy, original->graphs[i], NULL, err);
    if (status == GCAST_OK)
        status = copy_ops(copy, original, 0, original->once_count, err);
    for (size_t i = 0; i < original->task_count && status == GCAST_OK; i++) {
        const gcast_task *t = &original->tasks[i];
        status = gcast_workload_add_task(copy, t, NULL, err);
        if (status == GCAST_OK)
            status = copy_ops(copy, original, t->first_op, t->op_count, err);
    }
    for (size_t i = 0; i < original->note_count && status == GCAST_OK; i++)
        status = gcast_workload_add_note(copy, original->notes[i], err);
    if (status != GCAST_OK || !original->gpu)
        return status;
    gcast_gpu *gpu;
    status = gcast_gpu_copy(original->gpu, &gpu, err);
    gcast_workload_set_gpu(copy, gpu);
    return status;
}

gcast_status gcast_workload_copy(const gcast_workload *original, gcast_workload **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!original || !out)
        return argument_missing(err);
    gcast_workload *copy;
    gcast_status status = gcast_workload_create(original->name, &copy, err);
    if (status == GCAST_OK) {
        workload_defer_children(copy, true);
        status = copy_all(copy, original, err);
        workload_defer_children(copy, false);
    }
    if (status == GCAST_OK)
        status = gcast_workload_set_source(copy, original->source, err);
    if (status != GCAST_OK) {
        gcast_workload_free(copy);
        return status;
    }
    gcast_workload_set_partition(copy, original->partition_sms);
    gcast_workload_set_connections(copy, original->connections);
    *out = copy;
    return GCAST_OK;
}

bool gcast_kind_on_gpu(gcast_kind kind)
{
    static const bool on_gpu[] = {
#define X(id, name, gpu, text) gpu,
        GCAST_KIND_TABLE(X)
#undef X
    };
    return (unsigned)kind < GCAST_KINDS && on_gpu[kind];
}
