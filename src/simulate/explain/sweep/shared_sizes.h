/* The size of each SM's shared memory during a run ("Carveouts" in docs/model.md), which follows from its blocks. */
#ifndef SIMULATE_EXPLAIN_SWEEP_SHARED_SIZES_H
#define SIMULATE_EXPLAIN_SWEEP_SHARED_SIZES_H

#include "simulate/explain/sweep/residents.h"

typedef struct explain_sizes {
    const block_history *history;
    size_t next; /* the first change that has not happened yet */
} explain_sizes;

/* From this time on; the SMs have the sizes of this time already. */
explain_sizes explain_sizes_from(const block_history *history, int64_t time);
/* Gives the SMs the sizes that they have at this time, which never decreases. */
void explain_sizes_set(explain_sizes *z, int64_t time, explain_residents *r);

#endif
