/* gcast_workload_write_examiner: a workload as a configuration of the examiner, with a benchmark per host thread, and
 * one per stream whose ops have no host. A single kernel becomes a timer_spin; everything else becomes a stream_action,
 * whose delays sleep without waiting for the stream, like delays of calls. It is an error if the workload cannot be
 * written like this. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/index.h"
#include "base/text.h"
#include "files/workload_formats.h"
#include "gridcast/names.h"
#include "gridcast/read.h"
#include "gridcast/workload.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"

/* The examiner's seconds are doubles, which are exact up to this. */
#define MAX_EXACT_NS ((int64_t)1 << 52)

/* The ops of a benchmark: the calls of a host thread, or the ops of a stream that have no host. */
typedef struct exam_group {
    const size_t *ops; /* indices, in the order of their calls */
    size_t count;      /* number of ops */
    int host;          /* or GCAST_NO_HOST */
    int stream;        /* the benchmark's own stream; -1: the NULL stream or none */
    bool null;         /* all ops go to the NULL stream */
} exam_group;

typedef struct exam_writer {
    const gcast_workload *w;
    text out;            /* the configuration */
    gcast_error *err;    /* the first error */
    gcast_status status; /* its status */
} exam_writer;

/* Sets an error with the path and label of the op, unless there was one before. */
static void fail(exam_writer *x, size_t op, const char *reason)
{
    if (x->status != GCAST_OK)
        return;
    char path[128];
    gcast_workload_op_path(x->w, op, path, sizeof path);
    x->status = gcast_error_set(x->err, GCAST_INPUT, path, "%.100s cannot be an examiner benchmark: %s",
                                x->w->ops[op].label, reason);
    if (x->err)
        snprintf(x->err->file, sizeof x->err->file, "%s", x->w->source);
}

/* Writes nanoseconds as seconds, exactly. */
static void write_seconds(exam_writer *x, size_t op, int64_t ns)
{
    if (ns > MAX_EXACT_NS)
        fail(x, op, "so many seconds are not exact there");
    int64_t fraction = ns % 1000000000;
    int digits = 9;
    while (digits && fraction % 10 == 0) {
        fraction /= 10;
        digits--;
    }
    text_int(&x->out, ns / 1000000000);
    if (digits)
        text_printf(&x->out, ".%0*lld", digits, (long long)fraction);
}

/* Sets an error if the examiner has no such kernels. */
static void check_kernel(exam_writer *x, size_t i)
{
    const gcast_op *op = &x->w->ops[i];
    int64_t smem = op->shape.static_smem;
    if (op->grid[1] != 1 || op->grid[2] != 1 || op->block[1] != 1 || op->block[2] != 1)
        fail(x, i, "it has more than one dimension");
    if (op->grid[0] > INT32_MAX)
        fail(x, i, "it has too many blocks");
    if (op->shape.registers || op->shape.dynamic_smem || op->shape.barriers > 1)
        fail(x, i, "it has registers, dynamic_smem or barriers");
    if (smem != 0 && smem != 4 * 4096 && smem != 4 * 8192 && smem != 4 * 10240)
        fail(x, i, "static_smem is not 16384, 32768 or 40960");
    if (op->carveout != GCAST_OP_CARVEOUT_MOST)
        fail(x, i, "it has a carveout");
    if (op->policy != GCAST_POLICY_HARDWARE) {
        char reason[64];
        snprintf(reason, sizeof reason, "it has the policy %s", gcast_name(GCAST_NAMES_POLICY, op->policy));
        fail(x, i, reason);
    }
    if (op->launches)
        fail(x, i, "it launches kernels");
    if (attributes_any(op))
        fail(x, i, "it is in a graph, programmatic, cooperative, in clusters, or its blocks wait");
    if (op->block_ns || op->min_ns != op->max_ns || op->max_ns == GCAST_UNKNOWN_NS)
        fail(x, i, "it has no single duration");
}

/* Writes sm_mask. The examiner's masks are of whole TPCs among the first 64. */
static void write_mask(exam_writer *x, size_t i)
{
    const gcast_mask *mask = &x->w->masks[x->w->ops[i].mask];
    int per_tpc = x->w->gpu ? x->w->gpu->sms_per_tpc : 1;
    uint64_t disabled = UINT64_MAX;
    for (int sm = 0; sm < GCAST_MAX_SMS; sm++) {
        int tpc = sm / per_tpc, first = tpc * per_tpc;
        bool on = mask_has_sm(mask, sm), first_on = mask_has_sm(mask, first);
        if (on != first_on || (on && tpc >= 64)) {
            fail(x, i, "allowed_sms is not of whole TPCs among the first 64");
            return;
        }
        if (on)
            disabled &= ~((uint64_t)1 << tpc);
    }
    text_printf(&x->out, ", \"sm_mask\": \"0x%llx\"", (unsigned long long)disabled);
}

static void write_parameters(exam_writer *x, size_t i)
{
    static const char *const directions[] = {
        [GCAST_H2D] = "hostToDevice", [GCAST_D2H] = "deviceToHost", [GCAST_D2D] = "deviceToDevice"};
    const gcast_op *op = &x->w->ops[i];
    text *t = &x->out;
    switch (op->kind) {
    case GCAST_KIND_KERNEL:
        check_kernel(x, i);
        if (op->mask != GCAST_ALL_SMS)
            fail(x, i, "it has allowed_sms and is not alone");
        text_printf(t, ", \"parameters\": {\"duration\": %lld, \"block_count\": %u, \"thread_count\": %u",
                    (long long)op->max_ns, (unsigned)op->grid[0], (unsigned)op->block[0]);
        if (op->shape.static_smem)
            text_printf(t, ", \"shared_memory_size\": %lld", (long long)op->shape.static_smem / 4);
        text_char(t, '}');
        break;
    case GCAST_KIND_COPY:
    case GCAST_KIND_MEMSET:
        if (op->max_ns != GCAST_UNKNOWN_NS)
            fail(x, i, "it has a duration");
        text_printf(t, ", \"parameters\": {\"size\": %lld", (long long)op->bytes);
        if (op->kind == GCAST_KIND_COPY)
            text_printf(t, ", \"direction\": \"%s\"", directions[op->direction]);
        text_str(t, op->host_waits ? ", \"async\": false}" : "}");
        break;
    case GCAST_KIND_MALLOC:
        text_printf(t, ", \"parameters\": {\"size\": %lld%s}", (long long)op->bytes,
                    op->host_memory ? ", \"host\": true" : "");
        break;
    case GCAST_KIND_FREE:
        text_str(t, op->host_memory ? ", \"parameters\": {\"host\": true}" : "");
        break;
    case GCAST_KIND_SYNC:
        text_str(t, op->stream < 0 ? ", \"parameters\": {\"device\": true}" : "");
        break;
    default:
        break;
    }
}

/* Writes the group as actions of a stream_action benchmark. */
static void write_actions(exam_writer *x, const exam_group *g)
{
    static const char *const types[GCAST_KINDS] = {
        [GCAST_KIND_KERNEL] = "kernel", [GCAST_KIND_COPY] = "memcpy", [GCAST_KIND_MEMSET] = "memset",
        [GCAST_KIND_MALLOC] = "malloc", [GCAST_KIND_FREE] = "free",   [GCAST_KIND_SYNC] = "synchronize"};
    text_printf(&x->out, "{\"use_null_stream\": %s, \"actions\": [", g->null ? "true" : "false");
    int64_t last_release = x->w->ops[g->ops[0]].release_ns;
    for (size_t k = 0; k < g->count && x->status == GCAST_OK; k++) {
        size_t i = g->ops[k];
        const gcast_op *op = &x->w->ops[i];
        int64_t delay = k == 0 ? 0 : g->host == GCAST_NO_HOST ? op->release_ns - last_release : op->delay_ns;
        last_release = op->release_ns;
        if (!types[op->kind]) {
            fail(x, i, "it is a barrier");
            return;
        }
        text_printf(&x->out, "%s\n        {\"type\": \"%s\", \"label\": ", k ? "," : "", types[op->kind]);
        text_json(&x->out, op->label);
        if (delay) {
            text_str(&x->out, ", \"delay\": ");
            write_seconds(x, i, delay);
        }
        write_parameters(x, i);
        text_char(&x->out, '}');
    }
    text_str(&x->out, "]}");
}

typedef struct grouping {
    exam_group *groups; /* the future benchmarks */
    size_t count;       /* number of groups */
    size_t *ops;        /* indices of all ops, group by group */
    int *owner;         /* by stream: the group that uses it; -1: none */
} grouping;

/* The number of an op's group among all possible groups: hosts first, then streams. */
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

/* Finds the stream that the group's benchmark creates, and sets an error if a benchmark cannot do the ops. */
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
            fail(x, i, "it has skip_ns");
        if (op->extra_latency_ns)
            fail(x, i, "it has extra_latency_ns");
        if (op->after_count)
            fail(x, i, "it is after another op");
        if (g->host == GCAST_NO_HOST && !gcast_kind_on_gpu(op->kind))
            fail(x, i, "it needs a host");
        if (g->host == GCAST_NO_HOST && k && op->release_ns < w->ops[g->ops[k - 1]].release_ns)
            fail(x, i, "it is released before the op in front of it");
        if (g->host != GCAST_NO_HOST && k && op->release_ns)
            fail(x, i, "it has release_ns and is not its host's first");
        if (g->host != GCAST_NO_HOST && !k && op->delay_ns)
            fail(x, i, "it has delay_ns and is its host's first");
        if (op->host_waits && (!null || op->kind == GCAST_KIND_KERNEL))
            fail(x, i, "host_waits is for copies and memsets of the NULL stream");
        if (op->stream < 0 || (null && op->host_waits))
            continue;
        if (null) {
            null_ops++;
            continue;
        }
        if ((g->stream >= 0 && g->stream != op->stream) ||
            (all->owner[op->stream] >= 0 && all->owner[op->stream] != (int)number))
            fail(x, i, "its host has several streams, or its stream several hosts");
        g->stream = op->stream;
        all->owner[op->stream] = (int)number;
    }
    g->null = null_ops > 0;
    if (null_ops && g->stream >= 0)
        fail(x, g->ops[0], "its host uses the NULL stream and another");
}

/* Writes the stream's priority. In the examiner, blocking streams have none, and others have one in the GPU's range. */
static void write_priority(exam_writer *x, const exam_group *g)
{
    if (g->stream < 0)
        return;
    const gcast_stream *s = &x->w->streams[g->stream];
    int highest = x->w->gpu ? highest_priority(x->w->gpu) : -99;
    if (s->blocking ? s->priority != 0 : s->priority > 0 || s->priority < highest)
        fail(x, g->ops[0], "its stream has that priority");
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
        write_seconds(x, first, op->release_ns);
    }
    write_priority(x, g);
    if (single && op->mask != GCAST_ALL_SMS)
        write_mask(x, first);
    text_str(t, ",\n      \"additional_info\": ");
    if (!single) {
        write_actions(x, g);
    } else {
        check_kernel(x, first);
        if (op->shape.static_smem)
            text_printf(t, "{\"duration\": %lld, \"shared_memory_size\": %lld}", (long long)op->max_ns,
                        (long long)op->shape.static_smem / 4);
        else
            text_int(t, op->max_ns);
    }
    text_char(t, '}');
}

/* Are the benchmarks processes? Either all are, or none. */
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
            fail(x, g->ops[0], "its process has several benchmarks");
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
        fail(x, x->w->once_count, "it is in a task");
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
