/* What the blocks of each kernel take of slots. Late: a block weighs its largest share of an SM, and it fits somewhere
 * as soon as all resident blocks together weigh less than its floor (analyze/block_weights.h). Early: all resident
 * blocks together hold no more of the scarcest resource than the GPU has. */
#include "analyze/explore/problem/shares.h"

#include <stdlib.h>

#include "analyze/block_weights.h"
#include "base/minmax.h"
#include "model/gpu/carveout.h"
#include "model/workload/mask.h"

#define MAX_BLOCKS 200000 /* of all ops: each block is counted on its own */
#define FEW_SMS 32        /* up to this number of SMs slots are fine */
#define FINE_SLOTS 64     /* per SM, where there are few SMs */
#define COARSE_SLOTS 32   /* per SM, where there are more */

/* The demand of a block as a part of an SM, by resource. */
typedef struct demand_part {
    int64_t need[SM_AMOUNTS];     /* what the block needs */
    int64_t capacity[SM_AMOUNTS]; /* what an SM has */
} demand_part;

static demand_part part_of(const gcast_gpu *gpu, const sm_demand *d)
{
    demand_part part = {0};
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int i = 0; i < SM_AMOUNTS; i++) {
        part.capacity[i] = (i >= SM_WARPS ? GCAST_QUARTERS : 1) * (int64_t)empty.free[i];
        part.need[i] = i < GCAST_RESOURCES ? d->need[i] : 0;
    }
    if (d->quarters) { /* the four quarters count as one resource */
        part.need[SM_WARPS] = d->warps;
        part.need[SM_REGISTERS] = (int64_t)d->warps * d->warp_registers;
    }
    return part;
}

/* The resource of which one block of every kernel together takes the largest part. */
static int scarcest_resource(const gcast_gpu *gpu, const sm_demand *demands, size_t count)
{
    int64_t max_sum = -1;
    int scarcest = 0;
    for (int i = 0; i < SM_AMOUNTS; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < count; k++) {
            demand_part part = part_of(gpu, &demands[k]);
            sum += part.need[i] && part.capacity[i] ? part.need[i] * 1024 / part.capacity[i] : 0;
        }
        if (sum > max_sum) {
            max_sum = sum;
            scarcest = i;
        }
    }
    return scarcest;
}

/* With carveouts an SM that is not empty may have too small a size for a block; on an empty SM every block fits. */
static void lower_floors(block_weight *weights, size_t count)
{
    int64_t min_weight = INT64_MAX;
    for (size_t i = 0; i < count; i++)
        min_weight = min_i64(min_weight, weights[i].weight);
    for (size_t i = 0; i < count; i++)
        weights[i].floor = min_i64(weights[i].floor, min_weight);
}

/* Demands and weights are of the kernels, in the order of ops; an SM has sm_slots slots. */
static void set_shares(explore_problem *p, const sm_demand *demands, size_t count, const block_weight *weights,
                       size_t sm_slots)
{
    const gcast_workload *w = p->w;
    size_t early_slots = (size_t)p->gpu->sms * sm_slots, slots = early_slots + 1;
    int scarcest = scarcest_resource(p->gpu, demands, count);
    for (size_t i = 0, n = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        demand_part part = part_of(p->gpu, &demands[n]);
        explore_share *s = &p->shares[i];
        size_t sms = (size_t)mask_sm_count(mask_at(w, w->ops[i].mask), p->gpu->sms);
        s->late_take = (size_t)weights[n].weight;
        s->late_slot = (size_t)weights[n++].floor * sms; /* counted from the last slot, until all slots are known */
        s->early_take =
            part.need[scarcest] ? (size_t)(part.need[scarcest] * (int64_t)sm_slots / part.capacity[scarcest]) : 0;
        slots = max_size(slots, s->late_slot);
    }
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        p->shares[i].late_slot = slots - p->shares[i].late_slot;
        p->shares[i].early_slot = slots - early_slots + p->shares[i].early_take - 1;
    }
    p->first_early_slot = slots - early_slots;
    p->slot_count[0] = slots;
}

bool explore_make_shares(explore_problem *p)
{
    const gcast_workload *w = p->w;
    size_t count = 0, sm_slots = p->gpu->sms <= FEW_SMS ? FINE_SLOTS : COARSE_SLOTS;
    uint64_t blocks = 0;
    block_weight *weights = arena_alloc_array(&p->memory, w->op_count + 1, sizeof *weights);
    sm_demand *demands = aligned_alloc(_Alignof(sm_demand), (w->op_count + 1) * sizeof *demands);
    p->shares = arena_alloc_array(&p->memory, w->op_count + 1, sizeof *p->shares);
    for (size_t i = 0; i < w->op_count && demands; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL) {
            demands[count++] = sm_demand_of(p->gpu, &w->ops[i]);
            blocks = w->ops[i].blocks < MAX_BLOCKS ? blocks + w->ops[i].blocks : MAX_BLOCKS + 1;
        }
    bool ok =
        weights && demands && p->shares && block_weigh(&p->memory, p->gpu, demands, count, (int64_t)sm_slots, weights);
    if (ok && carveout_matters(p->gpu, w))
        lower_floors(weights, count);
    if (ok)
        set_shares(p, demands, count, weights, sm_slots);
    else
        explore_no_memory(p);
    free(demands);
    if (ok && blocks > MAX_BLOCKS)
        return explore_refuse(p, "blocks are no pool of slots, and there are too many to place each of them");
    return ok;
}
