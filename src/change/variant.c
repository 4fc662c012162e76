/* Makes changes one after the other to a copy; those of connections, pauses, latencies, SMs and the GPU here. */
#include "change/variant.h"

#include <string.h>

#include "base/integers.h"
#include "change/change_parts.h"
#include "model/gpu_fields.h"
#include "model/workload/workload.h"

#define MAX_CONNECTIONS 1024 /* how many a workload may have */

/* Limited to INT64_MAX, which every check rejects as too long. */
static int64_t percent_of(int64_t ns, int64_t percent)
{
    unsigned __int128 scaled = (unsigned __int128)(uint64_t)ns * (uint64_t)percent / 100;
    return scaled > INT64_MAX ? INT64_MAX : (int64_t)scaled;
}

static gcast_status scale_pauses(gcast_workload *w, int64_t percent, gcast_error *err)
{
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = w->ops[i];
        if (op.host == GCAST_NO_HOST)
            continue;
        op.delay_ns = percent_of(op.delay_ns, percent);
        op.event_pause_ns = percent_of(op.event_pause_ns, percent);
        if (op.delay_ns > WORKLOAD_MAX_NS)
            return gcast_error_set(err, GCAST_INPUT, NULL, "pauses would be longer than 2^61 ns");
        workload_put_op(w, i, &op);
    }
    return GCAST_OK;
}

/* The measured quantiles change with the usual latency, which must stay in their range. */
static void scale_quantiles(gcast_latency *l, int64_t percent)
{
    l->min_ns = percent_of(l->min_ns, percent);
    l->max_ns = percent_of(l->max_ns, percent);
    for (int i = 0; i < l->count; i++)
        l->quantile[i].ns = percent_of(l->quantile[i].ns, percent);
}

static gcast_status scale_latency(variant *v, int64_t percent, gcast_error *err)
{
    int64_t *const fields[] = {&v->gpu->launch_latency_ns, &v->gpu->copy_latency_ns, &v->gpu->graph_latency_ns,
                               &v->gpu->graph_node_ns, &v->gpu->graph_root_ns};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = percent_of(*fields[i], percent);
    scale_quantiles(&v->gpu->launch_quantiles, percent);
    scale_quantiles(&v->gpu->copy_quantiles, percent);
    for (size_t i = 0; i < v->w->op_count; i++) {
        gcast_op op = v->w->ops[i];
        if (op.host == GCAST_NO_HOST && op.task == GCAST_ONCE)
            continue; /* an imported operation without a call: this latency says when it arrived */
        op.extra_latency_ns = percent_of(op.extra_latency_ns, percent);
        workload_put_op(v->w, i, &op);
    }
    return gcast_gpu_check(v->gpu, err);
}

static gcast_status cut_sms(variant *v, int64_t sms, gcast_error *err)
{
    gcast_status status = gcast_gpu_partition(v->gpu, (int)sms, err);
    if (status == GCAST_OK)
        gcast_workload_set_partition(v->w, (int)sms);
    return status;
}

static gcast_status set_connections(gcast_workload *w, int64_t connections, gcast_error *err)
{
    if (connections > MAX_CONNECTIONS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there are at most %d connections", MAX_CONNECTIONS);
    gcast_workload_set_connections(w, (int)connections);
    return GCAST_OK;
}

/* The workload runs on another GPU, without a partition. */
static gcast_status take_gpu(variant *v, const char *name, gcast_error *err)
{
    for (size_t i = 0; i < v->base->gpu_count; i++) {
        if (strcmp(v->base->gpu_names[i], name) != 0)
            continue;
        gcast_gpu *gpu;
        gcast_status status = gcast_gpu_copy(v->base->gpus[i], &gpu, err);
        if (status != GCAST_OK)
            return status;
        gcast_gpu_free(v->gpu);
        v->gpu = gpu;
        gcast_workload_set_partition(v->w, 0);
        return GCAST_OK;
    }
    return gcast_error_set(err, GCAST_USAGE, NULL, "there is no GPU %.100s", name);
}

/* Children have the stream and the SMs of their parents. These changes do not change the children. */
static gcast_status check_launched(const gcast_workload *w, change_kind kind, gcast_error *err)
{
    bool moves = kind == CHANGE_MERGE || kind == CHANGE_SPLIT || kind == CHANGE_MOVE || kind == CHANGE_RESERVE ||
                 kind == CHANGE_CONFINE || kind == CHANGE_GRAPHS;
    for (size_t i = 0; i < w->op_count && moves; i++)
        if (w->ops[i].launches)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s launches kernels, which %s does not know",
                                   w->ops[i].label, change_kind_name(kind));
    return GCAST_OK;
}

static gcast_status set_field(gcast_gpu *gpu, const change *c, gcast_error *err)
{
    const gpu_field *field = gpu_field_find(c->name);
    if (strcmp(c->name, "register_quarters") == 0) {
        gpu->register_quarters = c->value != 0;
        return GCAST_OK;
    }
    if (!field)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a GPU has no number %.100s", c->name);
    return gpu_field_set(gpu, field, c->value) ? GCAST_OK : gpu_field_range_error(field, field->key, c->value, err);
}

gcast_status variant_change(variant *v, const change *c, gcast_error *err)
{
    if (c->kind == CHANGE_GPU_FIELD)
        return set_field(v->gpu, c, err);
    gcast_status status = check_launched(v->w, c->kind, err);
    if (status != GCAST_OK)
        return status;
    switch (c->kind) {
    case CHANGE_CONNECTIONS:
        return set_connections(v->w, c->value, err);
    case CHANGE_MERGE:
    case CHANGE_SPLIT:
    case CHANGE_MOVE:
    case CHANGE_PRIORITY:
    case CHANGE_OWN_STREAM:
    case CHANGE_NON_BLOCKING:
    case CHANGE_LEVEL:
        return change_streams(v, c, err);
    case CHANGE_SMS:
        return cut_sms(v, c->value, err);
    case CHANGE_GRAPHS:
        return change_to_graphs(v, err);
    case CHANGE_LAUNCHES:
        return change_to_launches(v, c, err);
    case CHANGE_PAUSES:
        return scale_pauses(v->w, c->value, err);
    case CHANGE_LATENCY:
        return scale_latency(v, c->value, err);
    case CHANGE_GPU:
        return take_gpu(v, c->name, err);
    default:
        return c->kind < CHANGE_WRITTEN_KINDS ? change_kernels(v, c, err) : change_op(v, c, err);
    }
}

gcast_status variant_open(const variant_base *base, variant *v, gcast_error *err)
{
    *v = (variant){.base = base};
    gcast_status status = base->w ? gcast_workload_copy(base->w, &v->w, err) : GCAST_OK;
    return status == GCAST_OK && base->gpu ? gcast_gpu_copy(base->gpu, &v->gpu, err) : status;
}

gcast_status variant_make(const variant_base *base, const change *changes, size_t count, variant *v, gcast_error *err)
{
    gcast_status status = variant_open(base, v, err);
    /* Another GPU first, wherever it is named: other changes then see its SMs and latencies. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count && status == GCAST_OK; i++)
            if ((changes[i].kind == CHANGE_GPU) == (pass == 0))
                status = variant_change(v, &changes[i], err);
    return status == GCAST_OK && v->w ? gcast_workload_check(v->w, err) : status;
}

void variant_free(variant *v)
{
    gcast_workload_free(v->w);
    gcast_gpu_free(v->gpu);
    *v = (variant){0};
}
