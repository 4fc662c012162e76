/* How large the shared memory of each SM is in a run ("Carveouts" in docs/model.md), told from
 * its blocks. */
#ifndef SIMULATE_EXPLAIN_SWEEP_SHARED_SIZES_H
#define SIMULATE_EXPLAIN_SWEEP_SHARED_SIZES_H

#include "base/vec.h"
#include "simulate/explain/sweep/residents.h"

typedef struct size_change {
    int64_t at;
    int32_t rank, size;
} size_change;

typedef struct explain_sizes {
    VEC(size_change) changes; /* by time */
    size_t next;              /* the first that has not come yet */
} explain_sizes;

/* Nothing where all SMs have the largest. False without memory. */
bool explain_sizes_init(explain_sizes *z, const gcast_run *run, const sm_set *sms);
/* Sets the sizes of SMs as they are at t, which never goes back. */
void explain_sizes_set(explain_sizes *z, int64_t t, explain_residents *r);
void explain_sizes_free(explain_sizes *z);

#endif
