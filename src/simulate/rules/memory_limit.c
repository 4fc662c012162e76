#include "simulate/rules/memory_limit.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/text/units.h"

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
        return gcast_error_set(err, GCAST_INPUT, path, "%s cannot have %s: %s of the %s of memory of %s are taken then",
                               op->label, asked, used, has, gpu->name);
    return gcast_error_set(err, GCAST_INPUT, path, "%s cannot have %s: %s has %s of memory", op->label, asked,
                           gpu->name, has);
}

/* May the op with index i, or one before it on its host, be skipped? by_host[]: what is known so far. */
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

gcast_status memory_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
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
