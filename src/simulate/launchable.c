/* Checks of a workload against a GPU: clusters, memory, and the resources of kernels. */
#include "simulate/launchable.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/units.h"
#include "gridcast/workload.h"
#include "model/workload/attributes.h"
#include "model/workload/launching.h"
#include "model/workload/policy.h"
#include "model/workload/workload.h"
#include "simulate/blocks/sm.h"
#include "simulate/duration.h"

/* How many SMs of the GPC g an op may use; sms[]: the SMs of the GPC. */
static int usable_sms_of_gpc(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op, int g, const int *sms)
{
    int usable = 0;
    for (int i = 0; i < gpu->gpc_sizes[g]; i++)
        usable += mask_has_sm(mask_at(w, op->mask), sms[i]);
    return usable;
}

/* The largest number of SMs of one GPC that an op may use. */
static int largest_gpc(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op)
{
    const int *sms = gpu->gpc_sms;
    int largest = 0;
    for (int g = 0; g < gpu->gpc_count; sms += gpu->gpc_sizes[g++]) {
        int usable = usable_sms_of_gpc(w, gpu, op, g, sms);
        largest = usable > largest ? usable : largest;
    }
    return largest;
}

/* How many blocks of a kernel with clusters can be resident at once, where an SM holds `per_sm` blocks. */
static uint64_t clusters_most_blocks(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op, uint32_t per_sm)
{
    const int *sms = gpu->gpc_sms;
    uint64_t size = attributes_cluster(op), most = 0;
    for (int g = 0; g < gpu->gpc_count; sms += gpu->gpc_sizes[g++]) {
        uint64_t usable = (uint64_t)usable_sms_of_gpc(w, gpu, op, g, sms);
        most += usable < size ? 0 : usable * per_sm / size * size;
    }
    return most;
}

static gcast_status check_cluster(const gcast_workload *w, const gcast_gpu *gpu, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    int size = (int)attributes_cluster(op), largest = largest_gpc(w, gpu, op);
    char path[128];
    gcast_workload_op_path(w, i, path, sizeof path);
    if (gpu->limits.cc_major < 9)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%.100s has clusters, which need compute capability 9.0 or newer; %.100s has %d.%d",
                               op->label, gpu->name, gpu->limits.cc_major, gpu->limits.cc_minor);
    if (!gpu->gpc_count)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%.100s has clusters, but the GPCs of %.100s are not known: give \"gpcs\" in a GPU file "
                               "(man 5 gridcast-gpu)",
                               op->label, gpu->name);
    if (largest < size)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%.100s can never run on %.100s: a cluster needs %d SMs of one GPC, and no GPC has "
                               "more than %d that it may use",
                               op->label, gpu->name, size, largest);
    return GCAST_OK;
}

/* An error where a kernel has clusters that this GPU, with the partition taken, cannot run, or where the GPCs are not
 * known. */
static gcast_status clusters_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    size_t first = SIZE_MAX; /* first kernel with clusters */
    bool others = false;     /* there are kernels beside which clusters cannot be simulated */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        others = others || op->policy != GCAST_POLICY_HARDWARE || op->launches;
        if (attributes_cluster(op) == 1)
            continue;
        first = first == SIZE_MAX ? i : first;
        gcast_status status = check_cluster(w, gpu, i, err);
        if (status != GCAST_OK)
            return status;
    }
    if (first == SIZE_MAX || !others)
        return GCAST_OK;
    char path[128];
    gcast_workload_op_path(w, first, path, sizeof path);
    return gcast_error_set(
        err, GCAST_INPUT, path,
        "%.100s has clusters: gridcast does not simulate clusters beside kernels that have plans or launch kernels",
        w->ops[first].label);
}

bool memory_takes(const gcast_op *op)
{
    return op->kind == GCAST_KIND_MALLOC && !op->host_memory && op->bytes > 0;
}

gcast_status memory_fail(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t taken, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    char path[128], asked[40], has[40], used[40];
    gcast_workload_op_path(w, i, path, sizeof path);
    units_format_size(op->bytes, asked, sizeof asked);
    units_format_size(gpu->memory_bytes, has, sizeof has);
    units_format_size(taken, used, sizeof used);
    if (taken)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%s cannot allocate %s: %s of the %s of memory of %s are already in use", op->label,
                               asked, used, has, gpu->name);
    return gcast_error_set(err, GCAST_INPUT, path, "%s cannot allocate %s: %s has %s of memory", op->label, asked,
                           gpu->name, has);
}

/* May the op with index i, or an earlier one of its host, be skipped? by_host[]: whether one so far may be. */
static bool may_skip(const gcast_workload *w, size_t i, bool *by_host)
{
    const gcast_op *op = &w->ops[i];
    if (op->host == GCAST_NO_HOST)
        return op->skip_ns != GCAST_NEVER;
    return by_host[op->host] = by_host[op->host] || op->skip_ns != GCAST_NEVER;
}

static bool has_free(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_FREE && !w->ops[i].host_memory)
            return true;
    return false;
}

/* An error where a malloc fails in every execution, by itself or together with others. */
static gcast_status memory_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    bool frees = has_free(w), *skipped = gpu->memory_bytes ? calloc(w->host_count + 1, sizeof *skipped) : NULL;
    int64_t taken = 0;
    if (!gpu->memory_bytes)
        return GCAST_OK;
    if (!skipped)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &w->ops[i];
        if (may_skip(w, i, skipped) || !memory_takes(op))
            continue;
        if (op->bytes > gpu->memory_bytes - taken)
            status = memory_fail(w, gpu, i, taken, err);
        else if (!frees)
            taken += op->bytes;
    }
    free(skipped);
    return status;
}

bool memory_may_fail(const gcast_workload *w, const gcast_gpu *gpu)
{
    int64_t taken = 0;
    for (size_t i = 0; i < w->op_count && gpu->memory_bytes; i++)
        if (memory_takes(&w->ops[i]) && (!checked_add(taken, w->ops[i].bytes, &taken) || taken > gpu->memory_bytes))
            return true;
    return false;
}

/* How many SMs a kernel may use. */
static int usable_sms(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op)
{
    return op->mask == GCAST_ALL_SMS ? gpu->sms : mask_sm_count(mask_at(w, op->mask), gpu->sms);
}

static gcast_status check_kernel(const gcast_workload *w, const gcast_gpu *gpu, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    gcast_occupancy occupancy;
    char path[128];
    gcast_workload_op_path(w, i, path, sizeof path);
    gcast_status status = gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &occupancy, err);
    if (status != GCAST_OK)
        return status;
    if (!occupancy.blocks_per_sm)
        return gcast_error_set(err, GCAST_INPUT, path, "%s can never run on %s: %s", op->label, gpu->name,
                               occupancy.reason);
    sm_state empty;
    sm_demand demand = sm_demand_of(gpu, op);
    sm_empty(gpu, &empty);
    if (!sm_fit_count(&empty, &demand))
        return gcast_error_set(err, GCAST_INPUT, path, "%s can never run on %s: a block does not fit on an empty SM",
                               op->label, gpu->name);
    if (op->mask != GCAST_ALL_SMS && !mask_sm_count(mask_at(w, op->mask), gpu->sms))
        return gcast_error_set(err, GCAST_INPUT, path, "%s may use none of the SMs of %s", op->label, gpu->name);
    uint64_t per_sm = min_u64((uint64_t)occupancy.blocks_per_sm, sm_fit_count(&empty, &demand));
    uint64_t most = attributes_cluster(op) > 1 ? clusters_most_blocks(w, gpu, op, (uint32_t)per_sm)
                                               : per_sm * (uint64_t)usable_sms(w, gpu, op);
    if (op->cooperative && op->blocks > most)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%s is cooperative, and only %llu of its %llu blocks can be resident at once on %s",
                               op->label, (unsigned long long)most, (unsigned long long)op->blocks, gpu->name);
    return GCAST_OK;
}

gcast_status launchable_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_status status = memory_check(w, gpu, err);
    if (status == GCAST_OK)
        status = policy_check_on_gpu(w, gpu, err);
    if (status == GCAST_OK)
        status = launches_check_on_gpu(w, gpu, err);
    if (status == GCAST_OK)
        status = clusters_check_on_gpu(w, gpu, err);
    if (status == GCAST_OK)
        status = attributes_check_on_gpu(w, gpu, err);
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < w->op_count + w->child_count; i++) {
        const gcast_op *op = &w->ops[i];
        status = GCAST_OK;
        int64_t ns;
        if (op->kind == GCAST_KIND_KERNEL)
            status = check_kernel(w, gpu, i, err);
        else if (gcast_kind_on_gpu(op->kind) && op->max_ns == GCAST_UNKNOWN_NS)
            status = copy_bytes_ns(w, gpu, i, &ns, err);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}
