/* Which SM each of the next blocks of a kernel goes to: the policies of GCAST_PLACEMENT_TABLE, or random placement. */
#ifndef SIMULATE_BLOCKS_PLACEMENT_H
#define SIMULATE_BLOCKS_PLACEMENT_H

#include "simulate/blocks/sm.h"

/* What random placement draws with, so that a block's draw depends on nothing else. */
typedef struct placement_draw {
    uint64_t seed;  /* of the simulation */
    uint32_t op;    /* in the workload */
    uint32_t job;   /* of its task */
    uint64_t block; /* the first one to place */
} placement_draw;

typedef struct placement {
    /* What to place: set by the caller. */
    const sm_demand *demand; /* of one block */
    int mask;                /* of SMs, or GCAST_ALL_SMS */
    bool every_sm;           /* every SM may have free resources; else only dirty ones */
    bool ordered;            /* order[] is needed, not only counts[] */
    uint64_t wanted;         /* blocks to place */
    bool is_random;          /* SMs are drawn, whatever the policy */
    placement_draw draw;     /* of is_random */
    /* Where the blocks go. */
    uint64_t fit;        /* how many blocks are placed */
    uint32_t *order;     /* by block: the rank of its SM */
    size_t order_cap;    /* for how many blocks order[] has memory */
    uint32_t *picks;     /* ranks of SMs on which a block fits, ascending */
    uint32_t *counts;    /* by index of picks[]: how many blocks are placed there */
    uint32_t pick_count; /* of picks[] */
} placement;

/* False without memory. */
bool placement_init(placement *p, int sms);
void placement_free(placement *p);

/* Chooses an SM for each of the blocks that are wanted, as long as they fit; false without memory. */
bool placement_choose(placement *p, sm_set *set, gcast_placement policy, const gcast_workload *w);
/* placement_choose where only the SM of this rank can have free resources; it stays dirty only if another block fits.
 */
bool placement_choose_one(placement *p, sm_set *set, uint32_t rank, const gcast_workload *w);
/* How many blocks fit on all SMs that may be used. */
uint64_t placement_capacity(placement *p, sm_set *set, const gcast_workload *w);

#endif
