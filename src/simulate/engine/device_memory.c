#include "simulate/engine/device_memory.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/text/units.h"

static bool takes(const gcast_op *op)
{
    return op->kind == GCAST_KIND_MALLOC && !op->host_memory && op->bytes > 0;
}

static gcast_status no_room(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t taken, gcast_error *err)
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

/* May an op at i or before it on its host be skipped? *by_host has a place for each, and for none. */
static bool may_skip(const gcast_workload *w, size_t i, bool *by_host)
{
    const gcast_op *op = &w->ops[i];
    if (op->host == GCAST_NO_HOST)
        return op->skip_ns != GCAST_NEVER;
    return by_host[op->host] = by_host[op->host] || op->skip_ns != GCAST_NEVER;
}

static bool gives_back(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_FREE && !w->ops[i].host_memory)
            return true;
    return false;
}

gcast_status memory_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    bool frees = gives_back(w), *skipped = gpu->memory_bytes ? calloc(w->host_count + 1, sizeof *skipped) : NULL;
    int64_t taken = 0;
    if (!gpu->memory_bytes)
        return GCAST_OK;
    if (!skipped)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &w->ops[i];
        if (may_skip(w, i, skipped) || !takes(op))
            continue;
        if (op->bytes > gpu->memory_bytes - taken)
            status = no_room(w, gpu, i, taken, err);
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
        if (takes(&w->ops[i]) && (!checked_add(taken, w->ops[i].bytes, &taken) || taken > gpu->memory_bytes))
            return true;
    return false;
}

bool memory_init(sim *s)
{
    bool any = false;
    for (size_t i = 0; i < s->w->op_count; i++)
        any = any || takes(&s->w->ops[i]);
    if (!any || !s->gpu->memory_bytes)
        return true;
    s->memory.below = calloc((size_t)s->op_count + 1, sizeof *s->memory.below);
    s->memory.top = malloc((s->w->host_count + 1) * sizeof *s->memory.top);
    for (size_t h = 0; s->memory.top && h <= s->w->host_count; h++)
        s->memory.top[h] = NONE;
    return s->memory.below && s->memory.top;
}

static uint32_t *top_of(sim *s, const gcast_op *op)
{
    return &s->memory.top[op->host == GCAST_NO_HOST ? s->w->host_count : (size_t)op->host];
}

void memory_take(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (!s->memory.top || op->host_memory)
        return;
    if (op->bytes > s->gpu->memory_bytes - s->memory.taken) {
        if (s->status == GCAST_OK)
            s->status = no_room(s->w, s->gpu, s->ops[o].op, s->memory.taken, s->err);
        return;
    }
    uint32_t *top = top_of(s, op);
    s->memory.taken += op->bytes;
    s->memory.below[o] = *top;
    *top = o;
}

void memory_give(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (!s->memory.top || op->host_memory || *top_of(s, op) == NONE)
        return;
    uint32_t *top = top_of(s, op);
    s->memory.taken -= sim_spec(s, *top)->bytes;
    *top = s->memory.below[*top];
}
