/* SMs and the resources that blocks take: rules R1-R3, registers by quarter. SMs are kept by rank, the order that
 * decides ties: rank 0 wins every tie. */
#ifndef SIMULATE_BLOCKS_SM_H
#define SIMULATE_BLOCKS_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "gridcast/gpu.h"
#include "gridcast/occupancy.h"
#include "gridcast/workload.h"
#include "model/occupancy.h"

/* Amounts of an SM are one vector, so that taking and releasing is a few wide instructions: each resource, then the
 * warps and the registers of each quarter, places for blocks of clusters, and padding. */
enum {
    SM_WARPS = GCAST_RESOURCES,
    SM_REGISTERS = SM_WARPS + GCAST_QUARTERS,
    SM_CLUSTER_BLOCKS = SM_REGISTERS + GCAST_QUARTERS,
    SM_AMOUNTS = 16
};
_Static_assert(SM_CLUSTER_BLOCKS < SM_AMOUNTS, "amounts fit");
enum { SM_POOLS = GCAST_RESOURCES + 1 }; /* amounts of the whole SM, not of a quarter */

/* What one block needs of an SM. */
typedef struct sm_demand {
    _Alignas(16) int32_t need[SM_AMOUNTS]; /* of each resource; amounts of quarters only where fills_quarters */
    int32_t warps;                         /* of the block */
    int32_t warp_registers;                /* registers of one warp */
    smem_sizes size;                       /* the shared memory that its SM must have, and the one that it chooses */
    /* All that follows is computed from the fields above. */
    _Alignas(16) int32_t need_at[GCAST_QUARTERS][SM_AMOUNTS];     /* need, by the quarter of the block's first warp */
    uint32_t max_blocks;                                          /* how many an empty SM holds */
    _Alignas(16) int32_t max_need_at[GCAST_QUARTERS][SM_AMOUNTS]; /* what max_blocks need, by the first quarter */
    int32_t quarter_step;   /* how many quarters further the next block of the SM starts */
    bool quarters;          /* warps and registers are counted by quarter */
    bool fills_quarters;    /* all quarters get equally many warps of the block; true where quarters are not counted */
    uint8_t pools;          /* how many of pool[] are used */
    uint8_t pool[SM_POOLS]; /* amounts that the block needs, by number */
    uint64_t inverse[SM_POOLS];      /* by index of pool[]: the inverse of need; see quotient() in sm.c */
    uint64_t warps_inverse;          /* the inverse of warps */
    uint64_t warp_registers_inverse; /* the inverse of warp_registers */
} sm_demand;

/* An SM. */
typedef struct sm_state {
    _Alignas(16) int32_t free[SM_AMOUNTS]; /* free resources */
    int32_t next_quarter;                  /* where the first warp of the next block goes */
    int32_t resident;                      /* resident blocks */
    int32_t size;                          /* of its shared memory, while blocks are resident */
} sm_state;

/* All SMs of a GPU. */
typedef struct sm_set {
    int count;        /* of SMs */
    int *order;       /* by rank: the number of the SM */
    int *rank;        /* by number of an SM: its rank */
    sm_state *at;     /* by rank */
    uint64_t *dirty;  /* bit per rank: resources were released, or the next quarter moved, since a head was blocked */
    uint64_t *closed; /* bit per rank: no block goes there now (release_order.h) */
    uint32_t last;    /* rank of the SM that took the last block; `count`: none yet */
    int32_t largest;  /* largest shared memory of an SM, if SMs may have less ("Carveouts"); 0: all have the largest */
} sm_set;

/* What a block of `op` needs. */
sm_demand sm_demand_of(const gcast_gpu *gpu, const gcast_op *op);
/* False without memory. */
bool sm_set_init(sm_set *set, const gcast_gpu *gpu, const gcast_workload *w);
void sm_set_free(sm_set *set);
/* Sets an SM without blocks. */
void sm_empty(const gcast_gpu *gpu, sm_state *sm);

/* How many more blocks fit, dispatched one after another; the size of the shared memory does not count. */
uint32_t sm_fit_count(const sm_state *sm, const sm_demand *d);
/* How many more blocks fit in the shared memory that the SM has; an empty SM takes the size that the kernel chooses. */
uint32_t sm_fit_count_by_carveout(const sm_set *set, const sm_state *sm, const sm_demand *d);
/* Does a block of a need at least as much of every resource as a block of b? */
bool sm_demand_covers(const sm_demand *a, const sm_demand *b);
/* n blocks take their resources, from the SM's next quarter on. */
void sm_take(sm_state *sm, const sm_demand *d, uint32_t n);
/* n blocks release their resources; `quarter`: the SM's next quarter when they took them. */
void sm_release(sm_state *sm, const sm_demand *d, uint32_t n, int32_t quarter);

/* A block releases its resources in two steps: those of all warps but the first, then all others. */
void sm_release_warps(sm_state *sm, const sm_demand *d, int32_t quarter);
void sm_release_last(sm_state *sm, const sm_demand *d, int32_t quarter);

/* Amounts are added four at a time. */
typedef int32_t sm_four __attribute__((vector_size(16), may_alias));
enum { SM_FOURS = SM_AMOUNTS / 4 };
#define SM_EACH_FOUR(i) _Pragma("GCC unroll 4") for (int i = 0; i < SM_FOURS; i++)

static inline bool sm_any_negative(sm_four v)
{
    return (v[0] | v[1] | v[2] | v[3]) < 0;
}

/* The quarter at which a block starts after n blocks, the first of which started at `quarter`. */
static inline int32_t sm_quarter_after(int32_t quarter, const sm_demand *d, uint32_t n)
{
    return (quarter + (int32_t)(n % GCAST_QUARTERS) * d->quarter_step) & (GCAST_QUARTERS - 1);
}

/* n blocks have taken their resources of the SM. */
static inline void sm_advance_quarter(sm_state *sm, const sm_demand *d, uint32_t n)
{
    sm->next_quarter = sm_quarter_after(sm->next_quarter, d, n);
}

/* Does one more block fit? The size of the shared memory does not count. Without a division and without a branch. */
static inline bool sm_fits(const sm_state *sm, const sm_demand *d)
{
    const sm_four *have = (const sm_four *)sm->free, *need = (const sm_four *)d->need_at[sm->next_quarter];
    sm_four left = {0};
    SM_EACH_FOUR(i)
    left |= have[i] - need[i];
    return !sm_any_negative(left);
}

/* Blocks are about to start: an empty SM takes the size of shared memory that the kernel chooses. */
static inline void sm_resize(sm_state *sm, const sm_demand *d)
{
    if (!sm->resident)
        sm->size = d->size.chosen_bytes;
}

static inline void sm_take_one(sm_state *sm, const sm_demand *d)
{
    sm_four *have = (sm_four *)sm->free;
    const sm_four *need = (const sm_four *)d->need_at[sm->next_quarter];
    SM_EACH_FOUR(i)
    have[i] -= need[i];
    sm->resident++;
    sm->next_quarter = (sm->next_quarter + d->quarter_step) & (GCAST_QUARTERS - 1);
}

static inline void sm_release_one(sm_state *sm, const sm_demand *d, int32_t quarter)
{
    sm_four *have = (sm_four *)sm->free;
    const sm_four *need = (const sm_four *)d->need_at[quarter];
    SM_EACH_FOUR(i)
    have[i] += need[i];
    sm->resident--;
}

/* A block of `ended`, whose first warp was in `quarter`, releases its resources. If a block of `d` fits then, it takes
 * its resources. Returns whether it fits. */
static inline bool sm_replace(sm_state *sm, const sm_demand *ended, int32_t quarter, const sm_demand *d)
{
    sm_four *have = (sm_four *)sm->free, free[SM_FOURS], any = {0};
    const sm_four *released = (const sm_four *)ended->need_at[quarter],
                  *need = (const sm_four *)d->need_at[sm->next_quarter];
    SM_EACH_FOUR(i)
    {
        free[i] = have[i] + released[i];
        any |= free[i] - need[i];
    }
    bool fits = !sm_any_negative(any);
    if (fits) {
        SM_EACH_FOUR(i)
        have[i] = free[i] - need[i];
    } else {
        SM_EACH_FOUR(i)
        have[i] = free[i];
    }
    sm->resident -= !fits;
    sm->next_quarter = (sm->next_quarter + (fits ? d->quarter_step : 0)) & (GCAST_QUARTERS - 1);
    return fits;
}

#endif
