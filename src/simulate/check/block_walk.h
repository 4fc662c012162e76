/* A walk through the blocks of a run, in the order of time. The checker has its own walk, queues and order of levels on
 * purpose, so that it does not repeat a mistake of the engine; they share only the resources of SMs (blocks/). */
#ifndef SIMULATE_CHECK_BLOCK_WALK_H
#define SIMULATE_CHECK_BLOCK_WALK_H

#include "base/heap.h"
#include "simulate/blocks/delays.h"
#include "simulate/blocks/sm.h"
#include "simulate/check/plan_jobs.h"
#include "simulate/check/run_order.h"
#include "simulate/run_ops.h"

#define LEVELS 64
#define NOBODY UINT32_MAX

/* A block that is resident. */
typedef struct resident {
    uint32_t op;        /* its operation of the run */
    uint32_t rank;      /* of its SM */
    int32_t quarter;    /* where its first warp runs */
    uint32_t next_free; /* where this entry is unused: the next unused one; NOBODY */
} resident;

/* The range of an SM's size of shared memory. Where releases are seen one after the other, a run does not say whether a
 * block that starts when the last other block is released came before or after that release. */
typedef struct size_range {
    int32_t min, max;    /* in bytes */
    int64_t released_ns; /* when a block was released last */
} size_range;

/* Where the walk is. */
typedef struct block_walk {
    const gcast_run *run;        /* what is checked */
    const check_orders *orders;  /* its operations by launch and by entry */
    gcast_error *err;            /* filled in by the first failure */
    gcast_status status;         /* the first invariant that is broken, or out of memory */
    int64_t now;                 /* the time */
    uint32_t *level_ops[LEVELS]; /* by level: its kernels, by entry */
    size_t level_count[LEVELS];  /* of level_ops[] */
    size_t level_next[LEVELS];   /* by level: the first kernel that is not fully dispatched */
    uint64_t block_next[LEVELS]; /* by level: the next block of that kernel; with a plan: 1 once a worker has started */
    size_t entered_count;        /* how many operations, in entry order, have entered */
    sm_set sms;                  /* the SMs and what is free there */
    sm_demand demand;            /* of demand_op */
    uint32_t demand_op;          /* the op of the workload whose demand was needed last */
    uint32_t blocked;            /* the head that is known to fit on no SM that is not dirty; NOBODY */
    heap releases;               /* by time: entries of residents[] */
    heap ends;                   /* ends of kernels that have started, by time, where the GPU limits resident grids */
    VEC(resident) residents;     /* blocks that are resident, and unused entries */
    uint32_t free_resident;      /* the first unused entry; NOBODY */
    uint32_t resident_grids;     /* kernels that have started and are not complete, where the GPU limits them */
    int64_t switch_end_ns;       /* no block starts before: the kernel switch */
    starve starve;               /* blocks that spin, which make others starve */
    size_range *sizes;           /* by rank; NULL: all SMs have the largest size, or sizes are not known */
    plan_job_list jobs;          /* jobs of kernels with a plan, by start */
    size_t job_next;             /* the first of jobs that has not started */
    heap plan_ends;              /* when all workers are gone, by time, of kernels with a plan that have started */
    uint32_t plans_resident;     /* how many kernels these are */
    uint32_t plans_repaired;     /* how many of these have a second launch */
} block_walk;

/* Handles what ends now: blocks release their resources, and kernels are complete. */
void walk_release_ended(block_walk *k);
/* Does the SM of this rank have room for the block b of the operation i? */
bool walk_has_room(block_walk *k, uint32_t i, const gcast_block *b, uint32_t rank);
/* The block b of i takes its resources until `release`; false without memory. */
bool walk_take(block_walk *k, uint32_t i, const gcast_block *b, uint32_t rank, int64_t release);
/* The first block of i, or its first worker, starts. */
void walk_count_grid(block_walk *k, uint32_t i);
/* May the next block of i use the SM of this rank, and does it fit there? */
bool walk_fits_on(block_walk *k, uint32_t i, int rank);

/* Reports that an operation breaks the invariant `name`; the first report counts. */
static inline void walk_broken(block_walk *k, size_t i, const char *name, const char *problem)
{
    if (k->status == GCAST_OK)
        k->status = check_broken(k->run, i, name, problem, k->err);
}

static inline const gcast_op *walk_spec(const block_walk *k, size_t i)
{
    return run_spec(k->run, i);
}

/* Does the operation launch kernels, or was it launched by one? Then C-launches checks the times of its blocks. */
static inline bool walk_launches(const block_walk *k, size_t i)
{
    return i >= k->run->op_count || walk_spec(k, i)->launches;
}

/* What a block of the operation i needs. */
static inline const sm_demand *walk_demand(block_walk *k, uint32_t i)
{
    if (k->demand_op != k->run->ops[i].op) {
        k->demand_op = k->run->ops[i].op;
        k->demand = sm_demand_of(k->run->gpu, walk_spec(k, i));
    }
    return &k->demand;
}

/* May blocks of this op run on this SM? */
static inline bool walk_may_use(const block_walk *k, const gcast_op *op, int sm)
{
    return op->mask == GCAST_ALL_SMS || (k->run->workload->masks[op->mask].word[sm / 64] >> (sm % 64) & 1);
}

/* Did the block n of the operation i run on an SM that it may use, and as long as it should? Else the walk ends. */
bool block_is_right(block_walk *k, uint32_t i, const gcast_block *b, uint64_t n);

/* How many blocks of i fit on the SM of this rank; 0 where i may not use the SM. */
uint32_t block_count_fitting(block_walk *k, uint32_t i, int rank);

/* Checks C-blocks, C-room, C-mask, C-priority, C-idle, C-grids, C-switch and C-size of a run with its blocks.
 * `other_walk`: the walk for a run with clusters; NULL: the run has none. */
gcast_status check_blocks(const gcast_run *run, const check_orders *orders, void (*other_walk)(block_walk *),
                          gcast_error *err);

#endif
