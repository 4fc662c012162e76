/* SMs and what a block takes of one: R1-R3, registers by quarter. SMs are kept
 * by tie rank: rank 0 wins every tie. */
#ifndef SIMULATE_SM_H
#define SIMULATE_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "gridcast/gpu.h"
#include "gridcast/occupancy.h"
#include "gridcast/workload.h"

typedef struct sm_demand {
    int32_t need[GCAST_RESOURCES]; /* of one block; 0: none, or counted by quarter */
    int32_t warps;
    int32_t warp_registers;
} sm_demand;

typedef struct sm_state {
    int32_t free[GCAST_RESOURCES];
    int32_t quarter_warps[GCAST_QUARTERS], quarter_registers[GCAST_QUARTERS]; /* free */
    int32_t next_quarter;
    int32_t resident; /* blocks */
} sm_state;

typedef struct sm_set {
    int count;
    bool quarters;
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
uint32_t sm_room(const sm_state *sm, const sm_demand *d, bool quarters);
/* Take room for n blocks; warps[] says how many went to each quarter. */
void sm_take(sm_state *sm, const sm_demand *d, uint32_t n, bool quarters, uint32_t warps[GCAST_QUARTERS]);
void sm_give(sm_state *sm, const sm_demand *d, uint32_t n, bool quarters, const uint32_t warps[GCAST_QUARTERS]);

#endif
