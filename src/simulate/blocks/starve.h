/* Blocks that get no issue slots ("Starving" in docs/model.md): an SM issues for its older warps first, so that a block
 * beside many older warps that spin cannot end in time. */
#ifndef SIMULATE_BLOCKS_STARVE_H
#define SIMULATE_BLOCKS_STARVE_H

#include "base/vec.h"
#include "gridcast/workload.h"

/* A block that spins. */
typedef struct starve_block {
    int64_t end_ns; /* when it ends */
    int32_t warps;  /* its warps */
} starve_block;

typedef struct starve_list {
    VEC(starve_block) blocks; /* the oldest first */
} starve_list;

typedef struct starve {
    starve_list *sms;      /* by rank: the blocks that spin there, oldest first; NULL: no block ever starves */
    int sm_count;          /* of sms[] */
    int64_t min_warps;     /* a block starves beside this many warps that spin */
    int64_t scatter_warps; /* where times scatter, this many warps of SCATTER_MIN_BLOCKS blocks are enough */
    int64_t max_delay_ns;  /* maximum delay of a block that starves */
} starve;

/* Can a block of this workload starve? */
bool starve_happens(const gcast_gpu *gpu, const gcast_workload *w);
/* `scatter`: a block that may starve does, and its delay is drawn. False without memory. */
bool starve_init(starve *s, const gcast_gpu *gpu, const gcast_workload *w, bool scatter);
void starve_free(starve *s);

/* By how much a block that starts now and should end at end_ns ends later, at most max_ns. */
int64_t starve_delay_ns(const starve *s, uint32_t rank, int64_t end_ns, int64_t max_ns);
/* Does a block starve at this time that is younger than all others on its SM? */
bool starve_at(const starve *s, uint32_t rank, int64_t time);
/* A block that spins starts now. False without memory. */
bool starve_add(starve *s, uint32_t rank, int64_t now, int64_t end_ns, int32_t warps);

#endif
