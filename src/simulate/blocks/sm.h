/* SMs and what a block takes of one: R1-R3, registers by quarter. SMs are kept
 * by tie rank: rank 0 wins every tie. */
#ifndef SIMULATE_BLOCKS_SM_H
#define SIMULATE_BLOCKS_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "gridcast/gpu.h"
#include "gridcast/occupancy.h"
#include "gridcast/workload.h"
#include "model/gpu/carveout.h"

/* Amounts of an SM, one vector: each resource, then warps and registers of each
 * quarter, padded so that taking and giving is a few wide instructions. */
enum { SM_WARPS = GCAST_RESOURCES, SM_REGISTERS = SM_WARPS + GCAST_QUARTERS, SM_AMOUNTS = 16 };
_Static_assert(SM_REGISTERS + GCAST_QUARTERS <= SM_AMOUNTS, "amounts fit");

typedef struct sm_demand {
    _Alignas(16) int32_t need[SM_AMOUNTS]; /* of one block; by quarter only where `even` */
    int32_t warps, warp_registers;
    carveout size; /* of an SM's shared memory */
    /* All below follows from these. */
    _Alignas(16) int32_t from[GCAST_QUARTERS][SM_AMOUNTS];  /* need with quarters, by that of a block's first warp */
    uint32_t most;                                          /* blocks that an empty SM holds */
    _Alignas(16) int32_t whole[GCAST_QUARTERS][SM_AMOUNTS]; /* what these take, by the quarter of the first */
    int32_t step;                                           /* how many quarters a block moves the SM's next one on */
    bool quarters;                                          /* warps and registers are counted by quarter */
    bool even;     /* a block's warps fill all quarters alike, or there are none */
    uint8_t pools; /* how many of pool[] are used */
    uint8_t pool[GCAST_RESOURCES];
    uint64_t inverse[GCAST_RESOURCES]; /* of need[pool[i]]; see quotient() */
    uint64_t warps_inverse, warp_registers_inverse;
} sm_demand;

typedef struct sm_state {
    _Alignas(16) int32_t free[SM_AMOUNTS];
    int32_t next_quarter;
    int32_t resident; /* blocks */
    int32_t size;     /* of its shared memory, while there are any */
} sm_state;

typedef struct sm_set {
    int count;
    int *order;       /* rank to SM */
    int *rank;        /* SM to rank */
    sm_state *at;     /* by rank */
    uint64_t *dirty;  /* bit a rank: room came back since the last look */
    uint64_t *closed; /* bit a rank: no block goes there now (blocks/release_order.c) */
    uint32_t last;    /* rank that took the last block; count where none did */
    int32_t largest;  /* size of an SM's shared memory, where there are several ("Carveouts"); 0: all have this one */
} sm_set;

/* What a block of `op` takes. */
sm_demand sm_demand_of(const gcast_gpu *gpu, const gcast_op *op);
bool sm_set_init(sm_set *set, const gcast_gpu *gpu, const gcast_workload *w);
void sm_set_free(sm_set *set);
void sm_empty(const gcast_gpu *gpu, sm_state *sm);

/* How many more blocks fit, one after another. */
uint32_t sm_room(const sm_state *sm, const sm_demand *d);
/* The same by the size of the SM's shared memory alone, which an empty one takes from the kernel. */
uint32_t sm_room_by_size(const sm_set *set, const sm_state *sm, const sm_demand *d);
/* Does a block of a need at least as much of everything as one of b? */
bool sm_demand_covers(const sm_demand *a, const sm_demand *b);
/* Take room for n blocks, the first of them from the SM's next quarter on. */
void sm_take(sm_state *sm, const sm_demand *d, uint32_t n);
/* Give it back; `quarter` was the next one when they took it. */
void sm_give(sm_state *sm, const sm_demand *d, uint32_t n, int32_t quarter);

/* The same in two parts: all warps but the first, then that one and what the block holds. */
void sm_give_warps(sm_state *sm, const sm_demand *d, int32_t quarter);
void sm_give_last(sm_state *sm, const sm_demand *d, int32_t quarter);

/* Amounts four at a time, as processors add them. */
typedef int32_t sm_four __attribute__((vector_size(16), may_alias));
enum { SM_FOURS = SM_AMOUNTS / 4 };
#define SM_EACH_FOUR(i) _Pragma("GCC unroll 4") for (int i = 0; i < SM_FOURS; i++)

static inline bool sm_any_negative(sm_four v)
{
    return (v[0] | v[1] | v[2] | v[3]) < 0;
}

/* The first of n blocks starts at `quarter`: at which one does the block after them? */
static inline int32_t sm_quarter_after(int32_t quarter, const sm_demand *d, uint32_t n)
{
    return (quarter + (int32_t)(n % GCAST_QUARTERS) * d->step) & (GCAST_QUARTERS - 1);
}

/* n blocks have started on the SM. */
static inline void sm_turn(sm_state *sm, const sm_demand *d, uint32_t n)
{
    sm->next_quarter = sm_quarter_after(sm->next_quarter, d, n);
}

/* The same for one block, without a division and without a branch. */
static inline bool sm_fits(const sm_state *sm, const sm_demand *d)
{
    const sm_four *have = (const sm_four *)sm->free, *need = (const sm_four *)d->from[sm->next_quarter];
    sm_four left = {0};
    SM_EACH_FOUR(i)
    left |= have[i] - need[i];
    return !sm_any_negative(left);
}

/* Blocks are about to start: an empty SM takes the size that its kernel chooses. */
static inline void sm_resize(sm_state *sm, const sm_demand *d)
{
    if (!sm->resident)
        sm->size = d->size.chosen;
}

static inline void sm_take_one(sm_state *sm, const sm_demand *d)
{
    sm_four *have = (sm_four *)sm->free;
    const sm_four *need = (const sm_four *)d->from[sm->next_quarter];
    SM_EACH_FOUR(i)
    have[i] -= need[i];
    sm->resident++;
    sm->next_quarter = (sm->next_quarter + d->step) & (GCAST_QUARTERS - 1);
}

static inline void sm_give_one(sm_state *sm, const sm_demand *d, int32_t quarter)
{
    sm_four *have = (sm_four *)sm->free;
    const sm_four *need = (const sm_four *)d->from[quarter];
    SM_EACH_FOUR(i)
    have[i] += need[i];
    sm->resident--;
}

/* One block ends, whose first warp went to `quarter`, and if then one of `d` fits, it starts. */
static inline bool sm_exchange(sm_state *sm, const sm_demand *ended, int32_t quarter, const sm_demand *d)
{
    sm_four *have = (sm_four *)sm->free, room[SM_FOURS], all = {0};
    const sm_four *back = (const sm_four *)ended->from[quarter], *need = (const sm_four *)d->from[sm->next_quarter];
    SM_EACH_FOUR(i)
    {
        room[i] = have[i] + back[i];
        all |= room[i] - need[i];
    }
    bool fits = !sm_any_negative(all);
    if (fits) {
        SM_EACH_FOUR(i)
        have[i] = room[i] - need[i];
    } else {
        SM_EACH_FOUR(i)
        have[i] = room[i];
    }
    sm->resident -= !fits;
    sm->next_quarter = (sm->next_quarter + (fits ? d->step : 0)) & (GCAST_QUARTERS - 1);
    return fits;
}

#endif
