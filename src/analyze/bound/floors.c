/* Rooms, lemma 1 of docs/bound.md: weights and floors of all kernels, on the SMs that they may use. */
#include <stdlib.h>

#include "analyze/block_weights.h"
#include "analyze/bound/bound.h"

#define WHOLE (1 << 20) /* the weight of an SM's whole resource */

static int sms_of(const bound *b, const gcast_op *op)
{
    int n = 0;
    if (op->mask == GCAST_ALL_SMS)
        return b->gpu->sms;
    for (int i = 0; i < b->gpu->sms; i++)
        n += b->w->masks[op->mask].word[i / 64] >> (i % 64) & 1;
    return n;
}

/* Lemma 3c: how long k waits for its own blocks. */
static void fill_waves(bound_op *k)
{
    wide blocks = (wide)k->op->blocks - 1;
    k->waves = wide_min(wide_mul(blocks / k->alone, k->hold), (k->holds - k->last_hold) / k->alone);
    k->turns = wide_mul(blocks / k->at_once, k->hold);
}

static void fill(bound *b, const sm_demand *demands, const room_weight *weights)
{
    for (size_t i = 0, n = 0; i < b->count; i++) {
        bound_op *k = &b->ops[i];
        if (!k->kernel)
            continue;
        int sms = sms_of(b, k->op);
        k->weight = weights[n].weight;
        k->floor = wide_mul(weights[n].floor, sms);
        k->alone = wide_mul(weights[n].alone, sms);
        k->at_once = wide_mul(demands[n++].max_blocks, sms);
        fill_waves(k);
    }
}

bool bound_rooms(bound *b)
{
    size_t n = 0;
    room_weight *weights = arena_alloc_array(b->memory, b->count + 1, sizeof *weights);
    sm_demand *demands = aligned_alloc(_Alignof(sm_demand), (b->count + 1) * sizeof *demands);
    for (size_t i = 0; i < b->count && demands; i++)
        if (b->ops[i].kernel)
            demands[n++] = sm_demand_of(b->gpu, b->ops[i].op);
    bool ok = weights && demands && room_weigh(b->memory, b->gpu, demands, n, WHOLE, weights);
    if (ok)
        fill(b, demands, weights);
    free(demands);
    return ok;
}
