/* Which SM the next block goes to: the policies of GCAST_PLACEMENT_TABLE.
 *
 * Placing one block leaves an SM with room for exactly one less, so most-room
 * can be dealt out in levels (all SMs that have room for k more get one, for k
 * from the top down) without looking for a maximum block by block. */
#include "simulate/blocks/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/workload/mask.h"

bool placement_init(placement *p, int sms)
{
    *p = (placement){.mask = GCAST_ALL_SMS};
    p->counts = calloc((size_t)sms, sizeof *p->counts);
    p->picks = calloc((size_t)sms, sizeof *p->picks);
    return p->counts && p->picks;
}

void placement_free(placement *p)
{
    free(p->order);
    free(p->counts);
    free(p->picks);
}

/* picks[] and, for now, their rooms in counts[]; returns the sum of rooms. */
static uint64_t look(placement *p, sm_set *set, const gcast_mask *mask)
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
            uint32_t room = sm_room(&set->at[rank], p->demand);
            if (set->largest) {
                uint32_t by_size = sm_room_by_size(set, &set->at[rank], p->demand);
                room = by_size < room ? by_size : room;
                if (!room)
                    continue;
            }
            p->picks[p->pick_count] = rank;
            p->counts[p->pick_count++] = room;
            total += room;
        }
    }
    return total;
}

/* Most room, in order: level by level from the largest room down. */
static void deal_levels(placement *p)
{
    uint32_t level = 0;
    uint64_t n = 0;
    for (uint32_t i = 0; i < p->pick_count; i++)
        if (p->counts[i] > level)
            level = p->counts[i];
    for (; n < p->fit; level--)
        for (uint32_t i = 0; i < p->pick_count && n < p->fit; i++)
            if (p->counts[i] >= level)
                p->order[n++] = i;
}

/* Most room, counts only: everyone comes down to `level`, and the first so many
 * in tie order to one less. */
static void fill_levels(placement *p, uint64_t total)
{
    uint64_t spare = total - p->fit; /* rooms that stay */
    if (!spare)
        return;
    uint32_t lo = 0, hi = 0;
    for (uint32_t i = 0; i < p->pick_count; i++)
        if (p->counts[i] > hi)
            hi = p->counts[i];
    /* The largest level at which min(room, level) sums to at most spare. */
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
    uint64_t left = p->fit; /* blocks still to place */
    for (uint32_t i = 0; i < p->pick_count; i++)
        left -= p->counts[i] > lo + 1 ? p->counts[i] - (lo + 1) : 0;
    for (uint32_t i = 0; i < p->pick_count; i++) {
        uint32_t room = p->counts[i];
        p->counts[i] = room > lo + 1 ? room - (lo + 1) : 0;
        if (room > lo && left) {
            p->counts[i]++;
            left--;
        }
    }
}

/* In a circle over the SMs with room, from the one after the last. */
static void deal_round(placement *p, const sm_set *set, uint32_t *rooms)
{
    uint32_t i = 0;
    while (i < p->pick_count && set->last < (uint32_t)set->count && p->picks[i] <= set->last)
        i++;
    for (uint64_t n = 0; n < p->fit; i++) {
        if (i >= p->pick_count)
            i = 0;
        if (rooms[i]) {
            rooms[i]--;
            p->order[n++] = i;
        }
    }
}

/* Larger is better; ties go to the lower rank. */
static int64_t score(gcast_placement policy, const sm_state *sm, const sm_demand *d, uint32_t given, uint32_t room)
{
    switch (policy) {
    case GCAST_PLACE_MOST_THREADS:
        return sm->free[GCAST_RES_THREADS] - (int64_t)given * d->need[GCAST_RES_THREADS];
    case GCAST_PLACE_FEWEST_BLOCKS:
        return -((int64_t)sm->resident + given);
    case GCAST_PLACE_LEAST_ROOM:
        return -(int64_t)room;
    default: /* first fit */
        return 0;
    }
}

/* One at a time, by looking at every SM with room. */
static void deal_scored(placement *p, const sm_set *set, gcast_placement policy, uint32_t *rooms)
{
    for (uint64_t n = 0; n < p->fit; n++) {
        uint32_t best = 0;
        int64_t best_score = INT64_MIN;
        for (uint32_t i = 0; i < p->pick_count; i++) {
            if (!rooms[i])
                continue;
            int64_t v = score(policy, &set->at[p->picks[i]], p->demand, p->counts[i] - rooms[i], rooms[i]);
            if (v > best_score) {
                best = i;
                best_score = v;
            }
        }
        rooms[best]--;
        p->order[n] = best;
    }
}

/* order[] holds positions in picks[] so far: count them, and turn them into ranks. */
static void settle(placement *p)
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
    uint32_t room = 0;
    if (mask_has_sm(mask_at(w, p->mask), set->order[rank]))
        room = sm_room(&set->at[rank], p->demand);
    p->fit = room < p->wanted ? room : p->wanted;
    p->pick_count = 1;
    p->picks[0] = rank;
    p->counts[0] = (uint32_t)p->fit;
    if (p->fit == room)
        *dirty &= ~bit;
    if (!vec_grow((void **)&p->order, &p->order_cap, p->fit, sizeof *p->order))
        return false;
    for (uint64_t n = 0; n < p->fit; n++)
        p->order[n] = rank;
    if (p->fit)
        set->last = rank;
    return true;
}

uint64_t placement_room(placement *p, sm_set *set, const gcast_workload *w)
{
    return look(p, set, mask_at(w, p->mask));
}

bool placement_choose(placement *p, sm_set *set, gcast_placement policy, const gcast_workload *w)
{
    uint64_t total = placement_room(p, set, w);
    p->fit = total < p->wanted ? total : p->wanted;
    if (!p->fit)
        return true;
    if (!p->ordered && policy != GCAST_PLACE_ROUND_ROBIN && (policy == GCAST_PLACE_MOST_ROOM || p->fit == total)) {
        fill_levels(p, total);
        return true;
    }
    size_t need = p->fit + p->pick_count; /* behind the order: what room is left while dealing */
    if (!vec_grow((void **)&p->order, &p->order_cap, need, sizeof *p->order))
        return false;
    uint32_t *rooms = p->order + p->fit;
    memcpy(rooms, p->counts, p->pick_count * sizeof *rooms);
    if (policy == GCAST_PLACE_MOST_ROOM)
        deal_levels(p);
    else if (policy == GCAST_PLACE_ROUND_ROBIN)
        deal_round(p, set, rooms);
    else
        deal_scored(p, set, policy, rooms);
    settle(p);
    set->last = p->order[p->fit - 1];
    return true;
}
