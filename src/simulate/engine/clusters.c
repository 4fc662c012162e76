/* The block scheduler while a kernel with clusters is queued ("Clusters" in docs/model.md): which GPCs take the
 * clusters, and which kernels wait. */
#include "simulate/engine/clusters.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/vec.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"
#include "simulate/blocks/sm.h"
#include "simulate/engine/block_waits.h"
#include "simulate/engine/execution_queue.h"
#include "simulate/engine/groups.h"

/* Clusters are dealt in rounds. In a round each GPC of the largest room gets one. The blocks of a cluster need an SM
 * each, so that for clusters of n blocks the room of a GPC is the n-th largest capacity of its SMs. GPCs are in the
 * order of the GPU, but lone ones first. */

/* Lone GPCs, which have no more SMs than a TPC, and all others. */
enum { GPC_LONE, GPC_OTHER, GPC_PARTS };

typedef struct gpc_set {
    int count;            /* of GPCs */
    uint32_t *first;      /* by GPC: place of its first SM in ranks[]; one more at the end */
    uint32_t *ranks;      /* ranks of SMs, GPC after GPC; in a GPC, in the order in which SMs get blocks */
    uint8_t *part;        /* by GPC: GPC_* */
    unsigned parts;       /* bit per part that has GPCs */
    int last[GPC_PARTS];  /* by part: the GPC that took the last cluster; -1: none did yet */
    uint32_t *capacities; /* while clusters are placed, by place in ranks[]: how many more blocks fit */
    uint32_t *rooms;      /* while clusters are placed, by GPC: its room */
    bool *in_round;       /* while clusters are placed, by GPC: it takes part in the round */
} gpc_set;

/* Clusters of one kernel, and where they are placed. */
typedef struct cluster_choice {
    /* Set by the caller. */
    const sm_demand *demand; /* of one block */
    const gcast_mask *mask;  /* of SMs that may be used; NULL: all */
    uint32_t size;           /* blocks of a cluster */
    uint64_t wanted;         /* clusters to place */
    bool whole;              /* all of them, or none */
    unsigned parts;          /* bit per part whose GPCs may be used */
    /* Where the clusters go. */
    uint64_t fit;    /* how many are placed */
    uint32_t *ranks; /* by block, cluster after cluster: the rank of its SM */
    size_t rank_cap; /* for how many blocks ranks[] has memory */
} cluster_choice;

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

/* False without memory. */
static bool gpc_set_init(gpc_set *g, const gcast_gpu *gpu, const sm_set *sms)
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

static void gpc_set_free(gpc_set *g)
{
    free(g->first);
    free(g->part);
    free(g->rooms);
    free(g->in_round);
    free(g->ranks);
    free(g->capacities);
}

/* The parts with a GPC that holds a cluster of this size, if the GPC is empty. */
static unsigned gpc_set_holds(const gpc_set *g, const sm_set *sms, const gcast_mask *mask, uint32_t size)
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

/* Closes the SMs of all other parts. */
static void gpc_set_close_others(const gpc_set *g, sm_set *sms, unsigned parts)
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

/* The n-th largest capacity of the GPC's SMs; 0 where there are fewer SMs. */
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

/* Places a cluster in a GPC with room, on the SMs with the largest capacities. */
static void place_cluster(gpc_set *g, cluster_choice *c, int gpc)
{
    uint32_t room = g->rooms[gpc], more = 0, *ranks = c->ranks + c->fit++ * c->size;
    for (uint32_t k = g->first[gpc]; k < g->first[gpc + 1]; k++)
        more += g->capacities[k] > room;
    uint32_t equal = c->size - more; /* how many SMs with capacity `room` are taken */
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

/* Chooses the GPCs that take part: those of the largest room, or the first of them where clusters are fewer. Returns
 * how many. */
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

/* Each GPC of the round gets a cluster. Those of a part come in cyclic order, from the one behind the last. */
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

/* Chooses SMs for the clusters that are wanted, as long as they fit; false without memory. */
static bool gpc_set_choose(gpc_set *g, const sm_set *sms, cluster_choice *c)
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

/* While a kernel with clusters is in an EE queue, X1 and A2 hold for each part of the GPU by itself: a kernel that
 * waits for room holds up those behind it only in parts that it needs. All kernels that wait are visited in order, with
 * a search of all SMs each; no shortcut of refill.c is taken, as s->blocked is NONE. */

typedef struct sim_clusters {
    gpc_set gpcs;          /* of the GPU */
    uint8_t *needs;        /* by op of the workload: bit per part that it needs */
    cluster_choice choice; /* where clusters go */
} sim_clusters;

bool clusters_init(sim *s)
{
    bool any = false;
    for (size_t i = 0; i < s->w->op_count; i++)
        any = any || attributes_cluster(&s->w->ops[i]) > 1;
    if (!any)
        return true;
    sim_clusters *c = s->clusters = calloc(1, sizeof *c);
    if (!c || !gpc_set_init(&c->gpcs, s->gpu, &s->sms) || !(c->needs = calloc(s->w->op_count, sizeof *c->needs)))
        return false;
    for (size_t i = 0; i < s->w->op_count; i++) {
        const gcast_op *op = &s->w->ops[i];
        uint32_t size = attributes_cluster(op);
        c->needs[i] =
            (uint8_t)(size > 1 ? gpc_set_holds(&c->gpcs, &s->sms, mask_at(s->w, op->mask), size) : c->gpcs.parts);
    }
    return true;
}

void clusters_free(sim *s)
{
    if (!s->clusters)
        return;
    gpc_set_free(&s->clusters->gpcs);
    free(s->clusters->needs);
    free(s->clusters->choice.ranks);
    free(s->clusters);
}

void clusters_enter(sim *s, uint32_t o)
{
    s->clusters_queued += attributes_cluster(sim_spec(s, o)) > 1;
}

/* The next cluster of o starts on these SMs. */
static void start_cluster(sim *s, uint32_t o, uint32_t size, const uint32_t *ranks)
{
    for (uint32_t i = 0; i < size && s->status == GCAST_OK; i++) {
        sm_state *sm = &s->sms.at[ranks[i]];
        int32_t quarter = sm->next_quarter;
        if (s->sms.largest)
            sm_resize(sm, s->state[o].demand);
        if (s->state[o].starts_each) {
            block_waits_start_on(s, o, ranks[i]);
            continue;
        }
        uint32_t g = group_start(s, o, ranks[i], 1, NONE);
        if (g == NONE)
            return;
        uint64_t block = attributes_block_at(sim_spec(s, o), s->state[o].dispatched++);
        tournament_set(&s->releases, g, block_dispatch_as(s, o, ranks[i], quarter, block));
    }
}

/* Starts the clusters of o that fit in these parts. */
static void start_clusters(sim *s, uint32_t o, uint32_t size, unsigned parts)
{
    cluster_choice *c = &s->clusters->choice;
    c->demand = s->state[o].demand;
    c->mask = mask_at(s->w, sim_spec(s, o)->mask);
    c->size = size;
    c->wanted = (s->state[o].launch_blocks - s->state[o].dispatched) / size;
    c->whole = s->state[o].starts_whole;
    c->parts = parts;
    if (!gpc_set_choose(&s->clusters->gpcs, &s->sms, c)) {
        sim_fail_memory(s);
        return;
    }
    s->window.has_jobs = true; /* blocks of a cluster need not be next to each other */
    if (c->fit)
        kernel_starts(s, o);
    for (uint64_t i = 0; i < c->fit && s->status == GCAST_OK; i++)
        start_cluster(s, o, size, c->ranks + i * size);
}

/* Starts the blocks of o that fit in these parts. Returns whether o is fully dispatched and has left its queue. */
static bool start_in_parts(sim *s, uint32_t o, unsigned parts)
{
    uint32_t size = attributes_cluster(sim_spec(s, o));
    if (size > 1) {
        start_clusters(s, o, size, parts);
    } else {
        gpc_set_close_others(&s->clusters->gpcs, &s->sms, parts);
        execution_start_fitting(s, o);
        memset(s->sms.closed, 0, ((size_t)s->sms.count + 63) / 64 * sizeof *s->sms.closed);
    }
    if (s->status != GCAST_OK || s->state[o].dispatched < s->state[o].launch_blocks)
        return false;
    s->clusters_queued -= size > 1;
    execution_dispatched(s, o);
    return true;
}

/* One visit of all kernels that wait. */
typedef struct passage {
    unsigned held; /* parts that kernels hold up */
    bool limited;  /* as many kernels are resident as the GPU allows */
    bool over;     /* no further kernel can start blocks, or the visit has to be repeated */
} passage;

/* Starts blocks of the kernels of a level. */
static void dispatch_level(sim *s, const sim_fifo *queue, passage *p)
{
    const sim_clusters *c = s->clusters;
    unsigned held_here = p->held; /* and parts that are held up in this queue only */
    for (uint32_t o = queue->first, next; o != NONE && !p->over; o = next) {
        unsigned needs = c->needs[s->state[o].op];
        bool waits = !s->state[o].dispatched && p->limited;
        next = s->state[o].queue_next;
        bool leaves = !waits && (needs & ~held_here) && start_in_parts(s, o, needs & ~held_here);
        if (!leaves) {
            held_here |= needs;
            p->held |= waits ? 0 : needs;
        }
        p->over = p->held == c->gpcs.parts || s->now < s->switch_end_ns || s->status != GCAST_OK ||
                  p->limited != grid_limit_reached(s->gpu, s->resident_grids);
    }
}

void clusters_dispatch(sim *s)
{
    passage p;
    s->blocked = NONE;
    s->blocked_demand = NULL;
    /* When the limit of resident grids is reached, kernels in front that have not started hold up fewer others. */
    for (bool again = true; again && s->now >= s->switch_end_ns && s->status == GCAST_OK;) {
        p = (passage){.limited = grid_limit_reached(s->gpu, s->resident_grids)};
        for (uint64_t bits = s->nonempty_levels; bits && !p.over; bits &= bits - 1)
            dispatch_level(s, &s->levels[__builtin_ctzll(bits)], &p);
        again = p.limited != grid_limit_reached(s->gpu, s->resident_grids);
    }
}
