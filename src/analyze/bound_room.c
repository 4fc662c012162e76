/* Rooms, lemma 1 of docs/bound.md: while a block fits on no SM that it may use, each
 * of them holds at least so much. A block weighs its largest share of an SM; the least
 * weight that leaves too little of a resource is a knapsack over the kinds of blocks. */
#include "analyze/bound.h"
#include "simulate/sm.h"

#define WHOLE (1 << 20) /* the weight of an SM's whole resource */
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

static needs needs_of(const sm_demand *d, const int32_t caps[ROOMS])
{
    needs n = {.weight = 1};
    for (int r = 0; r < GCAST_RESOURCES; r++)
        n.of[r] = d->need[r];
    for (int q = 0; q < GCAST_QUARTERS && d->quarters; q++) {
        if (d->from[q][SM_WARPS] > n.of[GCAST_RESOURCES])
            n.of[GCAST_RESOURCES] = d->from[q][SM_WARPS];
        if (d->from[q][SM_REGISTERS] > n.of[GCAST_RESOURCES + 1])
            n.of[GCAST_RESOURCES + 1] = d->from[q][SM_REGISTERS];
    }
    for (int r = 0; r < ROOMS; r++)
        if (n.of[r]) {
            int64_t share = ((int64_t)n.of[r] * WHOLE + caps[r] - 1) / caps[r];
            n.weight = share > n.weight ? share : n.weight;
        }
    return n;
}

static int32_t common_divisor(int32_t a, int32_t b)
{
    while (b) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int64_t div_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The least weight of blocks that take `used` or more of resource r, for every `used` in units. */
typedef struct knapsack {
    int32_t cap, unit;
    int64_t units;
    int64_t *least; /* NULL: by share */
} knapsack;

static bool knapsack_fill(knapsack *k, arena *memory, const needs *kinds, size_t count, int r, int32_t cap)
{
    *k = (knapsack){.cap = cap};
    for (size_t i = 0; i < count; i++)
        k->unit = common_divisor(k->unit, kinds[i].of[r]);
    if (!k->unit || (k->units = cap / k->unit + 1) > MOST_UNITS || count > MOST_KINDS)
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
    return k->least ? k->least[div_up(used, k->unit)] : div_up(used * WHOLE, k->cap);
}

static int sms_of(const bound *b, const gcast_op *op)
{
    int n = 0;
    if (op->mask == GCAST_ALL_SMS)
        return b->gpu->sms;
    for (int i = 0; i < b->gpu->sms; i++)
        n += b->w->masks[op->mask].word[i / 64] >> (i % 64) & 1;
    return n;
}

static void fill(bound *b, bound_op *k, const needs *n, uint32_t most, const knapsack sacks[ROOMS])
{
    int64_t floor = INT64_MAX, alone = INT64_MAX;
    for (int r = 0; r < ROOMS; r++) {
        if (!n->of[r])
            continue;
        int64_t weight = knapsack_floor(&sacks[r], n->of[r]), blocks = sacks[r].cap / n->of[r];
        floor = weight < floor ? weight : floor;
        alone = blocks < alone ? blocks : alone;
    }
    int sms = sms_of(b, k->op);
    k->weight = n->weight;
    k->floor = wide_mul(floor, sms);
    k->alone = wide_mul(alone, sms);
    k->at_once = wide_mul(most, sms);
}

/* Lemma 3c: how long k waits for its own blocks. */
static void fill_waves(bound_op *k)
{
    wide blocks = (wide)k->op->blocks - 1;
    k->waves = wide_min(wide_mul(blocks / k->alone, k->hold), (k->holds - k->last_hold) / k->alone);
    k->turns = wide_mul(blocks / k->at_once, k->hold);
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

bool bound_rooms(bound *b)
{
    int32_t caps[ROOMS];
    knapsack sacks[ROOMS];
    size_t count = 0;
    needs *kinds = arena_alloc_array(b->memory, b->count + 1, sizeof *kinds);
    if (!kinds)
        return false;
    caps_of(b->gpu, caps);
    for (size_t i = 0; i < b->count; i++)
        if (b->ops[i].kernel) {
            sm_demand d = sm_demand_of(b->gpu, b->ops[i].op);
            needs n = needs_of(&d, caps);
            count = add_kind(kinds, count, &n);
        }
    for (int r = 0; r < ROOMS; r++)
        if (!knapsack_fill(&sacks[r], b->memory, kinds, count, r, caps[r]))
            return false;
    for (size_t i = 0; i < b->count; i++)
        if (b->ops[i].kernel) {
            sm_demand d = sm_demand_of(b->gpu, b->ops[i].op);
            needs n = needs_of(&d, caps);
            fill(b, &b->ops[i], &n, d.most, sacks);
            fill_waves(&b->ops[i]);
        }
    return true;
}
