#include "simulate/engine/device_memory.h"

#include <stdlib.h>

#include "simulate/rules/memory_limit.h"

bool memory_init(sim *s)
{
    bool any = false;
    for (size_t i = 0; i < s->w->op_count; i++)
        any = any || memory_takes(&s->w->ops[i]);
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
            s->status = memory_fail(s->w, s->gpu, s->ops[o].op, s->memory.taken, s->err);
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
