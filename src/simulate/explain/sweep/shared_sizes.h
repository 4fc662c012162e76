/* The size of each SM's shared memory during a run ("Carveouts" in docs/model.md), which follows from its blocks. */
#ifndef SIMULATE_EXPLAIN_SWEEP_SHARED_SIZES_H
#define SIMULATE_EXPLAIN_SWEEP_SHARED_SIZES_H

#include "base/vec.h"
#include "simulate/explain/sweep/residents.h"

/* An SM takes another size. */
typedef struct size_change {
    int64_t time; /* when it does */
    int32_t rank; /* of the SM */
    int32_t size; /* from then on */
} size_change;

typedef struct explain_sizes {
    VEC(size_change) changes; /* by time */
    size_t next;              /* the first change that has not happened yet */
} explain_sizes;

/* Without changes where all SMs always have the largest size. False without memory. */
bool explain_sizes_init(explain_sizes *z, const gcast_run *run, const sm_set *sms);
/* Gives the SMs of r the sizes that they have at this time, which never decreases. */
void explain_sizes_set(explain_sizes *z, int64_t time, explain_residents *r);
void explain_sizes_free(explain_sizes *z);

#endif
