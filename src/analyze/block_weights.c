/* A block weighs its largest share of an SM. The least weight of blocks that leave too little of a resource is a
 * knapsack over the kinds of blocks. */
#include "analyze/block_weights.h"

#include "base/integers.h"

/* With more units of a resource, or more kinds of blocks, there is no knapsack: only shares are counted. */
#define MAX_UNITS 8192
#define MAX_KINDS 256
#define NOT_FILLED (INT64_MAX / 2) /* no set of blocks uses this much */

/* The resources of an SM, then the warps and registers of one quarter. */
enum { QUARTER_WARPS = GCAST_RESOURCES, QUARTER_REGISTERS, WEIGHED };

/* What a block needs of each resource; for quarters, the most that it can take of one. */
typedef struct needs {
    int32_t amount[WEIGHED];
    int64_t weight; /* the largest share */
} needs;

static void caps_of(const gcast_gpu *gpu, int32_t caps[WEIGHED])
{
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int r = 0; r < GCAST_RESOURCES; r++)
        caps[r] = empty.free[r];
    caps[QUARTER_WARPS] = empty.free[SM_WARPS];
    caps[QUARTER_REGISTERS] = empty.free[SM_REGISTERS];
}

static needs needs_of(const sm_demand *d, const int32_t caps[WEIGHED], int64_t resource_weight)
{
    needs n = {.weight = 1};
    for (int r = 0; r < GCAST_RESOURCES; r++)
        n.amount[r] = d->need[r];
    for (int q = 0; q < GCAST_QUARTERS && d->quarters; q++) {
        if (d->need_at[q][SM_WARPS] > n.amount[QUARTER_WARPS])
            n.amount[QUARTER_WARPS] = d->need_at[q][SM_WARPS];
        if (d->need_at[q][SM_REGISTERS] > n.amount[QUARTER_REGISTERS])
            n.amount[QUARTER_REGISTERS] = d->need_at[q][SM_REGISTERS];
    }
    for (int r = 0; r < WEIGHED; r++)
        if (n.amount[r])
            n.weight = max_i64(n.weight, div_up((int64_t)n.amount[r] * resource_weight, caps[r]));
    return n;
}

/* By amount of a resource: the least weight of blocks that together use at least this much. */
typedef struct knapsack {
    int32_t cap;             /* amount on an SM */
    int32_t unit;            /* every block needs a multiple of this */
    int64_t unit_count;      /* `cap` in units, plus one */
    int64_t resource_weight; /* the weight of all of the resource */
    int64_t *min_weight;     /* by units used; NULL: shares alone are counted */
} knapsack;

static bool knapsack_fill(knapsack *k, arena *memory, const needs *kinds, size_t count, int r)
{
    for (size_t i = 0; i < count; i++)
        k->unit = (int32_t)common_divisor(k->unit, kinds[i].amount[r]);
    if (!k->unit || (k->unit_count = k->cap / k->unit + 1) > MAX_UNITS || count > MAX_KINDS)
        return true;
    if (!(k->min_weight = arena_alloc_array(memory, (size_t)k->unit_count + 1, sizeof *k->min_weight)))
        return false;
    for (int64_t u = 1; u <= k->unit_count; u++) {
        k->min_weight[u] = NOT_FILLED;
        for (size_t i = 0; i < count; i++) {
            int64_t need = kinds[i].amount[r] / k->unit;
            int64_t weight = need ? k->min_weight[u > need ? u - need : 0] + kinds[i].weight : NOT_FILLED;
            k->min_weight[u] = min_i64(weight, k->min_weight[u]);
        }
    }
    return true;
}

/* The least weight on an SM that has less than `need` of the resource free. */
static int64_t knapsack_floor(const knapsack *k, int32_t need)
{
    int64_t used = (int64_t)k->cap - need + 1;
    return k->min_weight ? k->min_weight[div_up(used, k->unit)] : div_up(used * k->resource_weight, k->cap);
}

/* Adds a kind unless one with the same needs exists. Returns the number of kinds. */
static size_t add_kind(needs *kinds, size_t count, const needs *n)
{
    for (size_t i = 0; i < count && count <= MAX_KINDS; i++) {
        int r = 0;
        while (r < WEIGHED && kinds[i].amount[r] == n->amount[r])
            r++;
        if (r == WEIGHED)
            return count;
    }
    kinds[count] = *n;
    return count + 1;
}

static block_weight weigh(const needs *n, const knapsack knapsacks[WEIGHED])
{
    block_weight w = {.weight = n->weight, .floor = INT64_MAX, .filling_blocks = INT64_MAX};
    for (int r = 0; r < WEIGHED; r++) {
        if (!n->amount[r])
            continue;
        int64_t weight = knapsack_floor(&knapsacks[r], n->amount[r]), blocks = knapsacks[r].cap / n->amount[r];
        w.floor = min_i64(weight, w.floor);
        w.filling_blocks = min_i64(blocks, w.filling_blocks);
    }
    return w;
}

bool block_weigh(arena *memory, const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t resource_weight,
                 block_weight *weights)
{
    int32_t caps[WEIGHED];
    knapsack knapsacks[WEIGHED];
    size_t kind_count = 0;
    needs *kinds = arena_alloc_array(memory, count + 1, sizeof *kinds);
    if (!kinds)
        return false;
    caps_of(gpu, caps);
    for (size_t i = 0; i < count; i++) {
        needs n = needs_of(&demands[i], caps, resource_weight);
        kind_count = add_kind(kinds, kind_count, &n);
    }
    for (int r = 0; r < WEIGHED; r++) {
        knapsacks[r] = (knapsack){.cap = caps[r], .resource_weight = resource_weight};
        if (!knapsack_fill(&knapsacks[r], memory, kinds, kind_count, r))
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        needs n = needs_of(&demands[i], caps, resource_weight);
        weights[i] = weigh(&n, knapsacks);
    }
    return true;
}

/* The least weight on an SM without enough of the resource for a block of kind `own`, if such blocks are there, too. */
static int64_t floor_with_own(const knapsack *all, const needs *own, int r)
{
    if (!all->min_weight)
        return knapsack_floor(all, own->amount[r]);
    int64_t need = own->amount[r] / all->unit, used = div_up((int64_t)all->cap - own->amount[r] + 1, all->unit);
    int64_t least = all->min_weight[used];
    for (int64_t weight = own->weight; used > 0; weight += own->weight) {
        used = max_i64(used - need, 0);
        least = min_i64(all->min_weight[used] + weight, least);
    }
    return least;
}

/* Fills a knapsack with the kinds marked in `is_there`; its unit divides the needs of all kinds. `there` is scratch
 * space. Without any kind nothing fills it. */
static bool knapsack_among(knapsack *k, arena *memory, const needs *kinds, size_t count, const bool *is_there,
                           needs *there, int r)
{
    size_t there_count = 0;
    for (size_t i = 0; i < count; i++) {
        k->unit = (int32_t)common_divisor(k->unit, kinds[i].amount[r]);
        if (is_there[i])
            there_count = add_kind(there, there_count, &kinds[i]);
    }
    return knapsack_fill(k, memory, there, there_count, r);
}

bool block_floors_among(const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t resource_weight,
                        const bool *is_there, int64_t *floors)
{
    arena memory = {0};
    int32_t caps[WEIGHED];
    needs *kinds = arena_alloc_array(&memory, count + 1, sizeof *kinds);
    needs *there = arena_alloc_array(&memory, count + 1, sizeof *there);
    bool ok = kinds && there;
    caps_of(gpu, caps);
    for (size_t i = 0; ok && i < count; i++) {
        kinds[i] = needs_of(&demands[i], caps, resource_weight);
        floors[i] = INT64_MAX;
    }
    for (int r = 0; ok && r < WEIGHED; r++) {
        knapsack all = {.cap = caps[r], .resource_weight = resource_weight};
        ok = knapsack_among(&all, &memory, kinds, count, is_there, there, r);
        for (size_t i = 0; ok && i < count; i++)
            if (kinds[i].amount[r])
                floors[i] = min_i64(floors[i], floor_with_own(&all, &kinds[i], r));
    }
    arena_free(&memory);
    return ok;
}
