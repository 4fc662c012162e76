/* Which blocks hold room at a time, and what they leave of the SMs: one sweep over a run, from
 * its start on, so that a look costs no more than what has changed since the last one. */
#ifndef SIMULATE_EXPLAIN_SWEEP_RESIDENTS_H
#define SIMULATE_EXPLAIN_SWEEP_RESIDENTS_H

#include "base/heap.h"
#include "base/vec.h"
#include "gridcast/explain.h"
#include "simulate/blocks/sm.h"

/* A kernel of the run, from its first block to its last. */
typedef struct resident_kernel {
    size_t run_op;
    int level;
    uint64_t entry;
    uint64_t next;     /* the first block that has not started yet */
    uint64_t blocks;   /* that hold room */
    uint32_t sms;      /* on so many SMs */
    uint32_t *by_rank; /* blocks on each; NULL: it has none */
    sm_demand *demand;
} resident_kernel;

typedef struct explain_residents {
    const gcast_run *run;
    sm_set *sms;                     /* as they are now */
    resident_kernel *kernels;        /* in the order in which they start blocks at one time */
    size_t count;                    /* of them */
    heap starts, backs;              /* the next start of each kernel; when room comes back: kernel and block */
    VEC(uint32_t) now, there, begun; /* kernels: that start now, that have blocks, that are not complete */
    VEC(int) changed;                /* ranks, since somebody looked; may be there twice */
    bool failed;
} explain_residents;

/* False without memory. */
bool explain_residents_init(explain_residents *r, const gcast_run *run, sm_set *sms);
void explain_residents_free(explain_residents *r);
/* On to t, which never goes back. */
void explain_residents_at(explain_residents *r, int64_t t);
/* When something changes next; INT64_MAX: never. */
int64_t explain_residents_next(explain_residents *r);
/* Kernels that have started and are not complete at t, which never goes back, with a block there or not. */
size_t explain_residents_grids(explain_residents *r, int64_t t);
/* All kernels with blocks there; where given, on some ranks only. As many as there are kernels have room in `out`. */
size_t explain_residents_list(const explain_residents *r, const bool *where, gcast_holder *out);

#endif
