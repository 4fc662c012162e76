/* How many blocks of one demand fit on each SM, kept up to date, so that the SM of a block is found without a search of
 * all SMs. It serves kernels of a few blocks, of which there are many where kernels launch kernels. */
#ifndef SIMULATE_BLOCKS_CAPACITY_H
#define SIMULATE_BLOCKS_CAPACITY_H

#include "simulate/blocks/sm.h"

#define CAPACITY_MAX 63   /* blocks of an SM; for demands of which an SM holds more there is no index */
#define CAPACITY_TABLES 4 /* demands that are kept */
#define CAPACITY_NO_SM UINT32_MAX

/* The capacity of all SMs for one demand. */
typedef struct capacity_table {
    const sm_demand *demand; /* NULL: the table is unused */
    uint64_t last_use;       /* number of its last use, of all uses */
    uint64_t levels;         /* bit per capacity: some SM has it */
    uint32_t *sms_with;      /* by capacity: how many SMs have it */
    uint8_t *of;             /* by rank: the capacity */
    uint64_t *ranks;         /* by capacity, `words` words each: bit per rank that has it */
    uint64_t *stale;         /* bit per rank: its capacity may have changed */
} capacity_table;

typedef struct capacity_index {
    int words;                              /* of a set of ranks */
    uint64_t *changed;                      /* bit per rank: its resources have changed since the last choice */
    uint64_t uses;                          /* of all tables */
    capacity_table tables[CAPACITY_TABLES]; /* those that were used last */
} capacity_index;

/* False without memory. */
bool capacity_init(capacity_index *x, int sms);
void capacity_free(capacity_index *x);
/* Can the index answer for this demand and policy? */
bool capacity_knows(const sm_set *set, const sm_demand *d, gcast_placement policy);
/* The rank of the SM that gets the next block; CAPACITY_NO_SM: it fits on none. No SM is closed. */
uint32_t capacity_choose(capacity_index *x, const sm_set *set, const sm_demand *d, gcast_placement policy,
                         const gcast_mask *mask);
/* The SM that capacity_choose has just given got a block of this demand, and nothing else has changed there. */
void capacity_block_placed(capacity_index *x, const sm_demand *d, uint32_t rank);

/* Resources of the SM were taken or released, or its next quarter moved. */
static inline void capacity_changed(capacity_index *x, uint32_t rank)
{
    x->changed[rank / 64] |= UINT64_C(1) << (rank % 64);
}

#endif
