/* GPCs and the clusters of blocks that they take ("Clusters" in docs/model.md). GPCs are in the order of the GPU, but
 * lone ones first. */
#ifndef SIMULATE_BLOCKS_GPC_SET_H
#define SIMULATE_BLOCKS_GPC_SET_H

#include "simulate/blocks/sm.h"

/* Lone GPCs, which have no more SMs than a TPC, and all others. */
enum { GPC_LONE, GPC_OTHER, GPC_PARTS };

typedef struct gpc_set {
    int count;            /* of GPCs */
    uint32_t *first;      /* by GPC: place of its first SM in ranks[]; one more at the end */
    uint32_t *ranks;      /* ranks of SMs, GPC after GPC, as they get blocks */
    uint8_t *part;        /* by GPC: GPC_* */
    unsigned parts;       /* bit per part that has GPCs */
    int last[GPC_PARTS];  /* by part: the GPC that took the last cluster; -1: none did yet */
    uint32_t *capacities; /* while clusters are placed, by place in ranks[]: how many more blocks fit */
    uint32_t *rooms;      /* while clusters are placed, by GPC: its room */
    bool *in_round;       /* while clusters are placed, by GPC: it takes part in the round */
} gpc_set;

/* Clusters of one kernel that are placed. */
typedef struct cluster_choice {
    /* Set by the caller. */
    const sm_demand *demand; /* of one block */
    const gcast_mask *mask;  /* of SMs that may be used; NULL: all */
    uint32_t size;           /* blocks of a cluster */
    uint64_t wanted;         /* clusters to place */
    bool whole;              /* all of them, or none */
    unsigned parts;          /* bit per part of which GPCs may be used */
    /* Where the clusters go. */
    uint64_t fit;    /* how many are placed */
    uint32_t *ranks; /* by block, cluster after cluster: the rank of its SM */
    size_t rank_cap; /* for how many blocks ranks[] has memory */
} cluster_choice;

/* False without memory. */
bool gpc_set_init(gpc_set *g, const gcast_gpu *gpu, const sm_set *sms);
void gpc_set_free(gpc_set *g);
/* The parts that have a GPC which holds a cluster of this size, if nothing else is there. */
unsigned gpc_set_holds(const gpc_set *g, const sm_set *sms, const gcast_mask *mask, uint32_t size);
/* Closes the SMs of all parts but these. */
void gpc_set_close_others(const gpc_set *g, sm_set *sms, unsigned parts);
/* Chooses SMs for the clusters that are wanted, as long as they fit; false without memory. */
bool gpc_set_choose(gpc_set *g, const sm_set *sms, cluster_choice *choice);

#endif
