/* A run: what happened when, simulated or measured. */
#ifndef GRIDCAST_RUN_H
#define GRIDCAST_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

typedef struct gcast_block {
    int64_t start_ns, end_ns;
    uint32_t sm;
    uint32_t quarter; /* where its first warp went; 0 where that is not known */
} gcast_block;

/* A block, and which one it is. */
typedef struct gcast_started_block {
    gcast_block block;
    uint64_t index; /* in its grid; with a plan: of its job */
    uint32_t run_op;
} gcast_started_block;

/* One operation of a run: an op that runs once, or one op of one job of a task.
 * Times are -1 where they do not apply. call <= arrive <= head <= enter <= start. */
typedef struct gcast_run_op {
    uint32_t op;           /* index in the workload's ops[] */
    uint32_t job;          /* of its task; 0 for ops that run once */
    bool skipped;          /* never called (skip_ns, or its host waits forever) */
    int engine;            /* the copy engine it used; -1 */
    int connection;        /* the connection it went through; -1 */
    int channel;           /* of its copy engine that it joined; -1 */
    int64_t release_ns;    /* its call was due: response times count from here */
    int64_t call_ns;       /* the host called */
    int64_t return_ns;     /* the call returned to the host */
    int64_t arrive_ns;     /* it reached its stream's queue */
    int64_t head_ns;       /* it was the head of its stream's queue */
    int64_t enter_ns;      /* it entered its engine's queue (EE or CE) */
    int64_t start_ns;      /* its first block started, or the copy */
    int64_t dispatched_ns; /* its last block started, or the copy */
    int64_t end_ns;        /* complete */
    uint64_t launch;       /* its place in the order of calls, from 0 */
    uint64_t entry;        /* its place in the order of entries to engine queues, from 0 */
    uint64_t block_count;
    const gcast_block *blocks;    /* by block index; NULL where not all are recorded */
    const gcast_block *window;    /* where a window is recorded: its blocks that ran in it, by block index */
    const uint64_t *window_index; /* block indices of window[] */
    uint64_t window_count;
    /* kernels with a plan, whose jobs are recorded in the place of blocks; else 0 */
    uint64_t workers;   /* blocks that were launched to do the jobs */
    uint64_t retreated; /* those of them that found no job */
    uint64_t repaired;  /* jobs that no worker did; a second launch did them */
} gcast_run_op;

/* An operation that is not complete when a run hangs. */
typedef struct gcast_hung_op {
    uint32_t run_op;      /* index in run->ops */
    uint64_t resident;    /* its blocks that hold resources of SMs: all of them wait */
    uint64_t not_started; /* its blocks that have not started */
} gcast_hung_op;

/* A run that hangs: blocks wait for something that never happens (waits_for), and nothing happens after this time.
 * Operations that are not complete have an end_ns of -1; operations that were never called, because their host waits
 * forever, are skipped. Blocks that wait have the time of the hang as their end, and those that never started have
 * times of -1. */
typedef struct gcast_hang {
    int64_t time_ns;          /* when */
    const gcast_hung_op *ops; /* operations on the GPU that were called and are not complete, by index */
    size_t op_count;
} gcast_hang;

/* Response time: from the release to the end; -1 where it never ran. */
static inline int64_t gcast_response_ns(const gcast_run_op *o)
{
    return o->call_ns < 0 || o->end_ns < o->release_ns ? -1 : o->end_ns - o->release_ns;
}

typedef struct gcast_run {
    const char *source;             /* "simulated", "measured" by gridcast, or "recorded" by a profiler */
    const gcast_workload *workload; /* not owned */
    const gcast_gpu *gpu;           /* owned; a partition is already taken */
    const gcast_run_op *ops;
    size_t op_count;
    /* Kernels that launch kernels. Where all blocks are recorded, so are children: as operations behind the others, at
     * ops[op_count + i], in the order of their calls. */
    size_t child_count;
    const gcast_child *children;        /* by child */
    const gcast_launch_stats *launches; /* sums of runs with launches; else NULL */
    const gcast_launch_series *series;  /* counts over time of runs with launches; else NULL */
    int connections;                    /* in force */
    int64_t horizon_ns;                 /* releases of tasks were before this; 0 without tasks */
    int64_t end_ns;                     /* the last end; of a run that hangs: when it does */
    const gcast_hang *hang;             /* NULL: everything ended */
    int64_t noise_ns;                   /* simulated with: maximum noise added to blocks and copies */
    bool scatter;                       /* simulated with: launch latencies and starving vary at random */
    bool latencies_given;               /* simulated with: latencies of calls are not those of the GPU */
    bool spawn_overridden;              /* simulated with: one policy for all kernels that launch; theirs are ignored */
    gcast_spawn_policy spawn_policy;    /* that policy */
    uint32_t spawn_threshold;           /* threshold of that policy */
    int64_t wake_ns;      /* simulated with: blocks of spin end at multiples of this; 0: when their time is over */
    bool blocks_recorded; /* all of them */
    bool window_recorded; /* only those that ran in the window, from its start to before its end */
    int64_t window_from_ns, window_to_ns;
    /* Measured: calls and releases are on the host's clock, the rest on the GPU's,
     * whose zero lies between these on the host's. Both 0 where simulated. */
    int64_t gpu_zero_lo_ns, gpu_zero_hi_ns;
    const char *const *notes;
    size_t note_count;
    void *memory;
} gcast_run;

GCAST_API void gcast_run_free(gcast_run *run);

/* Does every job of a task end by its deadline, counted from the job's release? */
GCAST_API bool gcast_run_in_time(const gcast_run *run);

/* Every invariant a run must keep (docs/model.md names them): no SM over any
 * capacity, no block twice or lost, stream order, FIFO order, priorities,
 * causality, no block waiting while it fits. GCAST_INTERNAL names the first that
 * is broken. Block by block where blocks are recorded. */
GCAST_API gcast_status gcast_run_check(const gcast_run *run, gcast_error *err);

GCAST_END_DECLS

#endif
