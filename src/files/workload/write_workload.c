/* gcast_workload_write_native: a workload as gridcast.workload/1, with an op per line and without keys that have their
 * defaults. Reading it gives the same workload. */
#include "files/workload/write_workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "base/text.h"
#include "files/plan_file.h"
#include "gridcast/names.h"
#include "gridcast/read.h"
#include "gridcast/workload.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"

/* These functions write a key and its value, with a comma before it. */

static void write_text(text *t, const char *key, const char *value)
{
    text_printf(t, ", \"%s\": ", key);
    text_json(t, value);
}

/* Writes nothing for the default. */
static void write_int(text *t, const char *key, int64_t value, int64_t default_value)
{
    if (value == default_value)
        return;
    text_printf(t, ", \"%s\": ", key);
    text_int(t, value);
}

static void write_dimensions(text *t, const char *key, const uint32_t d[3])
{
    text_printf(t, ", \"%s\": ", key);
    if (d[1] == 1 && d[2] == 1)
        text_uint(t, d[0]);
    else
        text_printf(t, "[%u, %u, %u]", (unsigned)d[0], (unsigned)d[1], (unsigned)d[2]);
}

/* Writes the duration of a kernel's blocks, or of a copy. */
static void write_duration(text *t, const gcast_op *op)
{
    if (op->block_ns) {
        for (uint64_t b = 0; b < op->blocks; b++) {
            text_str(t, b ? ", " : ", \"block_ns\": [");
            text_int(t, op->block_ns[b]);
        }
        text_char(t, ']');
    } else if (op->min_ns != op->max_ns) {
        text_printf(t, ", \"duration_ns\": {\"min\": %lld, \"max\": %lld}", (long long)op->min_ns,
                    (long long)op->max_ns);
    } else {
        write_int(t, "duration_ns", op->max_ns, GCAST_UNKNOWN_NS);
    }
}

/* Writes the block of a kernel, and the resources that it needs of an SM. */
static void write_shape(text *t, const gcast_op *op)
{
    write_dimensions(t, "block", op->block);
    write_int(t, "registers", op->shape.registers, op->registers_given ? -1 : 0);
    write_int(t, "static_smem", op->shape.static_smem, 0);
    write_int(t, "dynamic_smem", op->shape.dynamic_smem, 0);
    write_int(t, "barriers", op->shape.barriers, 0);
    if (op->body != GCAST_BODY_SPIN)
        write_text(t, "body", gcast_name(GCAST_NAMES_BODY, op->body));
    if (op->carveout_given || op->carveout != GCAST_OP_CARVEOUT_MOST)
        write_text(t, "carveout", gcast_name(GCAST_NAMES_CARVEOUT, op->carveout));
}

static void write_edge(text *t, const gcast_workload *w, const gcast_op *op, size_t i)
{
    const char *label = w->ops[op->after[i]].label;
    if (!op->ports || op->ports[i] == GCAST_PORT_FULL) {
        text_json(t, label);
        return;
    }
    text_str(t, "{\"op\": ");
    text_json(t, label);
    write_text(t, "port", gcast_name(GCAST_NAMES_PORT, op->ports[i]));
    text_char(t, '}');
}

/* Writes the graph of an op, and its dependencies. */
static void write_after(text *t, const gcast_workload *w, const gcast_op *op)
{
    if (op->graph != GCAST_NO_GRAPH)
        write_text(t, "graph", w->graphs[op->graph]);
    for (size_t i = 0; i < op->after_count; i++) {
        text_str(t, i ? ", " : ", \"after\": [");
        write_edge(t, w, op, i);
    }
    if (op->after_count)
        text_char(t, ']');
}

/* Writes launch attributes of a kernel. */
static void write_attributes(text *t, const gcast_workload *w, const gcast_op *op)
{
    if (attributes_cluster(op) != 1)
        write_dimensions(t, "cluster", op->cluster);
    if (op->cooperative)
        text_str(t, ", \"cooperative\": true");
    if (op->programmatic)
        text_str(t, ", \"programmatic\": true");
    write_int(t, "trigger_ns", op->trigger_ns, GCAST_NEVER);
    write_int(t, "wait_ns", op->wait_ns, GCAST_NEVER);
    for (size_t i = 0; i < op->waits_for_count; i++) {
        text_str(t, i ? ", " : ", \"waits_for\": [");
        text_json(t, w->ops[op->waits_for[i]].label);
    }
    if (op->waits_for_count)
        text_char(t, ']');
}

static void write_items(text *t, const gcast_launches *l)
{
    text_str(t, "\"items\": ");
    if (!l->items)
        text_uint(t, l->items_each);
    for (uint64_t i = 0; l->items && i < l->item_count; i++) {
        text_str(t, i ? ", " : "[");
        text_uint(t, l->items[i]);
    }
    if (l->items)
        text_str(t, l->item_count ? "]" : "[]");
}

static void write_stream(text *t, const gcast_launches *l)
{
    if (l->stream == GCAST_CHILD_STREAM_NAMED)
        write_int(t, "stream", l->named, -1);
    else if (l->stream != GCAST_CHILD_STREAM_OWN)
        write_text(t, "stream", gcast_name(GCAST_NAMES_CHILD_STREAM, l->stream));
    write_int(t, "streams", l->streams, 0);
}

/* The default of at_ns. */
static int64_t default_at_ns(const gcast_op *op)
{
    int64_t shortest = op->block_ns ? INT64_MAX : op->min_ns;
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        shortest = min_i64(shortest, op->block_ns[b]);
    return shortest - 1;
}

/* Writes a level of launches without the level below, and leaves its objects open. */
static void write_level(text *t, const gcast_op *op)
{
    const gcast_launches *l = op->launches;
    text_str(t, ", \"launches\": {");
    write_items(t, l);
    if (l->by != GCAST_LAUNCHER_THREAD)
        write_text(t, "by", gcast_name(GCAST_NAMES_LAUNCHER, l->by));
    write_int(t, "at_ns", l->at_ns, default_at_ns(op));
    write_int(t, "min_items", l->min_items, 1);
    write_int(t, "item_ns", l->item_ns, -1);
    if (l->policy == GCAST_SPAWN_THRESHOLD)
        text_printf(t, ", \"policy\": {\"threshold\": %u}", (unsigned)l->threshold);
    else if (l->policy != GCAST_SPAWN_ALWAYS)
        write_text(t, "policy", gcast_name(GCAST_NAMES_SPAWN_POLICY, l->policy));
    write_stream(t, l);
    if (l->wait != GCAST_CHILD_WAIT_NONE)
        write_text(t, "wait", gcast_name(GCAST_NAMES_CHILD_WAIT, l->wait));
    write_int(t, "after_ns", l->after_ns, 0);
    text_str(t, ", \"child\": {\"label\": ");
    text_json(t, l->child->label);
    write_shape(t, l->child);
    write_duration(t, l->child);
    write_int(t, "item_ns", l->child_item_ns, -1);
    write_int(t, "items_per_block", l->items_per_block, 0);
}

/* Writes the launches of a kernel, with all levels in full. */
static void write_launches(text *t, const gcast_op *op)
{
    int levels = 0;
    for (; op->launches; op = op->launches->child, levels++)
        write_level(t, op);
    while (levels--)
        text_str(t, "}}");
}

static void write_allowed_sms(text *t, const gcast_mask *mask)
{
    const char *before = ", \"allowed_sms\": [";
    for (int sm = 0; sm < GCAST_MAX_SMS; sm++) {
        if (!mask_has_sm(mask, sm))
            continue;
        text_str(t, before);
        text_int(t, sm);
        before = ", ";
    }
    text_char(t, ']');
}

static void write_kernel(text *t, const gcast_workload *w, const gcast_op *op)
{
    write_dimensions(t, "grid", op->grid);
    write_shape(t, op);
    if (op->mask != GCAST_ALL_SMS)
        write_allowed_sms(t, &w->masks[op->mask]);
    write_duration(t, op);
    if (op->policy != GCAST_POLICY_HARDWARE)
        write_text(t, "policy", gcast_name(GCAST_NAMES_POLICY, op->policy));
    if (op->plan) {
        text_str(t, ", \"plan\": ");
        plan_write_inline(t, op->plan);
    }
    write_int(t, "fill", op->fill, 0);
    if (op->launches)
        write_launches(t, op);
    write_attributes(t, w, op);
}

static void write_op(text *t, const gcast_workload *w, const gcast_op *op)
{
    text_printf(t, "{\"kind\": \"%s\"", gcast_name(GCAST_NAMES_KIND, op->kind));
    write_text(t, "label", op->label);
    if (op->stream >= 0 && (op->task == GCAST_ONCE || op->stream != w->tasks[op->task].stream))
        write_int(t, "stream", w->streams[op->stream].id, -1);
    if (op->kind == GCAST_KIND_SYNC && op->stream < 0)
        write_text(t, "scope", "device");
    if (op->host != GCAST_NO_HOST)
        write_text(t, "host", w->hosts[op->host]);
    write_int(t, "release_ns", op->release_ns, 0);
    write_int(t, "delay_ns", op->delay_ns, 0);
    write_int(t, "event_pause_ns", op->event_pause_ns, 0);
    write_int(t, "skip_ns", op->skip_ns, GCAST_NEVER);
    if (op->host_waits)
        text_str(t, ", \"host_waits\": true");
    write_int(t, "extra_latency_ns", op->extra_latency_ns, 0);
    write_after(t, w, op);
    if (op->kind == GCAST_KIND_KERNEL)
        write_kernel(t, w, op);
    if (op->kind == GCAST_KIND_COPY)
        write_text(t, "direction", gcast_name(GCAST_NAMES_DIRECTION, op->direction));
    if (op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET) {
        write_int(t, "bytes", op->bytes, -1);
        write_duration(t, op);
    }
    if (op->kind == GCAST_KIND_MALLOC)
        write_int(t, "bytes", op->bytes, 0);
    if (op->host_memory)
        write_text(t, "memory", "host");
    if (op->kind == GCAST_KIND_BARRIER)
        write_int(t, "barrier", op->barrier, -1);
    text_char(t, '}');
}

static void write_ops(text *t, const gcast_workload *w, size_t first, size_t count, const char *indent)
{
    text_str(t, "\"ops\": [");
    for (size_t i = 0; i < count; i++) {
        text_printf(t, "%s\n%s", i ? "," : "", indent);
        write_op(t, w, &w->ops[first + i]);
    }
    text_str(t, "]");
}

static void write_streams(text *t, const gcast_workload *w)
{
    text_str(t, ",\n  \"streams\": [");
    for (size_t i = 0; i < w->stream_count; i++) {
        const gcast_stream *s = &w->streams[i];
        text_printf(t, "%s\n    {\"id\": %d", i ? "," : "", s->id);
        write_int(t, "priority", s->priority, 0);
        if (s->id != 0 && (s->blocking || s->blocking_given))
            text_printf(t, ", \"blocking\": %s", s->blocking ? "true" : "false");
        write_int(t, "process", s->process, 0);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void write_tasks(text *t, const gcast_workload *w)
{
    text_str(t, ",\n  \"tasks\": [");
    for (size_t i = 0; i < w->task_count; i++) {
        const gcast_task *task = &w->tasks[i];
        text_printf(t, "%s\n    {\"name\": ", i ? "," : "");
        text_json(t, task->name);
        write_int(t, "stream", w->streams[task->stream].id, -1);
        write_int(t, "period_ns", task->period_ns, 0);
        write_int(t, "deadline_ns", task->deadline_ns, task->period_ns);
        write_int(t, "offset_ns", task->offset_ns, 0);
        write_int(t, "jitter_ns", task->jitter_ns, 0);
        if (task->sporadic)
            text_str(t, ", \"sporadic\": true");
        text_str(t, ",\n     ");
        write_ops(t, w, task->first_op, task->op_count, "       ");
        text_char(t, '}');
    }
    text_char(t, ']');
}

/* Writes the name of a preset; any other GPU in full. */
static gcast_status write_gpu(text *t, const gcast_gpu *gpu, gcast_error *err)
{
    char *json = NULL, *preset_json = NULL;
    gcast_gpu *preset = NULL;
    size_t size;
    gcast_status status = gcast_gpu_write_json(gpu, &json, &size, err);
    if (status != GCAST_OK)
        return status;
    if (gcast_preset_json(gpu->name))
        status = gcast_gpu_preset(gpu->name, &preset, err);
    if (status == GCAST_OK && preset)
        status = gcast_gpu_write_json(preset, &preset_json, &size, err);
    text_str(t, ",\n  \"gpu\": ");
    if (preset_json && strcmp(json, preset_json) == 0)
        text_json(t, gpu->name);
    else
        text_str(t, json);
    free(json);
    free(preset_json);
    gcast_gpu_free(preset);
    return status;
}

static void write_texts(text *t, const char *key, const char *const *texts, size_t count)
{
    if (!count)
        return;
    text_printf(t, ",\n  \"%s\": [", key);
    for (size_t i = 0; i < count; i++) {
        text_str(t, i ? ",\n    " : "\n    ");
        text_json(t, texts[i]);
    }
    text_char(t, ']');
}

gcast_status gcast_workload_write_native(const gcast_workload *w, char **out, size_t *size, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    gcast_status status = workload_check_form(w, err); /* values out of range cannot be written */
    if (status != GCAST_OK)
        return status;
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "{\n  \"schema\": \"" WORKLOAD_SCHEMA "\",\n  \"name\": ");
    text_json(&t, w->name);
    if (w->gpu)
        status = write_gpu(&t, w->gpu, err);
    if (w->partition_sms)
        text_printf(&t, ",\n  \"partition\": {\"sms\": %d}", w->partition_sms);
    if (w->connections >= 0)
        text_printf(&t, ",\n  \"connections\": %d", w->connections);
    const owned_workload *o = (const owned_workload *)w;
    write_texts(&t, "x-notes", w->notes, w->note_count);
    write_texts(&t, "x-remarks", o->remarks.at, o->remarks.count);
    if (w->stream_count)
        write_streams(&t, w);
    text_str(&t, ",\n  ");
    write_ops(&t, w, 0, w->once_count, "    ");
    if (w->task_count)
        write_tasks(&t, w);
    text_str(&t, "\n}\n");
    *out = text_take(&t, size);
    if (status == GCAST_OK && !*out)
        status = gcast_error_set_memory(err);
    if (status != GCAST_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
