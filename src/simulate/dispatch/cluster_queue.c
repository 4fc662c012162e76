/* While a kernel with clusters is in an EE queue, X1 and A2 hold for each part of the GPU by itself: a kernel that
 * waits for room holds up those behind it only in parts that it needs. All kernels that wait are gone through in order,
 * with a search of all SMs each; none of the shortcuts of other kernels is taken, as nobody is s->blocked. */
#include "simulate/dispatch/cluster_queue.h"

#include <stdlib.h>
#include <string.h>

#include "model/workload/attributes/attributes.h"
#include "model/workload/mask.h"
#include "simulate/blocks/gpc_set.h"
#include "simulate/dispatch/execution_queue.h"
#include "simulate/dispatch/groups.h"
#include "simulate/waits/block_waits.h"

typedef struct sim_clusters {
    gpc_set gpcs;          /* of the GPU */
    uint8_t *needs;        /* by op of the workload: bit per part that a kernel needs */
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

/* Starts the blocks of o that fit in these parts; true: o is fully dispatched, and has left its queue. */
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

/* One time through all kernels that wait. */
typedef struct passage {
    unsigned held; /* parts that kernels hold up */
    bool limited;  /* as many kernels are resident as the GPU allows */
    bool over;     /* no further kernel can start blocks, or all has to be gone through again */
} passage;

/* Starts blocks of the kernels of a level. */
static void dispatch_level(sim *s, const sim_fifo *queue, passage *p)
{
    const sim_clusters *c = s->clusters;
    unsigned held_here = p->held; /* with parts that are held up in this queue only */
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
