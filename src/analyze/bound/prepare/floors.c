#include "analyze/bound/prepare/floors.h"

#include <limits.h>
#include <stdlib.h>

#include "analyze/block_weights.h"
#include "base/minmax.h"
#include "model/workload/mask.h"

#define RESOURCE_WEIGHT (1 << 20) /* the weight of all that an SM has of a resource */
#define MAX_PARTS 8               /* of the time after an entry, until all blocks below are gone */

/* Lemma 3c: how long k waits for its own blocks. */
static void fill_waves(bound_op *k)
{
    wide blocks = (wide)k->op->blocks - 1;
    k->waves_ns = wide_min(wide_mul(blocks / k->filling_blocks, k->hold_ns),
                           (k->hold_sum_ns - k->last_hold_ns) / k->filling_blocks);
    k->undisturbed_waves_ns = wide_mul(blocks / k->max_resident, k->hold_ns);
}

static int highest_level(const bound *b)
{
    int level = INT_MAX;
    for (size_t i = 0; i < b->op_count; i++)
        if (b->ops[i].is_kernel)
            level = min_int(b->ops[i].level, level);
    return level;
}

static void fill(bound *b, const sm_demand *demands, const block_weight *weights)
{
    int highest = highest_level(b);
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
        k->has_above = k->level > highest;
        fill_waves(k);
    }
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Chooses times at which the parts of a level begin and end: 0, some holds of kernels below it, and the longest one.
 * How many parts there are. */
static size_t choose_times(const bound *b, int level, int64_t *holds_ns, int64_t times_ns[MAX_PARTS + 1])
{
    size_t count = 0, parts = 0;
    for (size_t n = 0; n < b->kernel_count; n++)
        if (b->by_floor[n]->level > level)
            holds_ns[count++] = b->by_floor[n]->hold_ns;
    qsort(holds_ns, count, sizeof *holds_ns, by_time);
    times_ns[0] = 0;
    for (size_t i = 1; i <= MAX_PARTS && count; i++) {
        int64_t hold_ns = holds_ns[(count * i + MAX_PARTS - 1) / MAX_PARTS - 1];
        if (hold_ns > times_ns[parts])
            times_ns[++parts] = hold_ns;
    }
    return parts;
}

/* Adds the part from `from_ns` on of the kernels of a level. `kernels`: in the order of `demands`. */
static bool add_part(bound *b, int level, int64_t from_ns, int64_t until_ns, bound_op *const *kernels,
                     const sm_demand *demands, bool *is_there, int64_t *floors)
{
    for (size_t n = 0; n < b->kernel_count; n++)
        is_there[n] = kernels[n]->level > level && kernels[n]->hold_ns > from_ns;
    if (!block_floors_among(b->gpu, demands, b->kernel_count, RESOURCE_WEIGHT, is_there, floors))
        return false;
    for (size_t n = 0; n < b->kernel_count; n++) {
        bound_op *k = kernels[n];
        if (k->level == level)
            b->parts[b->part_count++] = (bound_part){
                k, from_ns, until_ns, wide_mul(floors[n], mask_sm_count(mask_at(b->w, k->op->mask), b->gpu->sms))};
    }
    return true;
}

static int by_part_floor(const void *a, const void *b)
{
    const bound_part *x = a, *y = b;
    if (x->floor != y->floor)
        return x->floor < y->floor ? -1 : 1;
    return x->op != y->op ? (x->op->index < y->op->index ? -1 : 1) : by_time(&x->from_ns, &y->from_ns);
}

/* Where a kernel has others below it: the floors of blocks below, the fewer the longer they have been there. */
static bool find_parts(bound *b, const sm_demand *demands)
{
    size_t count = 0;
    int64_t times_ns[MAX_PARTS + 1];
    bound_op **kernels = arena_alloc_array(b->memory, b->op_count + 1, sizeof(bound_op *));
    bool *is_there = arena_alloc_array(b->memory, b->op_count + 1, sizeof *is_there);
    int64_t *holds_ns = arena_alloc_array(b->memory, b->op_count + 1, sizeof *holds_ns);
    int64_t *floors = arena_alloc_array(b->memory, b->op_count + 1, sizeof *floors);
    b->parts = arena_alloc_array(b->memory, b->kernel_count * MAX_PARTS + 1, sizeof *b->parts);
    bool ok = kernels && is_there && holds_ns && floors && b->parts;
    for (size_t i = 0; i < b->op_count && ok; i++)
        if (b->ops[i].is_kernel)
            kernels[count++] = &b->ops[i];
    for (int level = 0; level < b->gpu->priority_levels && ok; level++) {
        size_t parts = choose_times(b, level, holds_ns, times_ns);
        for (size_t i = 0; i < parts && ok; i++)
            ok = add_part(b, level, times_ns[i], times_ns[i + 1], kernels, demands, is_there, floors);
    }
    if (ok)
        qsort(b->parts, b->part_count, sizeof *b->parts, by_part_floor);
    return ok;
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
    ok = ok && find_parts(b, demands);
    free(demands);
    return ok;
}
