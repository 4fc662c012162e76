/* gcast_workload_write_native: a workload as gridcast.workload/1, with an op per line and without keys that have their
 * default. Reading it gives the same workload. */
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/text/text.h"
#include "files/plan/write.h"
#include "files/workload/attributes/write_attributes.h"
#include "files/workload/launches/write_launches.h"
#include "files/workload/schema.h"
#include "files/workload/write_kernel.h"
#include "gridcast/read.h"
#include "model/workload/edit.h"
#include "model/workload/mask.h"
#include "model/workload/owned.h"

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
        write_text(t, "policy", gcast_policy_name(op->policy));
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
    text_printf(t, "{\"kind\": \"%s\"", gcast_kind_name(op->kind));
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
        write_text(t, "direction", gcast_direction_name(op->direction));
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

/* A preset by its name, any other GPU in full. */
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
    gcast_status status = workload_check_form(w, err); /* what is out of range cannot be written */
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
