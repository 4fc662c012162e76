/* SMs and what a block takes of one: R1-R3, registers by quarter. SMs are kept
 * by tie rank: rank 0 wins every tie. */
#ifndef SIMULATE_SM_H
#define SIMULATE_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "gridcast/gpu.h"
#include "gridcast/occupancy.h"
#include "gridcast/workload.h"

/* Amounts of an SM, one vector: each resource, then warps and registers of each
 * quarter, padded so that taking and giving is a few wide instructions. */
enum { SM_WARPS = GCAST_RESOURCES, SM_REGISTERS = SM_WARPS + GCAST_QUARTERS, SM_AMOUNTS = 16 };
_Static_assert(SM_REGISTERS + GCAST_QUARTERS <= SM_AMOUNTS, "amounts fit");

typedef struct sm_demand {
    int32_t need[SM_AMOUNTS]; /* of one block; by quarter only where `even` */
    bool quarters;            /* warps and registers are counted by quarter */
    bool even;                /* a block's warps fill all quarters alike, or there are none */
    uint8_t pools;            /* how many of pool[] are used */
    uint8_t pool[GCAST_RESOURCES];
    uint64_t inverse[GCAST_RESOURCES]; /* of need[pool[i]]; see sm_quotient */
    int32_t warps, warp_registers;
    uint64_t warps_inverse, warp_registers_inverse;
} sm_demand;

typedef struct sm_state {
    int32_t free[SM_AMOUNTS];
    int32_t next_quarter;
    int32_t resident; /* blocks */
} sm_state;

typedef struct sm_set {
    int count;
    int *order;      /* rank to SM */
    int *rank;       /* SM to rank */
    sm_state *at;    /* by rank */
    uint64_t *dirty; /* bit a rank: room came back since the last look */
    uint32_t last;   /* rank that took the last block; count where none did */
} sm_set;

/* What a block of `op` takes. */
sm_demand sm_demand_of(const gcast_gpu *gpu, const gcast_op *op);
bool sm_set_init(sm_set *set, const gcast_gpu *gpu);
void sm_set_free(sm_set *set);
void sm_empty(const gcast_gpu *gpu, sm_state *sm);

/* How many more blocks fit, one after another. */
uint32_t sm_room(const sm_state *sm, const sm_demand *d);
/* Does a block of a need at least as much of everything as one of b? */
bool sm_demand_covers(const sm_demand *a, const sm_demand *b);
/* Take room for n blocks; warps[] says how many went to each quarter. */
void sm_take(sm_state *sm, const sm_demand *d, uint32_t n, uint32_t warps[GCAST_QUARTERS]);
void sm_give(sm_state *sm, const sm_demand *d, uint32_t n, const uint32_t warps[GCAST_QUARTERS]);

#endif
