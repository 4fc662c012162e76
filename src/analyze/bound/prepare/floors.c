#include "analyze/bound/prepare/floors.h"

#include <stdlib.h>

#include "analyze/block_weights.h"
#include "model/workload/mask.h"

#define RESOURCE_WEIGHT (1 << 20) /* the weight of all that an SM has of a resource */

/* Lemma 3c: how long k waits for its own blocks. */
static void fill_waves(bound_op *k)
{
    wide blocks = (wide)k->op->blocks - 1;
    k->waves_ns = wide_min(wide_mul(blocks / k->filling_blocks, k->hold_ns),
                           (k->hold_sum_ns - k->last_hold_ns) / k->filling_blocks);
    k->undisturbed_waves_ns = wide_mul(blocks / k->max_resident, k->hold_ns);
}

static void fill(bound *b, const sm_demand *demands, const block_weight *weights)
{
    for (size_t i = 0, n = 0; i < b->op_count; i++) {
        bound_op *k = &b->ops[i];
        if (!k->is_kernel)
            continue;
        int sms = mask_sm_count(mask_at(b->w, k->op->mask), b->gpu->sms);
        k->weight = weights[n].weight;
        k->floor = wide_mul(weights[n].floor, sms);
        k->filling_blocks = wide_max(1, wide_mul(weights[n].filling_blocks, sms));
        k->own_floor = wide_max(k->floor, wide_mul(k->filling_blocks, k->weight));
        k->max_resident = wide_max(1, wide_mul(demands[n++].max_blocks, sms));
        fill_waves(k);
    }
}

bool bound_find_floors(bound *b)
{
    size_t n = 0;
    block_weight *weights = arena_alloc_array(b->memory, b->op_count + 1, sizeof *weights);
    sm_demand *demands = aligned_alloc(_Alignof(sm_demand), (b->op_count + 1) * sizeof *demands);
    for (size_t i = 0; i < b->op_count && demands; i++)
        if (b->ops[i].is_kernel)
            demands[n++] = sm_demand_of(b->gpu, b->ops[i].op);
    bool ok = weights && demands && block_weigh(b->memory, b->gpu, demands, n, RESOURCE_WEIGHT, weights);
    if (ok)
        fill(b, demands, weights);
    free(demands);
    return ok;
}
