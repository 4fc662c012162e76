/* Placement policies, and the capacity index. */
#include "simulate/blocks/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/vec.h"
#include "model/workload/workload.h"
#include "simulate/duration.h"

/* The capacity of an SM is how many more blocks fit there. A placed block takes exactly one from it, so that the policy
 * most_room, which prefers the largest capacity, needs no search for each block: blocks are placed in rounds, and in
 * the round for n every SM with a capacity of n or more gets one. */

#define DRAWN_BLOCK                                                                                                    \
    (UINT64_C(1) << 62) /* added to the number of a block, so that its SM and its duration are drawn independently */

bool placement_init(placement *p, int sms)
{
    *p = (placement){.mask = GCAST_ALL_SMS};
    p->counts = calloc((size_t)sms, sizeof *p->counts);
    p->picks = calloc((size_t)sms, sizeof *p->picks);
    return p->counts && p->picks && vec_grow(&p->order, &p->order_cap, 1, sizeof *p->order);
}

void placement_free(placement *p)
{
    free(p->order);
    free(p->counts);
    free(p->picks);
}

/* Sets picks[] to the SMs that may be used and on which a block fits, and counts[] to how many fit. Returns the sum. */
static uint64_t find_picks(placement *p, sm_set *set, const gcast_mask *mask)
{
    uint64_t total = 0;
    p->pick_count = 0;
    for (int word = 0; word * 64 < set->count; word++) {
        uint64_t bits = set->dirty[word];
        if (p->every_sm)
            bits = set->count - word * 64 >= 64 ? UINT64_MAX : (UINT64_C(1) << (set->count - word * 64)) - 1;
        for (bits &= ~set->closed[word]; bits; bits &= bits - 1) {
            uint32_t rank = (uint32_t)(word * 64 + __builtin_ctzll(bits));
            if (!sm_fits(&set->at[rank], p->demand) || !mask_has_sm(mask, set->order[rank]))
                continue;
            uint32_t count = sm_fit_count(&set->at[rank], p->demand);
            if (set->largest) {
                count = min_u32(count, sm_fit_count_by_carveout(set, &set->at[rank], p->demand));
                if (!count)
                    continue;
            }
            p->picks[p->pick_count] = rank;
            p->counts[p->pick_count++] = count;
            total += count;
        }
    }
    return total;
}

static uint32_t max_count(const placement *p)
{
    uint32_t max = 0;
    for (uint32_t i = 0; i < p->pick_count; i++)
        max = max_u32(max, p->counts[i]);
    return max;
}

/* Sets the order of the policy most_room: round by round, from the largest capacity down. */
static void deal_most_room(placement *p)
{
    uint64_t n = 0;
    for (uint32_t capacity = max_count(p); n < p->fit; capacity--)
        for (uint32_t i = 0; i < p->pick_count && n < p->fit; i++)
            if (p->counts[i] >= capacity)
                p->order[n++] = i;
}

/* Sets only the counts of the policy most_room. At the end no SM has a capacity above `level` + 1, and of the SMs that
 * had more than `level` the first ones have `level`. */
static void count_most_room(placement *p, uint64_t total)
{
    uint64_t spare = total - p->fit; /* the sum of all capacities at the end */
    if (!spare)
        return;
    uint32_t lo = 0, hi = max_count(p);
    /* The largest level for which the sum of min(capacity, level) is at most spare. */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo + 1) / 2;
        uint64_t sum = 0;
        for (uint32_t i = 0; i < p->pick_count; i++)
            sum += p->counts[i] < mid ? p->counts[i] : mid;
        if (sum <= spare)
            lo = mid;
        else
            hi = mid - 1;
    }
    uint32_t level = lo;
    uint64_t left = p->fit; /* blocks still to place */
    for (uint32_t i = 0; i < p->pick_count; i++)
        left -= p->counts[i] > level + 1 ? p->counts[i] - (level + 1) : 0;
    for (uint32_t i = 0; i < p->pick_count; i++) {
        uint32_t capacity = p->counts[i];
        p->counts[i] = capacity > level + 1 ? capacity - (level + 1) : 0;
        if (capacity > level && left) {
            p->counts[i]++;
            left--;
        }
    }
}

/* Round robin over the SMs that have a capacity, from the one after the SM that took the last block. */
static void deal_round_robin(placement *p, const sm_set *set, uint32_t *capacities)
{
    uint32_t i = 0;
    while (i < p->pick_count && set->last < (uint32_t)set->count && p->picks[i] <= set->last)
        i++;
    for (uint64_t n = 0; n < p->fit; i++) {
        if (i >= p->pick_count)
            i = 0;
        if (capacities[i]) {
            capacities[i]--;
            p->order[n++] = i;
        }
    }
}

/* The SM with the highest score gets the next block; ties go to the lower rank. `placed`: blocks that it has got so
 * far; `capacity`: how many more fit. */
static int64_t score(gcast_placement policy, const sm_state *sm, const sm_demand *d, uint32_t placed, uint32_t capacity)
{
    switch (policy) {
    case GCAST_PLACE_MOST_THREADS:
        return sm->free[GCAST_RES_THREADS] - (int64_t)placed * d->need[GCAST_RES_THREADS];
    case GCAST_PLACE_FEWEST_BLOCKS:
        return -((int64_t)sm->resident + placed);
    case GCAST_PLACE_LEAST_ROOM:
        return -(int64_t)capacity;
    default: /* first fit */
        return 0;
    }
}

/* Places blocks one by one, each with a search over all SMs that have a capacity. */
static void deal_by_score(placement *p, const sm_set *set, gcast_placement policy, uint32_t *capacities)
{
    for (uint64_t n = 0; n < p->fit; n++) {
        uint32_t best = 0;
        int64_t best_score = INT64_MIN;
        for (uint32_t i = 0; i < p->pick_count; i++) {
            if (!capacities[i])
                continue;
            int64_t v = score(policy, &set->at[p->picks[i]], p->demand, p->counts[i] - capacities[i], capacities[i]);
            if (v > best_score) {
                best = i;
                best_score = v;
            }
        }
        capacities[best]--;
        p->order[n] = best;
    }
}

/* Draws an SM with a capacity for each block. */
static void deal_random(placement *p, uint32_t *capacities)
{
    const placement_draw *draw = &p->draw;
    uint32_t open_count = p->pick_count; /* SMs that have a capacity */
    for (uint64_t n = 0; n < p->fit; n++) {
        uint64_t drawn = duration_draw(draw->seed, draw->op, draw->job, DRAWN_BLOCK + draw->block + n);
        int64_t skipped = duration_scale(drawn, (int64_t)open_count - 1);
        uint32_t i = 0;
        while (!capacities[i] || skipped-- > 0)
            i++;
        open_count -= !--capacities[i];
        p->order[n] = i;
    }
}

/* Do the counts follow from the capacities, without an order of blocks? */
static bool counts_follow(const placement *p, gcast_placement policy, uint64_t total)
{
    if (p->ordered || policy == GCAST_PLACE_ROUND_ROBIN)
        return false;
    return p->fit == total || (policy == GCAST_PLACE_MOST_ROOM && !p->is_random);
}

/* order[] holds indices of picks[] so far: counts them, and replaces them by ranks. */
static void finish_order(placement *p)
{
    memset(p->counts, 0, p->pick_count * sizeof *p->counts);
    for (uint64_t n = 0; n < p->fit; n++) {
        p->counts[p->order[n]]++;
        p->order[n] = p->picks[p->order[n]];
    }
}

bool placement_choose_one(placement *p, sm_set *set, uint32_t rank, const gcast_workload *w)
{
    uint64_t *dirty = &set->dirty[rank / 64], bit = UINT64_C(1) << (rank % 64);
    uint32_t count = 0;
    if (mask_has_sm(mask_at(w, p->mask), set->order[rank]))
        count = sm_fit_count(&set->at[rank], p->demand);
    p->fit = count < p->wanted ? count : p->wanted;
    p->pick_count = 1;
    p->picks[0] = rank;
    p->counts[0] = (uint32_t)p->fit;
    if (p->fit == count)
        *dirty &= ~bit;
    if (!vec_grow(&p->order, &p->order_cap, p->fit, sizeof *p->order))
        return false;
    for (uint64_t n = 0; n < p->fit; n++)
        p->order[n] = rank;
    if (p->fit)
        set->last = rank;
    return true;
}

uint64_t placement_capacity(placement *p, sm_set *set, const gcast_workload *w)
{
    return find_picks(p, set, mask_at(w, p->mask));
}

bool placement_choose(placement *p, sm_set *set, gcast_placement policy, const gcast_workload *w)
{
    uint64_t total = placement_capacity(p, set, w);
    p->fit = total < p->wanted ? total : p->wanted;
    if (!p->fit)
        return true;
    if (counts_follow(p, policy, total)) {
        count_most_room(p, total);
        return true;
    }
    size_t need = p->fit + p->pick_count; /* for the order, and capacities[] behind it */
    if (!vec_grow(&p->order, &p->order_cap, need, sizeof *p->order))
        return false;
    uint32_t *capacities = p->order + p->fit; /* by index of picks[]: how many more blocks fit there */
    memcpy(capacities, p->counts, p->pick_count * sizeof *capacities);
    if (p->is_random)
        deal_random(p, capacities);
    else if (policy == GCAST_PLACE_MOST_ROOM)
        deal_most_room(p);
    else if (policy == GCAST_PLACE_ROUND_ROBIN)
        deal_round_robin(p, set, capacities);
    else
        deal_by_score(p, set, policy, capacities);
    finish_order(p);
    set->last = p->order[p->fit - 1];
    return true;
}

bool capacity_init(capacity_index *x, int sms)
{
    x->words = (sms + 63) / 64;
    x->changed = calloc((size_t)x->words, sizeof *x->changed);
    if (!x->changed)
        return false;
    for (int i = 0; i < CAPACITY_TABLES; i++) {
        capacity_table *t = &x->tables[i];
        t->of = calloc((size_t)sms, sizeof *t->of);
        t->ranks = calloc((size_t)x->words * (CAPACITY_MAX + 1), sizeof *t->ranks);
        t->sms_with = calloc(CAPACITY_MAX + 1, sizeof *t->sms_with);
        t->stale = calloc((size_t)x->words, sizeof *t->stale);
        if (!t->of || !t->ranks || !t->sms_with || !t->stale)
            return false;
    }
    return true;
}

void capacity_free(capacity_index *x)
{
    free(x->changed);
    for (int i = 0; i < CAPACITY_TABLES; i++) {
        free(x->tables[i].of);
        free(x->tables[i].ranks);
        free(x->tables[i].sms_with);
        free(x->tables[i].stale);
    }
}

bool capacity_knows(const sm_set *set, const sm_demand *d, gcast_placement policy)
{
    return !set->largest && d->max_blocks <= CAPACITY_MAX &&
           (policy == GCAST_PLACE_MOST_ROOM || policy == GCAST_PLACE_LEAST_ROOM || policy == GCAST_PLACE_FIRST_FIT ||
            policy == GCAST_PLACE_ROUND_ROBIN);
}

static uint64_t *ranks_with(const capacity_index *x, const capacity_table *t, int capacity)
{
    return &t->ranks[(size_t)capacity * (size_t)x->words];
}

/* The table of the demand; if there is none, the least recently used one, with all capacities stale. */
static capacity_table *table_of(capacity_index *x, const sm_set *set, const sm_demand *d)
{
    capacity_table *t = &x->tables[0];
    for (int i = 0; i < CAPACITY_TABLES; i++) {
        if (x->tables[i].demand == d)
            return &x->tables[i];
        if (x->tables[i].last_use < t->last_use)
            t = &x->tables[i];
    }
    t->demand = d;
    memset(t->of, 0, (size_t)set->count * sizeof *t->of);
    memset(t->ranks, 0, (size_t)x->words * (CAPACITY_MAX + 1) * sizeof *t->ranks);
    for (int rank = 0; rank < set->count; rank++)
        t->stale[rank / 64] |= t->ranks[rank / 64] |= UINT64_C(1) << (rank % 64);
    memset(t->sms_with, 0, (CAPACITY_MAX + 1) * sizeof *t->sms_with);
    t->sms_with[0] = (uint32_t)set->count;
    t->levels = 1;
    return t;
}

/* Marks the changes since the last choice as stale in all tables. */
static void spread_changes(capacity_index *x)
{
    for (int word = 0; word < x->words; word++) {
        uint64_t changed = x->changed[word];
        if (!changed)
            continue;
        for (int i = 0; i < CAPACITY_TABLES && x->tables[i].demand; i++)
            x->tables[i].stale[word] |= changed;
        x->changed[word] = 0;
    }
}

/* The SM of this rank has another capacity now. */
static void set_capacity(const capacity_index *x, capacity_table *t, uint32_t rank, int now)
{
    int before = t->of[rank];
    uint64_t bit = UINT64_C(1) << (rank % 64);
    if (now == before)
        return;
    ranks_with(x, t, before)[rank / 64] &= ~bit;
    ranks_with(x, t, now)[rank / 64] |= bit;
    if (!--t->sms_with[before])
        t->levels &= ~(UINT64_C(1) << before);
    t->sms_with[now]++;
    t->levels |= UINT64_C(1) << now;
    t->of[rank] = (uint8_t)now;
}

static void refresh(const capacity_index *x, capacity_table *t, const sm_set *set)
{
    for (int word = 0; word < x->words; word++) {
        for (uint64_t bits = t->stale[word]; bits; bits &= bits - 1) {
            uint32_t rank = (uint32_t)(word * 64 + __builtin_ctzll(bits));
            const sm_state *sm = &set->at[rank];
            set_capacity(x, t, rank, sm_fits(sm, t->demand) ? (int)sm_fit_count(sm, t->demand) : 0);
        }
        t->stale[word] = 0;
    }
}

/* The first rank, from `first` on, that is in the mask, and in the set ranks[] or, where `inverse`, not in it;
 * CAPACITY_NO_SM: none. */
static uint32_t first_rank(const capacity_index *x, const uint64_t *ranks, bool inverse, uint32_t first,
                           const sm_set *set, const gcast_mask *mask)
{
    for (uint32_t word = first / 64; word < (uint32_t)x->words; word++) {
        uint64_t bits = inverse ? ~ranks[word] : ranks[word];
        if (word == first / 64)
            bits &= UINT64_MAX << (first % 64);
        for (; bits; bits &= bits - 1) {
            uint32_t rank = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (rank >= (uint32_t)set->count)
                break;
            if (mask_has_sm(mask, set->order[rank]))
                return rank;
        }
    }
    return CAPACITY_NO_SM;
}

/* The first rank from `first` on where a block fits. */
static uint32_t first_fitting(const capacity_index *x, const capacity_table *t, uint32_t first, const sm_set *set,
                              const gcast_mask *mask)
{
    return first_rank(x, ranks_with(x, t, 0), true, first, set, mask);
}

/* The next SM in cyclic order, from the one that took the last block, where a block fits. */
static uint32_t next_in_turn(const capacity_index *x, const capacity_table *t, const sm_set *set,
                             const gcast_mask *mask)
{
    uint32_t first = set->last < (uint32_t)set->count ? set->last + 1 : 0;
    uint32_t rank = first_fitting(x, t, first, set, mask);
    return rank == CAPACITY_NO_SM ? first_fitting(x, t, 0, set, mask) : rank;
}

uint32_t capacity_choose(capacity_index *x, const sm_set *set, const sm_demand *d, gcast_placement policy,
                         const gcast_mask *mask)
{
    capacity_table *t = table_of(x, set, d);
    t->last_use = ++x->uses;
    spread_changes(x);
    refresh(x, t, set);
    if (policy == GCAST_PLACE_FIRST_FIT)
        return first_fitting(x, t, 0, set, mask);
    if (policy == GCAST_PLACE_ROUND_ROBIN)
        return next_in_turn(x, t, set, mask);
    for (uint64_t levels = t->levels & ~UINT64_C(1); levels;) {
        int capacity = policy == GCAST_PLACE_MOST_ROOM ? 63 - __builtin_clzll(levels) : __builtin_ctzll(levels);
        uint32_t rank = first_rank(x, ranks_with(x, t, capacity), false, 0, set, mask);
        if (rank != CAPACITY_NO_SM)
            return rank;
        levels &= ~(UINT64_C(1) << capacity);
    }
    return CAPACITY_NO_SM;
}

void capacity_block_placed(capacity_index *x, const sm_demand *d, uint32_t rank)
{
    uint64_t bit = UINT64_C(1) << (rank % 64);
    for (int i = 0; i < CAPACITY_TABLES && x->tables[i].demand; i++) {
        capacity_table *t = &x->tables[i];
        if (t->demand == d)
            set_capacity(x, t, rank, t->of[rank] - 1);
        else
            t->stale[rank / 64] |= bit;
    }
    x->changed[rank / 64] &= ~bit;
}
