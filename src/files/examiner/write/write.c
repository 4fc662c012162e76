/* gcast_workload_write_examiner: a workload as a configuration of the examiner, with a benchmark per host thread and
 * one per stream whose ops no host calls. A single kernel is a timer_spin; everything else is a stream_action, whose
 * delays sleep without waiting for the stream, as delays of calls do. What cannot be written so is an error. */
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/index.h"
#include "files/examiner/write/write_op.h"
#include "gridcast/read.h"
#include "model/workload/edit.h"

typedef struct grouping {
    exam_group *groups; /* the future benchmarks */
    size_t count;       /* of groups */
    size_t *ops;        /* indices of all ops, group by group */
    int *owner;         /* by stream: the group that uses it; -1: none */
} grouping;

/* The number of the group of an op, among all that may be: hosts first, then streams. */
static size_t group_key(const gcast_workload *w, const gcast_op *op)
{
    return op->host != GCAST_NO_HOST ? (size_t)op->host : w->host_count + (size_t)(op->stream + 1);
}

static bool make_groups(const gcast_workload *w, grouping *g)
{
    size_t keys = w->host_count + w->stream_count + 1;
    size_t *number = calloc(keys, sizeof *number), *fill = calloc(keys, sizeof *fill);
    g->groups = calloc(keys, sizeof *g->groups);
    g->ops = calloc(w->op_count + 1, sizeof *g->ops);
    g->owner = calloc(w->stream_count + 1, sizeof *g->owner);
    bool ok = number && fill && g->groups && g->ops && g->owner;
    for (size_t i = 0; ok && i < w->op_count; i++) {
        size_t key = group_key(w, &w->ops[i]);
        if (!number[key]) {
            number[key] = ++g->count;
            g->groups[g->count - 1] = (exam_group){.host = w->ops[i].host, .stream = -1};
        }
        g->groups[number[key] - 1].count++;
    }
    size_t start = 0;
    for (size_t k = 0; ok && k < g->count; k++) {
        g->groups[k].ops = g->ops + start;
        fill[k] = start;
        start += g->groups[k].count;
    }
    for (size_t i = 0; ok && i < w->op_count; i++)
        g->ops[fill[number[group_key(w, &w->ops[i])] - 1]++] = i;
    for (size_t s = 0; ok && s < w->stream_count; s++)
        g->owner[s] = -1;
    free(number);
    free(fill);
    return ok;
}

/* Finds the stream that the group's benchmark creates, and checks what a benchmark cannot do. */
static void check_group(exam_writer *x, grouping *all, size_t number)
{
    exam_group *g = &all->groups[number];
    const gcast_workload *w = x->w;
    size_t null_ops = 0;
    for (size_t k = 0; k < g->count; k++) {
        size_t i = g->ops[k];
        const gcast_op *op = &w->ops[i];
        bool null = op->stream >= 0 && w->streams[op->stream].id == 0;
        if (op->skip_ns != GCAST_NEVER)
            exam_write_fail(x, i, "it has skip_ns");
        if (op->extra_latency_ns)
            exam_write_fail(x, i, "it has extra_latency_ns");
        if (op->after_count)
            exam_write_fail(x, i, "it is after another op");
        if (g->host == GCAST_NO_HOST && !gcast_kind_on_gpu(op->kind))
            exam_write_fail(x, i, "it needs a host");
        if (g->host == GCAST_NO_HOST && k && op->release_ns < w->ops[g->ops[k - 1]].release_ns)
            exam_write_fail(x, i, "it is released before the op in front of it");
        if (g->host != GCAST_NO_HOST && k && op->release_ns)
            exam_write_fail(x, i, "it has release_ns and is not its host's first");
        if (g->host != GCAST_NO_HOST && !k && op->delay_ns)
            exam_write_fail(x, i, "it has delay_ns and is its host's first");
        if (op->host_waits && (!null || op->kind == GCAST_KIND_KERNEL))
            exam_write_fail(x, i, "host_waits is for copies and memsets of the NULL stream");
        if (op->stream < 0 || (null && op->host_waits))
            continue;
        if (null) {
            null_ops++;
            continue;
        }
        if ((g->stream >= 0 && g->stream != op->stream) ||
            (all->owner[op->stream] >= 0 && all->owner[op->stream] != (int)number))
            exam_write_fail(x, i, "its host has several streams, or its stream several hosts");
        g->stream = op->stream;
        all->owner[op->stream] = (int)number;
    }
    g->null = null_ops > 0;
    if (null_ops && g->stream >= 0)
        exam_write_fail(x, g->ops[0], "its host uses the NULL stream and another");
}

/* In the examiner, blocking streams have no priority, and others have one in the GPU's range. */
static void write_priority(exam_writer *x, const exam_group *g)
{
    if (g->stream < 0)
        return;
    const gcast_stream *s = &x->w->streams[g->stream];
    int lowest = x->w->gpu ? 1 - x->w->gpu->priority_levels : -99;
    if (s->blocking ? s->priority != 0 : s->priority > 0 || s->priority < lowest)
        exam_write_fail(x, g->ops[0], "its stream has that priority");
    if (!s->blocking)
        text_printf(&x->out, ", \"stream_priority\": %d", s->priority);
}

static void write_group(exam_writer *x, const exam_group *g)
{
    const gcast_workload *w = x->w;
    text *t = &x->out;
    size_t first = g->ops[0];
    const gcast_op *op = &w->ops[first];
    const char *label = g->host != GCAST_NO_HOST ? w->hosts[g->host] : op->label;
    bool single = g->count == 1 && op->kind == GCAST_KIND_KERNEL && strcmp(label, op->label) == 0 &&
                  !(g->null && op->shape.static_smem);
    const char *plugin = !single                 ? "stream_action"
                         : g->null               ? "timer_spin_default_stream"
                         : op->shape.static_smem ? "sharedmem_timer_spin"
                                                 : "timer_spin";
    text_printf(t, "\n    {\"filename\": \"./bin/%s.so\", \"label\": ", plugin);
    text_json(t, label);
    text_printf(t, ", \"thread_count\": %u, \"block_count\": %u, \"data_size\": 0", single ? (unsigned)op->block[0] : 1,
                single ? (unsigned)op->grid[0] : 1);
    if (op->release_ns) {
        text_str(t, ", \"release_time\": ");
        exam_write_seconds(x, first, op->release_ns);
    }
    write_priority(x, g);
    if (single && op->mask != GCAST_ALL_SMS)
        exam_write_mask(x, first);
    text_str(t, ",\n      \"additional_info\": ");
    if (!single) {
        exam_write_actions(x, g);
    } else {
        exam_check_kernel(x, first);
        if (op->shape.static_smem)
            text_printf(t, "{\"duration\": %lld, \"shared_memory_size\": %lld}", (long long)op->max_ns,
                        (long long)op->shape.static_smem / 4);
        else
            text_int(t, op->max_ns);
    }
    text_char(t, '}');
}

/* Either no benchmark has a process of its own, or all have. */
static bool use_processes(exam_writer *x, const grouping *all)
{
    const gcast_workload *w = x->w;
    bool any = false;
    for (size_t k = 0; k < all->count; k++)
        any = any || (all->groups[k].stream >= 0 && w->streams[all->groups[k].stream].process != 0);
    hash_index seen = {0};
    for (size_t k = 0; any && k < all->count; k++) {
        const exam_group *g = &all->groups[k];
        int process = g->stream >= 0 ? w->streams[g->stream].process : 0;
        uint64_t hash = index_hash(&process, sizeof process);
        index_probe p = index_start(&seen, hash);
        if (process == 0 || g->null || index_next(&seen, &p))
            exam_write_fail(x, g->ops[0], "its process has several benchmarks");
        if (!index_add(&seen, hash, 0))
            x->status = gcast_error_set_memory(x->err);
    }
    index_free(&seen);
    return any;
}

static void write_file(exam_writer *x, grouping *all)
{
    text *t = &x->out;
    if (x->w->task_count)
        exam_write_fail(x, x->w->once_count, "it is in a task");
    for (size_t k = 0; k < all->count && x->status == GCAST_OK; k++)
        check_group(x, all, k);
    bool processes = use_processes(x, all);
    text_str(t, "{\n  \"name\": ");
    text_json(t, x->w->name);
    text_str(t, ",\n  \"max_iterations\": 1,\n  \"max_time\": 0,\n  \"cuda_device\": 0,\n");
    if (processes)
        text_str(t, "  \"use_processes\": true,\n");
    text_str(t, "  \"benchmarks\": [");
    for (size_t k = 0; k < all->count && x->status == GCAST_OK; k++) {
        text_str(t, k ? "," : "");
        write_group(x, &all->groups[k]);
    }
    text_str(t, "]\n}\n");
}

gcast_status gcast_workload_write_examiner(const gcast_workload *w, char **out, size_t *size, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    exam_writer x = {.w = w, .err = err};
    grouping all = {0};
    text_open(&x.out, NULL, NULL);
    x.status = workload_check_form(w, err);
    if (x.status == GCAST_OK && w->op_count == 0)
        x.status = gcast_error_set(err, GCAST_INPUT, NULL, "there is nothing for a configuration to run");
    if (x.status == GCAST_OK && !make_groups(w, &all))
        x.status = gcast_error_set_memory(err);
    if (x.status == GCAST_OK)
        write_file(&x, &all);
    char *bytes = text_take(&x.out, size);
    if (x.status == GCAST_OK && !bytes)
        x.status = gcast_error_set_memory(err);
    if (x.status == GCAST_OK)
        *out = bytes;
    else
        free(bytes);
    free(all.groups);
    free(all.ops);
    free(all.owner);
    return x.status;
}
