/* A sweep through a window of a run: which blocks are resident, what is free on SMs, which kernel is in front, kernel
 * switches, and sizes of shared memory. A query costs only as much as has changed since the last one. */
#ifndef SIMULATE_EXPLAIN_RESIDENT_BLOCKS_H
#define SIMULATE_EXPLAIN_RESIDENT_BLOCKS_H

#include "base/heap.h"
#include "base/vec.h"
#include "gridcast/explain.h"
#include "simulate/blocks/sm.h"
#include "simulate/explain/block_history.h"

/* A kernel of the window. */
typedef struct resident_kernel {
    const indexed_kernel *of; /* its entry in the index */
    size_t run_op;            /* its operation of the run */
    uint64_t next;       /* its first block that has not started; with a plan: the index in spans[] of its next job */
    uint64_t blocks;     /* how many of its blocks are resident */
    uint32_t sms;        /* on how many SMs */
    uint32_t *by_rank;   /* by rank of an SM: how many of its blocks are resident there; NULL: none is resident */
    int64_t grid_end_ns; /* when it stops being a resident grid */
    sm_demand *demand;   /* of one of its blocks; NULL: none is resident */
} resident_kernel;

typedef struct explain_residents {
    const gcast_run *run;     /* what is swept */
    sm_set *sms;              /* the SMs at the time of the sweep */
    resident_kernel *kernels; /* by level and entry: the order in which they dispatch blocks at one time */
    size_t count;             /* of kernels[] */
    heap starts;              /* next starts of kernels, by time */
    heap releases;            /* releases by time: kernel and block */
    VEC(uint32_t) starting;   /* kernels that dispatch blocks now */
    VEC(uint32_t) resident;   /* kernels with blocks that are resident */
    VEC(uint32_t) incomplete; /* resident grids: started, and not all their blocks had ended at the last query */
    VEC(int) changed;         /* ranks of SMs that have changed since they were last read; may be there twice */
    bool failed;              /* there was no memory */
} explain_residents;

/* Starts the sweep at `start_ns`, with the kernels that matter from then on. False without memory. */
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

/* Which kernel is in front of another one: a kernel of a higher level (A2), or one that entered the queue of its level
 * before it (X1). */

typedef struct front_kernel {
    int level;      /* of its EE queue */
    uint64_t entry; /* its number in the order of entries */
    size_t run_op;  /* its operation of the run */
} front_kernel;

typedef struct explain_front {
    VEC(front_kernel) kernels; /* those in front at some time, by level, then by entry */
    size_t *next;              /* by level: the first of its kernels that is not fully dispatched */
    size_t *end;               /* by level: the index after its last kernel */
    int level_count;           /* levels from the highest to that of the kernel that is explained */
} explain_front;

/* Finds the kernels of a window that are in front of the kernel run_op. False without memory. */
bool explain_front_init(explain_front *f, const gcast_run *run, size_t run_op, const kernel_windows *w,
                        const kernel_numbers *window);
/* The kernel in front at this time, and its level; SIZE_MAX: none. Times never decrease from call to call. */
size_t explain_front_at(explain_front *f, const gcast_run *run, int64_t time, int *level);
void explain_front_free(explain_front *f);

/* A kernel from which the GPU switches to the next one. */
typedef struct kernel_switch {
    int64_t time;  /* when it was fully dispatched */
    size_t run_op; /* its operation of the run */
} kernel_switch;

typedef struct explain_switches {
    VEC(kernel_switch) all; /* by time; none where a switch takes no time */
    int64_t switch_ns;      /* how long a switch takes */
    size_t next;            /* the first switch that was not over at the last query */
} explain_switches;

/* Lists the switches from kernels of a window. False without memory. */
bool explain_switches_init(explain_switches *s, const gcast_run *run, const kernel_windows *w,
                           const kernel_numbers *window);
void explain_switches_free(explain_switches *s);
/* The kernel from which the GPU switches to the next one at this time, which never decreases; SIZE_MAX: there is no
 * switch. */
size_t explain_switched_from(explain_switches *s, int64_t time);

/* The size of each SM's shared memory during a run ("Carveouts" in docs/model.md), which follows from its blocks. */

typedef struct explain_sizes {
    const block_history *history;
    size_t next; /* the first change that has not happened yet */
} explain_sizes;

/* Changes from this time on; the SMs have the sizes of this time already. */
explain_sizes explain_sizes_from(const block_history *history, int64_t time);
/* Gives the SMs the sizes that they have at this time, which never decreases. */
void explain_sizes_set(explain_sizes *z, int64_t time, explain_residents *r);

#endif
