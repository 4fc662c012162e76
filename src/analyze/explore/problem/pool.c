/* Blocks are a pool of slots where any n blocks of any kernels fit on an SM and no n + 1 do: n blocks with the largest
 * demands fit, and n + 1 blocks with the smallest ones do not. */
#include "analyze/explore/problem/pool.h"

#include "base/minmax.h"
#include "model/workload/mask.h"
#include "simulate/blocks/sm.h"

/* Demands of all kernels' blocks, by resource. The four quarters count as one resource. With quarters a block may put
 * a warp more into any of them than its share. */
typedef struct demand_range {
    int64_t min[SM_AMOUNTS];      /* the smallest demand of any block */
    int64_t max[SM_AMOUNTS];      /* the largest demand of any block */
    int64_t capacity[SM_AMOUNTS]; /* what an SM has */
} demand_range;

static void widen(demand_range *range, int resource, int64_t min, int64_t max)
{
    range->min[resource] = min_i64(range->min[resource], min);
    range->max[resource] = max_i64(range->max[resource], max);
}

static void add_demand(demand_range *range, const sm_demand *d)
{
    for (int i = 0; i < GCAST_RESOURCES; i++)
        widen(range, i, d->need[i], d->need[i]);
    if (!d->quarters)
        return;
    /* a block takes at least its warps, and at most as if each quarter had as many warps as the fullest */
    int64_t max_warps = round_up(d->warps, GCAST_QUARTERS);
    widen(range, SM_WARPS, d->warps, max_warps);
    widen(range, SM_REGISTERS, (int64_t)d->warps * d->warp_registers, max_warps * d->warp_registers);
}

/* How many blocks of this demand fit on an SM. */
static int64_t blocks_per_sm(const int64_t *demand, const int64_t *capacity)
{
    int64_t n = INT64_MAX;
    for (int i = 0; i < SM_AMOUNTS; i++)
        if (demand[i] > 0 && demand[i] < INT64_MAX)
            n = min_i64(n, capacity[i] / demand[i]);
    return n;
}

bool explore_make_pool(explore_problem *p, size_t *slots)
{
    demand_range range = {0};
    sm_state empty;
    int mask = GCAST_ALL_SMS;
    bool has_kernel = false;
    sm_empty(p->gpu, &empty);
    for (int i = 0; i < SM_AMOUNTS; i++) {
        range.min[i] = INT64_MAX;
        range.capacity[i] = (i >= SM_WARPS ? GCAST_QUARTERS : 1) * (int64_t)empty.free[i];
    }
    for (size_t i = 0; i < p->w->op_count; i++) {
        if (p->w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        if (has_kernel && p->w->ops[i].mask != mask)
            return explore_refuse(p, "kernels may use different SMs, and slots are then not all alike");
        sm_demand d = sm_demand_of(p->gpu, &p->w->ops[i]);
        mask = p->w->ops[i].mask;
        has_kernel = true;
        add_demand(&range, &d);
    }
    *slots = 1;
    if (!has_kernel)
        return true;
    int64_t n = blocks_per_sm(range.max, range.capacity);
    if (n < 1 || n != blocks_per_sm(range.min, range.capacity))
        return explore_refuse(
            p, "blocks of its kernels differ in how many fit on an SM, so that they are no pool of slots");
    *slots = (size_t)n * (size_t)mask_sm_count(mask_at(p->w, mask), p->gpu->sms);
    return true;
}
