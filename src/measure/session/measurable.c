#include "measure/session/measurable.h"

#include <stdio.h>
#include <string.h>

#include "measure/session/kernel_call.h"
#include "model/workload/attributes.h"
#include "model/workload/policy.h"
#include "model/workload/workload.h"

#define CLUSTERS_CC 9 /* compute capability from which on there are clusters, and ports of edges */

/* Why an op cannot be measured; NULL: it can be. `process` is that of the first op with a stream. */
static const char *unsupported(const gcast_workload *w, const gcast_op *op, int process)
{
    bool on_gpu = gcast_kind_on_gpu(op->kind);
    if (on_gpu && op->kind != GCAST_KIND_KERNEL && op->bytes < 1)
        return "how many bytes it moves is not known, so it cannot be measured";
    if (op->kind == GCAST_KIND_KERNEL && op->blocks > UINT32_MAX)
        return "more than 4294967295 blocks cannot be recorded";
    if (op->mask != GCAST_ALL_SMS)
        return "a kernel that may use some SMs only cannot be measured";
    if (op->kind == GCAST_KIND_KERNEL && op->shape.barriers > 1)
        return "a kernel with more than one barrier cannot be measured";
    if (op->kind == GCAST_KIND_KERNEL && op->body != GCAST_BODY_SPIN &&
        (attributes_waits(op) || op->trigger_ns != GCAST_NEVER || start_counters_waited_for(w, (size_t)(op - w->ops))))
        return "blocks that trigger, wait or are waited for cannot be measured with the body timer_spin";
    if (!on_gpu && op->host == GCAST_NO_HOST)
        return "a call that waits cannot be measured without a host";
    if (on_gpu && w->partition_sms && w->streams[op->stream].id == 0)
        return "the NULL stream cannot be measured in a partition, where it waits for nobody";
    if (on_gpu && w->streams[op->stream].process != process)
        return "several processes cannot be measured";
    return NULL;
}

gcast_status measurable_check(const gcast_workload *w, gcast_error *err)
{
    gcast_status status = gcast_workload_check(w, err);
    if (status == GCAST_OK)
        status = policy_refuse(w, "such kernels cannot be measured", err);
    size_t first = 0;
    while (first < w->op_count && w->ops[first].stream < 0)
        first++;
    int process = first < w->op_count ? w->streams[w->ops[first].stream].process : 0;
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const char *reason = unsupported(w, &w->ops[i], process);
        if (!reason)
            continue;
        char path[128];
        gcast_workload_op_path(w, i, path, sizeof path);
        status = gcast_error_set(err, GCAST_INPUT, path, "%s: %s", w->ops[i].label, reason);
    }
    return status;
}

/* The first key of an op that needs compute capability 9.0 and is not checked elsewhere; NULL: none. */
static const char *newer_key(const gcast_op *op)
{
    for (size_t k = 0; op->ports && k < op->after_count; k++)
        if (op->ports[k] != GCAST_PORT_FULL)
            return "after";
    return op->kind == GCAST_KIND_KERNEL && attributes_cluster(op) > 1 ? "cluster" : NULL;
}

gcast_status measurable_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_status status = attributes_check_on_gpu(w, gpu, err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        char path[128];
        const char *key = newer_key(&w->ops[i]);
        if (!key || gpu->limits.cc_major >= CLUSTERS_CC)
            continue;
        gcast_workload_op_path(w, i, path, sizeof path);
        size_t length = strlen(path);
        snprintf(path + length, sizeof path - length, "/%s", key);
        status = gcast_error_set(err, GCAST_INPUT, path,
                                 "%.100s has %s, which needs compute capability %d.0: %.100s has %d.%d",
                                 w->ops[i].label, strcmp(key, "after") == 0 ? "edges with ports" : "clusters",
                                 CLUSTERS_CC, gpu->name, gpu->limits.cc_major, gpu->limits.cc_minor);
    }
    return status;
}

gcast_status measurable_check_fits(const gcast_op *op, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_occupancy occupancy;
    gcast_status status = gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &occupancy, err);
    if (status != GCAST_OK)
        return status;
    if (!occupancy.blocks_per_sm)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%s can never run on %s: %s", op->label, gpu->name,
                               occupancy.reason);
    uint64_t most = (uint64_t)occupancy.blocks_per_sm * (uint64_t)gpu->sms;
    if (op->cooperative && op->blocks > most)
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "%s is cooperative, and only %llu of its %llu blocks can be resident at once on %s",
                               op->label, (unsigned long long)most, (unsigned long long)op->blocks, gpu->name);
    return GCAST_OK;
}
