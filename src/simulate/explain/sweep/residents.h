/* Which blocks are resident at a time, and what they leave of the SMs: one sweep through a window of a run, so that a
 * look costs no more than what has changed since the last one. */
#ifndef SIMULATE_EXPLAIN_SWEEP_RESIDENTS_H
#define SIMULATE_EXPLAIN_SWEEP_RESIDENTS_H

#include "base/heap.h"
#include "base/vec.h"
#include "gridcast/explain.h"
#include "simulate/blocks/sm.h"
#include "simulate/explain/index/block_history.h"

/* A kernel of the window. */
typedef struct resident_kernel {
    const indexed_kernel *of;
    size_t run_op;       /* its operation of the run */
    uint64_t next;       /* its first block that has not started; with a plan: the place in spans[] of its next job */
    uint64_t blocks;     /* how many of its blocks are resident */
    uint32_t sms;        /* on how many SMs */
    uint32_t *by_rank;   /* by rank of an SM: how many of its blocks are resident there; NULL: none is resident */
    int64_t grid_end_ns; /* until when it counts as a resident grid */
    sm_demand *demand;   /* of one of its blocks; NULL: none is resident */
} resident_kernel;

typedef struct explain_residents {
    const gcast_run *run;     /* what is swept */
    sm_set *sms;              /* as they are at the time of the sweep */
    resident_kernel *kernels; /* by level and entry: the order in which they dispatch blocks at one time */
    size_t count;             /* of kernels[] */
    heap starts;              /* by time: kernels, when their next block starts */
    heap releases;            /* by time: kernel and block, when the block is released */
    VEC(uint32_t) starting;   /* kernels that dispatch blocks now */
    VEC(uint32_t) resident;   /* kernels with blocks that are resident */
    VEC(uint32_t) incomplete; /* resident grids: started, and not all their blocks had ended at the last query */
    VEC(int) changed;         /* ranks of SMs that have changed since they were last read; may be there twice */
    bool failed;              /* there was no memory */
} explain_residents;

/* The state at `start_ns`, with the kernels that matter from then on. False without memory. */
bool explain_residents_init(explain_residents *r, const gcast_run *run, const kernel_windows *w,
                            const kernel_numbers *window, const block_history *history, int64_t start_ns, sm_set *sms);
void explain_residents_free(explain_residents *r);
/* Moves the sweep to this time, which never decreases. */
void explain_residents_advance(explain_residents *r, int64_t time);
/* When something changes next; INT64_MAX: never. */
int64_t explain_residents_next(explain_residents *r);
/* How many kernels are resident grids at this time, which never decreases. */
size_t explain_residents_grids(explain_residents *r, int64_t time);
/* Lists the kernels with resident blocks that count as resident grids. Returns how many; `out` has memory for all
 * kernels. */
size_t explain_residents_list_grids(const explain_residents *r, gcast_holder *out);
/* Lists the kernels with resident blocks: on any SM, or on the SMs that are marked in on_rank[]. Returns how many;
 * `out` has memory for all kernels. */
size_t explain_residents_list(const explain_residents *r, const bool *on_rank, gcast_holder *out);

#endif
