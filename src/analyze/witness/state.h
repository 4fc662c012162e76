/* What the search for late executions works on: the operations up to a horizon with what the workload leaves open of
 * them, one execution, and the latest execution seen of every op. */
#ifndef ANALYZE_WITNESS_STATE_H
#define ANALYZE_WITNESS_STATE_H

#include <stddef.h>

#include "gridcast/run.h"
#include "gridcast/workload.h"

#define NOT_LISTED SIZE_MAX

/* By how much calls may take longer than the minimum, which is that of the GPU, to reach it. */
typedef struct latency_range {
    int64_t launch_ns; /* of kernels */
    int64_t copy_ns;   /* of copies and memsets */
} latency_range;

/* An operation up to the horizon. A block takes the shortest duration of its op, or that of the list of its op, and an
 * extra time of 0 to range_ns. */
typedef struct frame_operation {
    uint32_t op;              /* index in the workload */
    uint32_t job;             /* of its task */
    size_t unit;              /* the unit that it belongs to */
    int64_t range_ns;         /* the maximum extra time; 0: its duration is fixed */
    int64_t latency_range_ns; /* by how much its call may take longer than the minimum to reach the GPU */
    size_t first_block; /* place of its first block in block_extra_ns of an execution; NOT_LISTED: its blocks have the
                           same extra time in every execution */
} frame_operation;

/* What is called in one place of the order: an op that runs once, or all ops of a job. */
typedef struct frame_unit {
    int task;               /* index in the workload, or GCAST_ONCE */
    uint32_t job;           /* of the task */
    size_t first_operation; /* its operations are consecutive */
    size_t operation_count; /* how many it has */
} frame_unit;

/* Some operations of a workload, in its order (model/workload/jobs.h), and what is open of them: all up to a horizon,
 * or those of a window. */
typedef struct frame {
    const gcast_workload *w;     /* the workload */
    uint32_t references;         /* of a window: who holds it */
    int64_t open_ns;             /* what jobs released before this leave open is as punctual and short as it can be */
    int64_t end_ns;              /* no job is released at this time or later */
    int64_t noise_ns;            /* by how much blocks and copies may take longer */
    latency_range latency;       /* and calls */
    bool any_order;              /* units without a host that are released together are called in any order */
    bool any_phase;              /* tasks begin at their offsets or up to a period later */
    frame_operation *operations; /* all of them */
    size_t operation_count;      /* how many */
    uint64_t weight;             /* of an execution, for the limit of operations: those of many blocks count more */
    frame_unit *units;           /* ops that run once first, then jobs */
    size_t unit_count;           /* how many */
    size_t once_count;           /* how many of them run once */
    size_t first_open;           /* units before this one are released before open_ns */
    size_t *unit_of_job;         /* units of the jobs of task t, in their order, from first_job[t] on */
    size_t *first_job;           /* by task: place of its first job in unit_of_job; one more entry at the end */
    uint32_t *next_number;       /* by task: the number of the first job that comes later */
    bool *is_bound;       /* by op that runs once: it has a host, is after another, or another is after it, so that
                             its place in the order is fixed */
    size_t listed_blocks; /* the length of block_extra_ns of an execution */
    int64_t horizon_ns;   /* no job is released at this time or later; 0: there is no such time */
    bool is_abridged;   /* of the jobs before open_ns only the first of each task is there, with kernels of one block */
    bool has_sporadic;  /* some task is sporadic */
    bool has_latencies; /* the latency of some call is a range */
    bool is_whole;      /* no job is left out, since the caller wants none released after the horizon */
    bool is_fixed;      /* nothing is open: there is one execution */
    char separator[64]; /* between label and job number in labels, so that none occurs twice */
} frame;

/* All that the workload leaves open, fixed. The arrays lie in `values`. */
typedef struct execution {
    uint32_t references;     /* who holds it; it is not changed while there are two or more */
    int64_t *late_ns;        /* by unit: how late the job is released; 0 for ops that run once */
    int64_t *stretch_ns;     /* by unit: of a sporadic task, by how much its distance from the job before is longer than
                                the minimum, or its release later than the offset */
    int64_t *order;          /* by place in the order: the task whose next job is called there, or the unit of an op */
    int64_t *phase_ns;       /* by task: when its job 0 is released, or would be, without jitter */
    int64_t *extra_ns;       /* by operation: the extra time of all its blocks, where it is not listed */
    int64_t *latency_ns;     /* by operation: how much longer than the minimum its call takes to reach the GPU */
    int64_t *is_listed;      /* by operation: each block has an extra time of its own */
    int64_t *block_extra_ns; /* by listed block: its extra time */
    int64_t values[];        /* memory of the arrays */
} execution;

/* The longest response of an op that was seen. */
typedef struct latest {
    int64_t response_ns;  /* 0: none was seen */
    int64_t end_ns;       /* of the operation that had it */
    size_t operation;     /* that operation */
    execution *execution; /* in which it was seen; NULL: none */
    frame *window;        /* of which it is an execution; NULL: the frame of the search */
} latest;

/* The first operation of units whose choices are open. */
static inline size_t frame_first_open(const frame *f)
{
    return f->first_open < f->unit_count ? f->units[f->first_open].first_operation : f->operation_count;
}

static inline bool frame_may_move(const frame *f, size_t unit)
{
    const frame_unit *u = &f->units[unit];
    return u->task != GCAST_ONCE || !f->is_bound[f->operations[u->first_operation].op];
}

#endif
