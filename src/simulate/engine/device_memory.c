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
    s->memory.previous_malloc = calloc((size_t)s->op_count + 1, sizeof *s->memory.previous_malloc);
    s->memory.last_malloc = malloc((s->w->host_count + 1) * sizeof *s->memory.last_malloc);
    for (size_t h = 0; s->memory.last_malloc && h <= s->w->host_count; h++)
        s->memory.last_malloc[h] = NONE;
    return s->memory.previous_malloc && s->memory.last_malloc;
}

/* The last malloc of the host of this op that has not been freed. */
static uint32_t *last_malloc_of(sim *s, const gcast_op *op)
{
    return &s->memory.last_malloc[op->host == GCAST_NO_HOST ? s->w->host_count : (size_t)op->host];
}

void memory_take(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (!s->memory.last_malloc || op->host_memory)
        return;
    if (op->bytes > s->gpu->memory_bytes - s->memory.taken_bytes) {
        if (s->status == GCAST_OK)
            s->status = memory_fail(s->w, s->gpu, s->ops[o].op, s->memory.taken_bytes, s->err);
        return;
    }
    uint32_t *last = last_malloc_of(s, op);
    s->memory.taken_bytes += op->bytes;
    s->memory.previous_malloc[o] = *last;
    *last = o;
}

void memory_release(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (!s->memory.last_malloc || op->host_memory || *last_malloc_of(s, op) == NONE)
        return;
    uint32_t *last = last_malloc_of(s, op);
    s->memory.taken_bytes -= sim_spec(s, *last)->bytes;
    *last = s->memory.previous_malloc[*last];
}
