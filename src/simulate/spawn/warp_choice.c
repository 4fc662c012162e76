/* Launchers with the most to do launch first, and as many of them as makes the warp and its children end soonest. */
#include "simulate/spawn/warp_choice.h"

#include "base/minmax.h"
#include "model/workload/launching.h"

typedef unsigned __int128 wide;

/* A launcher that may launch. */
typedef struct candidate {
    int64_t loop_ns; /* what it takes if it keeps its items */
    uint32_t items;  /* that it has */
    uint32_t lane;   /* its place in the warp */
} candidate;

/* The launchers of a warp that have items. */
typedef struct candidates {
    candidate at[LAUNCHES_WARP]; /* those that may launch: the longest first, of equal ones the lowest lane */
    uint32_t count;              /* of at[] */
    int64_t keepers_ns;          /* what the longest takes of those that may not launch; 0: none */
} candidates;

/* What children of the warp take, however many there are. */
typedef struct child_costs {
    wide block_ns;       /* the first block of the first candidate's child */
    uint64_t max_blocks; /* that can run at a time */
} child_costs;

static inline wide max_wide(wide a, wide b)
{
    return a > b ? a : b;
}

static void insert(candidates *c, candidate new)
{
    uint32_t i = c->count++;
    for (; i > 0 && c->at[i - 1].loop_ns < new.loop_ns; i--)
        c->at[i] = c->at[i - 1];
    c->at[i] = new;
}

static void find_candidates(const gcast_launches *l, uint64_t first, uint32_t count, candidates *c)
{
    c->count = 0;
    c->keepers_ns = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t items = launches_items(l, first + lane);
        if (!items)
            continue;
        int64_t loop_ns = launches_loop_ns(l, first + lane);
        if (items < l->min_items)
            c->keepers_ns = max_i64(c->keepers_ns, loop_ns);
        else
            insert(c, (candidate){.loop_ns = loop_ns, .items = items, .lane = lane});
    }
}

static child_costs costs_of(const warp_outlook *o, uint32_t items)
{
    const gcast_launches *l = o->launches;
    int grids = o->gpu->limits.resident_grids, queues = o->gpu->child_queues;
    int kernels = !grids ? queues : !queues ? grids : min_int(grids, queues);
    uint32_t thread_items = launches_thread_items(l, launches_block_items(l, items, 0));
    child_costs costs = {.block_ns = l->child->max_ns + (wide)thread_items * l->child_item_ns,
                         .max_blocks = o->max_blocks};
    if (kernels)
        costs.max_blocks = min_u64(costs.max_blocks, (uint64_t)kernels * launches_child_blocks(l, items));
    return costs;
}

/* After how long the warp is done whose first `launches` candidates launch. */
static wide warp_ns(const gcast_gpu *gpu, const candidates *c, uint32_t launches)
{
    wide longest = launches < c->count ? max_i64(c->keepers_ns, c->at[launches].loop_ns) : c->keepers_ns;
    return launches ? longest + gpu->child_call_ns + (wide)launches * gpu->child_call_step_ns : longest;
}

/* After how long as many children, at least one, have ended, which have so many blocks. */
static wide children_ns(const warp_outlook *o, const child_costs *costs, uint32_t launches, uint64_t blocks)
{
    wide overhead = o->gpu->child_launch_ns + (wide)launches * o->gpu->child_step_ns;
    wide service = ((wide)o->children + launches) * o->gpu->child_service_ns;
    wide waves = ((wide)o->blocks + blocks) * costs->block_ns / costs->max_blocks;
    return max_wide(overhead, service) + waves + costs->block_ns;
}

uint32_t warp_choice(const warp_outlook *o, uint64_t first, uint32_t count)
{
    candidates c;
    find_candidates(o->launches, first, count, &c);
    if (!c.count)
        return 0;
    child_costs costs = costs_of(o, c.at[0].items);
    wide soonest = warp_ns(o->gpu, &c, 0);
    uint64_t blocks = 0;
    uint32_t lanes = 0, chosen = 0;
    for (uint32_t launches = 1; launches <= c.count; launches++) {
        const candidate *last = &c.at[launches - 1];
        blocks += launches_child_blocks(o->launches, last->items);
        lanes |= UINT32_C(1) << last->lane;
        wide end = max_wide(warp_ns(o->gpu, &c, launches), children_ns(o, &costs, launches, blocks));
        if (end < soonest) {
            soonest = end;
            chosen = lanes;
        }
    }
    return chosen;
}
