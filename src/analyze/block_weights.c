/* A block weighs its largest share of an SM; the least weight that leaves too little of a resource is a knapsack over
 * the kinds of blocks. */
#include "analyze/block_weights.h"

#include "base/checked.h"

#define MOST_UNITS 8192 /* of a resource, and kinds of blocks, for the knapsack; */
#define MOST_KINDS 256  /* beyond, shares alone are counted */
#define ROOMS (GCAST_RESOURCES + 2)

/* What a block needs: the pools, then the most it can take of a quarter. */
typedef struct needs {
    int32_t of[ROOMS];
    int64_t weight;
} needs;

static void caps_of(const gcast_gpu *gpu, int32_t caps[ROOMS])
{
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int r = 0; r < GCAST_RESOURCES; r++)
        caps[r] = empty.free[r];
    caps[GCAST_RESOURCES] = empty.free[SM_WARPS];
    caps[GCAST_RESOURCES + 1] = empty.free[SM_REGISTERS];
}

static needs needs_of(const sm_demand *d, const int32_t caps[ROOMS], int64_t whole)
{
    needs n = {.weight = 1};
    for (int r = 0; r < GCAST_RESOURCES; r++)
        n.of[r] = d->need[r];
    for (int q = 0; q < GCAST_QUARTERS && d->quarters; q++) {
        if (d->need_at[q][SM_WARPS] > n.of[GCAST_RESOURCES])
            n.of[GCAST_RESOURCES] = d->need_at[q][SM_WARPS];
        if (d->need_at[q][SM_REGISTERS] > n.of[GCAST_RESOURCES + 1])
            n.of[GCAST_RESOURCES + 1] = d->need_at[q][SM_REGISTERS];
    }
    for (int r = 0; r < ROOMS; r++)
        if (n.of[r]) {
            int64_t share = ((int64_t)n.of[r] * whole + caps[r] - 1) / caps[r];
            n.weight = share > n.weight ? share : n.weight;
        }
    return n;
}

static int64_t div_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The least weight of blocks that take `used` or more of resource r, for every `used` in units. */
typedef struct knapsack {
    int32_t cap, unit;
    int64_t units;
    int64_t whole;
    int64_t *least; /* NULL: by share */
} knapsack;

static bool knapsack_fill(knapsack *k, arena *memory, const needs *kinds, size_t count, int r)
{
    for (size_t i = 0; i < count; i++)
        k->unit = (int32_t)common_divisor(k->unit, kinds[i].of[r]);
    if (!k->unit || (k->units = k->cap / k->unit + 1) > MOST_UNITS || count > MOST_KINDS)
        return true;
    if (!(k->least = arena_alloc_array(memory, (size_t)k->units + 1, sizeof *k->least)))
        return false;
    for (int64_t u = 1; u <= k->units; u++) {
        k->least[u] = INT64_MAX;
        for (size_t i = 0; i < count; i++) {
            int64_t need = kinds[i].of[r] / k->unit;
            int64_t weight = need ? k->least[u > need ? u - need : 0] + kinds[i].weight : INT64_MAX;
            k->least[u] = weight < k->least[u] ? weight : k->least[u];
        }
    }
    return true;
}

/* The least weight on an SM where `need` of the resource is too much. */
static int64_t knapsack_floor(const knapsack *k, int32_t need)
{
    int64_t used = (int64_t)k->cap - need + 1;
    return k->least ? k->least[div_up(used, k->unit)] : div_up(used * k->whole, k->cap);
}

/* Kernels of equal needs are one kind. */
static size_t add_kind(needs *kinds, size_t count, const needs *n)
{
    for (size_t i = 0; i < count && count <= MOST_KINDS; i++) {
        int r = 0;
        while (r < ROOMS && kinds[i].of[r] == n->of[r])
            r++;
        if (r == ROOMS)
            return count;
    }
    kinds[count] = *n;
    return count + 1;
}

static room_weight weigh(const needs *n, const knapsack sacks[ROOMS])
{
    room_weight w = {.weight = n->weight, .floor = INT64_MAX, .alone = INT64_MAX};
    for (int r = 0; r < ROOMS; r++) {
        if (!n->of[r])
            continue;
        int64_t weight = knapsack_floor(&sacks[r], n->of[r]), blocks = sacks[r].cap / n->of[r];
        w.floor = weight < w.floor ? weight : w.floor;
        w.alone = blocks < w.alone ? blocks : w.alone;
    }
    return w;
}

bool room_weigh(arena *memory, const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t whole,
                room_weight *weights)
{
    int32_t caps[ROOMS];
    knapsack sacks[ROOMS];
    size_t kind_count = 0;
    needs *kinds = arena_alloc_array(memory, count + 1, sizeof *kinds);
    if (!kinds)
        return false;
    caps_of(gpu, caps);
    for (size_t i = 0; i < count; i++) {
        needs n = needs_of(&demands[i], caps, whole);
        kind_count = add_kind(kinds, kind_count, &n);
    }
    for (int r = 0; r < ROOMS; r++) {
        sacks[r] = (knapsack){.cap = caps[r], .whole = whole};
        if (!knapsack_fill(&sacks[r], memory, kinds, kind_count, r))
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        needs n = needs_of(&demands[i], caps, whole);
        weights[i] = weigh(&n, sacks);
    }
    return true;
}
