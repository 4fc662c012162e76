/* Which SM the next block goes to. */
#ifndef SIMULATE_BLOCKS_PLACEMENT_H
#define SIMULATE_BLOCKS_PLACEMENT_H

#include "simulate/blocks/sm.h"

/* Where blocks of a kernel go that start now. */
typedef struct placement {
    const sm_demand *demand;
    int mask;        /* of SMs, or GCAST_ALL_SMS */
    bool every_sm;   /* else only those where room came back */
    bool ordered;    /* fill order[], not only counts[] */
    uint64_t wanted; /* blocks to place */
    uint64_t fit;    /* how many are placed */
    uint32_t *order; /* rank of each in turn; owned, grows */
    size_t order_cap;
    uint32_t *counts; /* by position in picks[]: blocks placed */
    uint32_t *picks;  /* ranks that had room, ascending */
    uint32_t pick_count;
} placement;

bool placement_init(placement *p, int sms);
void placement_free(placement *p);

/* Chooses an SM for each of the blocks that are wanted, as long as they fit; false without memory. */
bool placement_choose(placement *p, sm_set *set, gcast_placement policy, const gcast_workload *w);
/* placement_choose where only the SM of this rank can have free resources; it stays marked only if some are left. */
bool placement_choose_one(placement *p, sm_set *set, uint32_t rank, const gcast_workload *w);
/* How many blocks fit on the SMs that count. */
uint64_t placement_room(placement *p, sm_set *set, const gcast_workload *w);

#endif
