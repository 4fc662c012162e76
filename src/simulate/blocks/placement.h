/* Which SM each of the next blocks of a kernel goes to, by the policies of GCAST_PLACEMENT_TABLE or by random
 * placement. */
#ifndef SIMULATE_BLOCKS_PLACEMENT_H
#define SIMULATE_BLOCKS_PLACEMENT_H

#include "simulate/blocks/sm.h"

/* The key of random placement: a block's draw depends on nothing else. */
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

/* Chooses an SM for each block that is wanted, as long as blocks fit; false without memory. */
bool placement_choose(placement *p, sm_set *set, gcast_placement policy, const gcast_workload *w);
/* The same where only the SM of this rank can have free resources. The SM stays dirty only if one more block fits. */
bool placement_choose_one(placement *p, sm_set *set, uint32_t rank, const gcast_workload *w);
/* How many blocks fit on all SMs that may be used. */
uint64_t placement_capacity(placement *p, sm_set *set, const gcast_workload *w);

/* The capacity index keeps how many blocks of a demand fit on each SM, so that the SM of a block is found without a
 * search of all SMs. It serves kernels of a few blocks, of which there are many where kernels launch kernels. */

#define CAPACITY_MAX 63   /* the index serves demands of which an SM holds at most so many blocks */
#define CAPACITY_TABLES 4 /* how many demands are kept */
#define CAPACITY_NO_SM UINT32_MAX

/* The capacity of all SMs for one demand. */
typedef struct capacity_table {
    const sm_demand *demand; /* NULL: the table is unused */
    uint64_t last_use;       /* capacity_index.uses at its last use */
    uint64_t levels;         /* bit per capacity: some SM has it */
    uint32_t *sms_with;      /* by capacity: how many SMs have it */
    uint8_t *of;             /* by rank: the capacity */
    uint64_t *ranks;         /* by capacity, `words` words each: bit per rank that has it */
    uint64_t *stale;         /* bit per rank: its capacity may have changed */
} capacity_table;

typedef struct capacity_index {
    int words;                              /* of a set of ranks */
    uint64_t *changed;                      /* bit per rank: its resources have changed since the last choice */
    uint64_t uses;                          /* so far, of all tables */
    capacity_table tables[CAPACITY_TABLES]; /* those that were used last */
} capacity_index;

/* False without memory. */
bool capacity_init(capacity_index *x, int sms);
void capacity_free(capacity_index *x);
/* Can the index answer for this demand and policy? */
bool capacity_knows(const sm_set *set, const sm_demand *d, gcast_placement policy);
/* The rank of the SM that gets the next block; CAPACITY_NO_SM: the block fits on none. No SM is closed. */
uint32_t capacity_choose(capacity_index *x, const sm_set *set, const sm_demand *d, gcast_placement policy,
                         const gcast_mask *mask);
/* The SM that capacity_choose has just returned has got a block of this demand; nothing else has changed there. */
void capacity_block_placed(capacity_index *x, const sm_demand *d, uint32_t rank);

/* Resources of the SM were taken or released, or its next quarter moved. */
static inline void capacity_changed(capacity_index *x, uint32_t rank)
{
    x->changed[rank / 64] |= UINT64_C(1) << (rank % 64);
}

#endif
