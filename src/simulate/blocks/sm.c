/* Rules R1-R3: a block starts on an SM only if every resource it needs is free there. Where registers belong to
 * quarters, the warps of a block go to the quarters in turn. The first warp goes to the quarter after that of the last
 * warp of the SM's last block, or one further if that block started there too (docs/rules.md). */
#include "simulate/blocks/sm.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"

static int32_t clamp(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

/* ceil(2^64 / d) mod 2^64. The high half of its product with a 32-bit number is that number divided by d, exactly, and
 * much faster than a division. */
static uint64_t inverse_of(int32_t d)
{
    return d > 0 ? UINT64_MAX / (uint32_t)d + 1 : 0;
}

static uint32_t quotient(int32_t n, uint64_t inverse)
{
    return inverse ? (uint32_t)((unsigned __int128)inverse * (uint32_t)n >> 64)
                   : (uint32_t)n; /* the inverse of 1 is 0 */
}

/* How many warps are placed before quarter q gets its first one, if the first warp goes to `first`. */
static int warps_before(int first, int q)
{
    return (q - first) & (GCAST_QUARTERS - 1);
}

/* Sets what n blocks need if their first warp goes to the quarter `first`. */
static void amounts_from(const sm_demand *d, int32_t n, int first, int32_t amounts[SM_AMOUNTS])
{
    for (int i = 0; i < SM_AMOUNTS; i++)
        amounts[i] = n * d->need[i];
    for (int q = 0; q < GCAST_QUARTERS && !d->fills_quarters; q++) {
        int64_t warps = ((int64_t)n * d->warps + GCAST_QUARTERS - 1 - warps_before(first, q)) / GCAST_QUARTERS;
        amounts[SM_WARPS + q] = (int32_t)warps;
        amounts[SM_REGISTERS + q] = clamp(warps * d->warp_registers);
    }
}

static uint32_t fit_count(const sm_state *sm, const sm_demand *d)
{
    uint32_t fit = UINT32_MAX;
    for (int i = 0; i < d->pools; i++) {
        uint32_t n = quotient(sm->free[d->pool[i]], d->inverse[i]);
        fit = n < fit ? n : fit;
    }
    if (!d->quarters)
        return fit;
    /* k blocks put ceil((k * warps - j) / 4) warps into the j-th quarter, counted from the next one. That must not be
     * more than the quarter has free; solved for k. */
    int32_t max_warps = INT32_MAX; /* that all these blocks may have, so that no quarter gets too many */
    for (int q = 0; q < GCAST_QUARTERS; q++) {
        int32_t max_of_quarter = sm->free[SM_WARPS + q];
        if (d->warp_registers) {
            int32_t n = (int32_t)quotient(sm->free[SM_REGISTERS + q], d->warp_registers_inverse);
            max_of_quarter = n < max_of_quarter ? n : max_of_quarter;
        }
        int32_t warps = GCAST_QUARTERS * max_of_quarter + warps_before(sm->next_quarter, q);
        max_warps = warps < max_warps ? warps : max_warps;
    }
    uint32_t n = quotient(max_warps, d->warps_inverse);
    return n < fit ? n : fit;
}

void sm_empty(const gcast_gpu *gpu, sm_state *sm)
{
    const gcast_limits *l = &gpu->limits;
    *sm = (sm_state){.free = {[GCAST_RES_THREADS] = l->threads_per_sm,
                              [GCAST_RES_WARPS] = l->warps_per_sm,
                              [GCAST_RES_BLOCKS] = l->blocks_per_sm,
                              [GCAST_RES_REGISTERS] = l->registers_per_sm,
                              [GCAST_RES_SHARED_MEMORY] = l->smem_per_sm,
                              [GCAST_RES_BARRIERS] = l->barriers_per_sm,
                              [SM_CLUSTER_BLOCKS] = ATTRIBUTES_CLUSTER_BLOCKS}};
    for (int q = 0; q < GCAST_QUARTERS; q++) {
        sm->free[SM_WARPS + q] = l->warps_per_sm / GCAST_QUARTERS;
        sm->free[SM_REGISTERS + q] = l->registers_per_sm / GCAST_QUARTERS;
    }
}

sm_demand sm_demand_of(const gcast_gpu *gpu, const gcast_op *op)
{
    const gcast_limits *l = &gpu->limits;
    const gcast_block_shape *shape = &op->shape;
    sm_demand d;
    memset(&d, 0, sizeof d); /* also the padding, as demands are compared byte by byte */
    d.quarters = gpu->register_quarters;
    d.warps = (int32_t)(((int64_t)shape->threads + 31) / 32);
    d.warp_registers = clamp(round_up(32 * (int64_t)shape->registers, l->register_unit));
    int64_t smem = shape->static_smem + shape->dynamic_smem + l->smem_reserved;
    d.need[GCAST_RES_THREADS] = shape->threads;
    d.need[GCAST_RES_BLOCKS] = 1;
    d.need[GCAST_RES_SHARED_MEMORY] = clamp(round_up(smem, l->smem_unit));
    if (l->barriers_per_sm > 0)
        d.need[GCAST_RES_BARRIERS] = shape->barriers > 0 ? shape->barriers : 1;
    d.size = carveout_of(l, op);
    d.fills_quarters = !d.quarters || d.warps % GCAST_QUARTERS == 0;
    if (!d.quarters) {
        d.need[GCAST_RES_WARPS] = d.warps;
        d.need[GCAST_RES_REGISTERS] = clamp((int64_t)d.warps * d.warp_registers);
    }
    for (int q = 0; q < GCAST_QUARTERS && d.quarters && d.fills_quarters; q++) {
        d.need[SM_WARPS + q] = d.warps / GCAST_QUARTERS;
        d.need[SM_REGISTERS + q] = clamp((int64_t)d.warps / GCAST_QUARTERS * d.warp_registers);
    }
    d.need[SM_CLUSTER_BLOCKS] = attributes_cluster(op) > 1;
    for (int r = 0; r < SM_AMOUNTS; r++)
        if (d.need[r] && (r < GCAST_RESOURCES || r == SM_CLUSTER_BLOCKS)) {
            d.inverse[d.pools] = inverse_of(d.need[r]);
            d.pool[d.pools++] = (uint8_t)r;
        }
    d.quarter_step = !d.quarters ? 0 : d.fills_quarters ? 1 : d.warps % GCAST_QUARTERS;
    for (int q = 0; q < GCAST_QUARTERS; q++)
        amounts_from(&d, 1, q, d.need_at[q]);
    d.warps_inverse = inverse_of(d.warps);
    d.warp_registers_inverse = inverse_of(d.warp_registers);
    sm_state empty;
    sm_empty(gpu, &empty);
    d.max_blocks = fit_count(&empty, &d);
    for (int q = 0; q < GCAST_QUARTERS; q++)
        amounts_from(&d, (int32_t)d.max_blocks, q, d.max_need_at[q]);
    return d;
}

bool sm_set_init(sm_set *set, const gcast_gpu *gpu, const gcast_workload *w)
{
    size_t n = (size_t)gpu->sms;
    *set = (sm_set){.count = gpu->sms, .last = (uint32_t)n};
    if (carveout_matters(gpu, w))
        set->largest = gpu->limits.smem_per_sm;
    set->order = calloc(n, sizeof *set->order);
    set->rank = calloc(n, sizeof *set->rank);
    set->at = calloc(n, sizeof *set->at);
    set->dirty = calloc((n + 63) / 64, sizeof *set->dirty);
    set->closed = calloc((n + 63) / 64, sizeof *set->closed);
    if (!set->order || !set->rank || !set->at || !set->dirty || !set->closed)
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
    free(set->closed);
}

uint32_t sm_fit_count(const sm_state *sm, const sm_demand *d)
{
    return sm->resident ? fit_count(sm, d) : d->max_blocks;
}

uint32_t sm_fit_count_by_carveout(const sm_set *set, const sm_state *sm, const sm_demand *d)
{
    int32_t size = sm->resident ? sm->size : d->size.chosen_bytes, need = d->need[GCAST_RES_SHARED_MEMORY];
    int32_t left = size - (set->largest - sm->free[GCAST_RES_SHARED_MEMORY]);
    if (!set->largest)
        return UINT32_MAX;
    if (size < d->size.min_bytes || left < need)
        return 0;
    return need ? (uint32_t)(left / need) : UINT32_MAX;
}

bool sm_demand_covers(const sm_demand *a, const sm_demand *b)
{
    for (int r = 0; r < GCAST_RESOURCES; r++)
        if (a->need[r] < b->need[r])
            return false;
    return a->warps >= b->warps && a->warp_registers >= b->warp_registers;
}

/* What n blocks need, as amounts_from; precomputed for as many blocks as an empty SM holds. */
static const sm_four *amounts_of(const sm_demand *d, uint32_t n, int first, sm_four scratch[SM_FOURS])
{
    if (n == d->max_blocks)
        return (const sm_four *)d->max_need_at[first];
    amounts_from(d, (int32_t)n, first, (int32_t *)scratch);
    return scratch;
}

void sm_take(sm_state *sm, const sm_demand *d, uint32_t n)
{
    sm_four scratch[SM_FOURS], *have = (sm_four *)sm->free;
    const sm_four *amounts = amounts_of(d, n, sm->next_quarter, scratch); /* at most what is free */
    SM_EACH_FOUR(i)
    have[i] -= amounts[i];
    sm->resident += (int32_t)n;
    sm_advance_quarter(sm, d, n);
}

void sm_release(sm_state *sm, const sm_demand *d, uint32_t n, int32_t quarter)
{
    sm_four scratch[SM_FOURS], *have = (sm_four *)sm->free;
    const sm_four *amounts = amounts_of(d, n, quarter, scratch);
    SM_EACH_FOUR(i)
    have[i] += amounts[i];
    sm->resident -= (int32_t)n;
}

/* What a block still holds when only its first warp is left. */
static void amounts_of_last_warp(const sm_demand *d, int32_t quarter, int32_t amounts[SM_AMOUNTS])
{
    memset(amounts, 0, SM_AMOUNTS * sizeof *amounts);
    for (int r = 0; r < GCAST_RESOURCES; r++)
        amounts[r] = d->need[r];
    amounts[SM_CLUSTER_BLOCKS] = d->need[SM_CLUSTER_BLOCKS];
    if (d->need[GCAST_RES_THREADS] > 32)
        amounts[GCAST_RES_THREADS] = 32;
    amounts[d->quarters ? SM_WARPS + quarter : GCAST_RES_WARPS] = 1;
    amounts[d->quarters ? SM_REGISTERS + quarter : GCAST_RES_REGISTERS] = d->warp_registers;
}

void sm_release_warps(sm_state *sm, const sm_demand *d, int32_t quarter)
{
    int32_t last[SM_AMOUNTS];
    amounts_of_last_warp(d, quarter, last);
    for (int i = 0; i < SM_AMOUNTS; i++)
        sm->free[i] += d->need_at[quarter][i] - last[i];
}

void sm_release_last(sm_state *sm, const sm_demand *d, int32_t quarter)
{
    int32_t last[SM_AMOUNTS];
    amounts_of_last_warp(d, quarter, last);
    for (int i = 0; i < SM_AMOUNTS; i++)
        sm->free[i] += last[i];
    sm->resident--;
}
