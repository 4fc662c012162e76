#include "simulate/blocks/capacity.h"

#include <stdlib.h>
#include <string.h>

#include "model/workload/mask.h"

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

/* The table of the demand, or the one that was not used for longest, with nothing known. */
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

/* What changed since the last choice is stale in all tables. */
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

/* The first rank of a set, from `first` on, that is in the mask; CAPACITY_NO_SM. */
static uint32_t first_rank(const capacity_index *x, const uint64_t *ranks, uint32_t first, const sm_set *set,
                           const gcast_mask *mask)
{
    for (uint32_t word = first / 64; word < (uint32_t)x->words; word++) {
        uint64_t bits = ranks[word];
        if (word == first / 64)
            bits &= UINT64_MAX << (first % 64);
        for (; bits; bits &= bits - 1) {
            uint32_t rank = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (mask_has_sm(mask, set->order[rank]))
                return rank;
        }
    }
    return CAPACITY_NO_SM;
}

/* The first rank from `first` on on which a block fits. */
static uint32_t first_fitting(const capacity_index *x, const capacity_table *t, uint32_t first, const sm_set *set,
                              const gcast_mask *mask)
{
    for (uint32_t word = first / 64; word < (uint32_t)x->words; word++) {
        uint64_t bits = ~ranks_with(x, t, 0)[word];
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

/* The SM after the one that took the last block, in a circle. */
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
        uint32_t rank = first_rank(x, ranks_with(x, t, capacity), 0, set, mask);
        if (rank != CAPACITY_NO_SM)
            return rank;
        levels &= ~(UINT64_C(1) << capacity);
    }
    return CAPACITY_NO_SM;
}

/* An SM that holds `n` more blocks of a demand holds one less when it has got one of them. */
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
