/* Clusters are dealt in rounds. In a round each GPC of the largest room gets one. The room of a GPC is the n-th largest
 * capacity of its SMs for clusters of n blocks, each of which needs an SM of its own. */
#include "simulate/blocks/gpc_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/vec.h"
#include "model/gpu/gpcs/gpcs.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/mask.h"

/* Lists the GPCs of one part. */
static void add_part(gpc_set *g, const gcast_gpu *gpu, const sm_set *sms, uint8_t part)
{
    const int *sm = gpu->gpc_sms;
    for (int i = 0; i < gpu->gpc_count; sm += gpu->gpc_sizes[i++]) {
        if (gpc_is_lone(gpu, gpu->gpc_sizes[i]) != (part == GPC_LONE))
            continue;
        uint32_t first = g->first[g->count];
        for (int k = 0; k < gpu->gpc_sizes[i]; k++)
            g->ranks[first + (uint32_t)k] = (uint32_t)sms->rank[sm[k]];
        g->part[g->count++] = part;
        g->first[g->count] = first + (uint32_t)gpu->gpc_sizes[i];
        g->parts |= 1u << part;
    }
}

bool gpc_set_init(gpc_set *g, const gcast_gpu *gpu, const sm_set *sms)
{
    size_t gpcs = (size_t)gpu->gpc_count + 1, n = (size_t)gpu->sms;
    *g = (gpc_set){.last = {-1, -1}};
    g->first = calloc(gpcs, sizeof *g->first);
    g->part = calloc(gpcs, sizeof *g->part);
    g->rooms = calloc(gpcs, sizeof *g->rooms);
    g->in_round = calloc(gpcs, sizeof *g->in_round);
    g->ranks = calloc(n, sizeof *g->ranks);
    g->capacities = calloc(n, sizeof *g->capacities);
    if (!g->first || !g->part || !g->rooms || !g->in_round || !g->ranks || !g->capacities)
        return false;
    add_part(g, gpu, sms, GPC_LONE);
    add_part(g, gpu, sms, GPC_OTHER);
    return true;
}

void gpc_set_free(gpc_set *g)
{
    free(g->first);
    free(g->part);
    free(g->rooms);
    free(g->in_round);
    free(g->ranks);
    free(g->capacities);
}

unsigned gpc_set_holds(const gpc_set *g, const sm_set *sms, const gcast_mask *mask, uint32_t size)
{
    unsigned parts = 0;
    for (int i = 0; i < g->count; i++) {
        uint32_t usable = 0;
        for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
            usable += mask_has_sm(mask, sms->order[g->ranks[k]]);
        if (usable >= size)
            parts |= 1u << g->part[i];
    }
    return parts;
}

void gpc_set_close_others(const gpc_set *g, sm_set *sms, unsigned parts)
{
    for (int i = 0; i < g->count; i++)
        for (uint32_t k = g->first[i]; k < g->first[i + 1] && !(parts >> g->part[i] & 1); k++)
            sms->closed[g->ranks[k] / 64] |= UINT64_C(1) << (g->ranks[k] % 64);
}

/* How many more blocks fit on the SM of this rank. */
static uint32_t capacity_of(const sm_set *sms, const cluster_choice *c, uint32_t rank)
{
    const sm_state *sm = &sms->at[rank];
    if (!sm_fits(sm, c->demand) || !mask_has_sm(c->mask, sms->order[rank]))
        return 0;
    uint32_t count = sm_fit_count(sm, c->demand);
    return sms->largest ? min_u32(count, sm_fit_count_by_carveout(sms, sm, c->demand)) : count;
}

/* The n-th largest capacity; 0 where there are fewer SMs. */
static uint32_t room_of(const gpc_set *g, int gpc, uint32_t n)
{
    uint32_t largest[ATTRIBUTES_MAX_CLUSTER] = {0}; /* descending */
    for (uint32_t k = g->first[gpc]; k < g->first[gpc + 1]; k++) {
        uint32_t capacity = g->capacities[k], i = n;
        for (; i > 0 && largest[i - 1] < capacity; i--)
            if (i < n)
                largest[i] = largest[i - 1];
        if (i < n)
            largest[i] = capacity;
    }
    return largest[n - 1];
}

/* A cluster goes to a GPC with room: to the SMs with the largest capacities. */
static void place_cluster(gpc_set *g, cluster_choice *c, int gpc)
{
    uint32_t room = g->rooms[gpc], more = 0, *ranks = c->ranks + c->fit++ * c->size;
    for (uint32_t k = g->first[gpc]; k < g->first[gpc + 1]; k++)
        more += g->capacities[k] > room;
    uint32_t equal = c->size - more; /* SMs of just that capacity that are taken */
    for (uint32_t k = g->first[gpc]; k < g->first[gpc + 1]; k++) {
        if (g->capacities[k] < room || (g->capacities[k] == room && !equal))
            continue;
        equal -= g->capacities[k] == room;
        g->capacities[k]--;
        *ranks++ = g->ranks[k];
    }
    g->rooms[gpc] = room_of(g, gpc, c->size);
    g->last[g->part[gpc]] = gpc;
}

/* The GPCs of the largest room, or the first of them where there are fewer clusters, take part. Returns how many. */
static uint64_t begin_round(gpc_set *g, const cluster_choice *c)
{
    uint32_t largest = 0;
    uint64_t count = 0;
    for (int i = 0; i < g->count; i++)
        largest = max_u32(largest, g->rooms[i]);
    for (int i = 0; i < g->count; i++) {
        g->in_round[i] = largest && g->rooms[i] == largest && count < c->wanted - c->fit;
        count += g->in_round[i];
    }
    return count;
}

/* Each GPC of the round gets a cluster: those of a part in a circle, from the one behind the last. */
static void deal_round(gpc_set *g, cluster_choice *c)
{
    for (int part = 0; part < GPC_PARTS; part++) {
        int last = g->last[part];
        for (int i = 1; i <= g->count; i++) {
            int gpc = (last + i) % g->count;
            if (g->in_round[gpc] && g->part[gpc] == part)
                place_cluster(g, c, gpc);
        }
    }
}

bool gpc_set_choose(gpc_set *g, const sm_set *sms, cluster_choice *c)
{
    const int last[GPC_PARTS] = {g->last[GPC_LONE], g->last[GPC_OTHER]};
    c->fit = 0;
    for (int i = 0; i < g->count; i++) {
        bool open = c->parts >> g->part[i] & 1;
        for (uint32_t k = g->first[i]; k < g->first[i + 1] && open; k++)
            g->capacities[k] = capacity_of(sms, c, g->ranks[k]);
        g->rooms[i] = open ? room_of(g, i, c->size) : 0;
    }
    while (c->fit < c->wanted) {
        uint64_t count = begin_round(g, c);
        if (!count)
            break;
        if (!vec_grow(&c->ranks, &c->rank_cap, (c->fit + count) * c->size, sizeof *c->ranks))
            return false;
        deal_round(g, c);
    }
    if (c->whole && c->fit < c->wanted) {
        memcpy(g->last, last, sizeof last);
        c->fit = 0;
    }
    return true;
}
