/* Rules R1-R3: a block starts on an SM only if every resource it needs is free
 * there. Where registers are held by quarter, warps are dealt to the quarters in
 * turn, starting where the SM's last block left off. */
#include "simulate/sm.h"

#include <stdlib.h>

static int64_t round_up(int64_t v, int64_t unit)
{
    return (v + unit - 1) / unit * unit;
}

static int32_t clamp(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

sm_demand sm_demand_of(const gcast_gpu *gpu, const gcast_op *op)
{
    const gcast_limits *l = &gpu->limits;
    const gcast_block_shape *shape = &op->shape;
    sm_demand d = {0};
    d.warps = (int32_t)(((int64_t)shape->threads + 31) / 32);
    d.warp_registers = clamp(round_up(32 * (int64_t)shape->registers, l->register_unit));
    int64_t smem = shape->static_smem + shape->dynamic_smem + l->smem_reserved;
    d.need[GCAST_RES_THREADS] = shape->threads;
    d.need[GCAST_RES_BLOCKS] = 1;
    d.need[GCAST_RES_SHARED_MEMORY] = clamp(round_up(smem, l->smem_unit));
    if (l->barriers_per_sm > 0)
        d.need[GCAST_RES_BARRIERS] = shape->barriers > 0 ? shape->barriers : 1;
    if (!gpu->register_quarters) {
        d.need[GCAST_RES_WARPS] = d.warps;
        d.need[GCAST_RES_REGISTERS] = clamp((int64_t)d.warps * d.warp_registers);
    }
    return d;
}

void sm_empty(const gcast_gpu *gpu, sm_state *sm)
{
    const gcast_limits *l = &gpu->limits;
    *sm = (sm_state){.free = {[GCAST_RES_THREADS] = l->threads_per_sm,
                              [GCAST_RES_WARPS] = l->warps_per_sm,
                              [GCAST_RES_BLOCKS] = l->blocks_per_sm,
                              [GCAST_RES_REGISTERS] = l->registers_per_sm,
                              [GCAST_RES_SHARED_MEMORY] = l->smem_per_sm,
                              [GCAST_RES_BARRIERS] = l->barriers_per_sm}};
    for (int q = 0; q < GCAST_QUARTERS; q++) {
        sm->quarter_warps[q] = l->warps_per_sm / GCAST_QUARTERS;
        sm->quarter_registers[q] = l->registers_per_sm / GCAST_QUARTERS;
    }
}

bool sm_set_init(sm_set *set, const gcast_gpu *gpu)
{
    size_t n = (size_t)gpu->sms;
    *set = (sm_set){.count = gpu->sms, .quarters = gpu->register_quarters, .last = (uint32_t)n};
    set->order = calloc(n, sizeof *set->order);
    set->rank = calloc(n, sizeof *set->rank);
    set->at = calloc(n, sizeof *set->at);
    set->dirty = calloc((n + 63) / 64, sizeof *set->dirty);
    if (!set->order || !set->rank || !set->at || !set->dirty)
        return false;
    gcast_gpu_tie_ranks(gpu, set->order);
    for (size_t r = 0; r < n; r++) {
        set->rank[set->order[r]] = (int)r;
        sm_empty(gpu, &set->at[r]);
    }
    return true;
}

void sm_set_free(sm_set *set)
{
    free(set->order);
    free(set->rank);
    free(set->at);
    free(set->dirty);
}

uint32_t sm_room(const sm_state *sm, const sm_demand *d, bool quarters)
{
    uint32_t room = UINT32_MAX;
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        if (!d->need[r])
            continue;
        uint32_t n = (uint32_t)sm->free[r] / (uint32_t)d->need[r];
        if (n < room)
            room = n;
    }
    if (!quarters || room == 0)
        return room;
    /* k blocks put ceil((k*warps - j) / 4) warps into the j-th quarter from the
     * next one on; solved for k where that is at most what the quarter takes. */
    for (int j = 0; j < GCAST_QUARTERS; j++) {
        int q = (sm->next_quarter + j) % GCAST_QUARTERS;
        int64_t cap = sm->quarter_warps[q];
        if (d->warp_registers && sm->quarter_registers[q] / d->warp_registers < cap)
            cap = sm->quarter_registers[q] / d->warp_registers;
        int64_t n = (GCAST_QUARTERS * cap + j) / d->warps;
        if (n < room)
            room = (uint32_t)n;
    }
    return room;
}

static void count_out(sm_state *sm, const sm_demand *d, int32_t n)
{
    for (int r = 0; r < GCAST_RESOURCES; r++)
        sm->free[r] -= n * d->need[r];
    sm->resident += n;
}

void sm_take(sm_state *sm, const sm_demand *d, uint32_t n, bool quarters, uint32_t warps[GCAST_QUARTERS])
{
    count_out(sm, d, (int32_t)n);
    if (!quarters)
        return;
    uint64_t total = (uint64_t)n * (uint32_t)d->warps;
    for (uint32_t j = 0; j < GCAST_QUARTERS; j++) {
        uint32_t q = ((uint32_t)sm->next_quarter + j) % GCAST_QUARTERS;
        warps[q] = (uint32_t)((total + GCAST_QUARTERS - 1 - j) / GCAST_QUARTERS);
        sm->quarter_warps[q] -= (int32_t)warps[q];
        sm->quarter_registers[q] -= (int32_t)warps[q] * d->warp_registers;
    }
    sm->next_quarter = (int32_t)(((uint64_t)sm->next_quarter + total) % GCAST_QUARTERS);
}

void sm_give(sm_state *sm, const sm_demand *d, uint32_t n, bool quarters, const uint32_t warps[GCAST_QUARTERS])
{
    count_out(sm, d, -(int32_t)n);
    if (!quarters)
        return;
    for (int q = 0; q < GCAST_QUARTERS; q++) {
        sm->quarter_warps[q] += (int32_t)warps[q];
        sm->quarter_registers[q] += (int32_t)warps[q] * d->warp_registers;
    }
}
