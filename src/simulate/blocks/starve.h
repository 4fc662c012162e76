/* Who gets no turn ("Starving" in docs/model.md): an SM issues for its older warps first,
 * so that a block beside many older ones that spin cannot end in time. */
#ifndef SIMULATE_BLOCKS_STARVE_H
#define SIMULATE_BLOCKS_STARVE_H

#include "base/vec.h"
#include "gridcast/workload.h"

typedef struct starve_block {
    int64_t end;
    int32_t warps;
} starve_block;

typedef struct starve_list {
    VEC(starve_block) blocks;
} starve_list;

typedef struct starve {
    starve_list *sms; /* by rank: the blocks that spin there, oldest first; NULL: nobody ever starves */
    int count;
    int64_t warps;    /* of them beside which a block starves */
    int64_t doubtful; /* beside so many, of three blocks or more, it may, which counts as that it does */
    int64_t most;
} starve;

/* Can a block of this workload starve? */
bool starve_happens(const gcast_gpu *gpu, const gcast_workload *w);
/* `scatter`: what may starve does, and how late that makes it is drawn. False without memory. */
bool starve_init(starve *s, const gcast_gpu *gpu, const gcast_workload *w, bool scatter);
void starve_free(starve *s);

/* How much later than `end` a block ends there that starts now, `most` at the most. */
int64_t starve_late(const starve *s, uint32_t rank, int64_t end, int64_t most);
/* Does one that is younger than all others there starve at t? */
bool starve_at(const starve *s, uint32_t rank, int64_t t);
/* A block that spins starts there now. False without memory. */
bool starve_add(starve *s, uint32_t rank, int64_t now, int64_t end, int32_t warps);

#endif
