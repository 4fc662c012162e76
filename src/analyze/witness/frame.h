/* What the search for late executions works on: the operations of a workload up to a horizon, with what is open of them
 * (the frame); one execution of them; and the latest execution of each op that was seen. */
#ifndef ANALYZE_WITNESS_FRAME_H
#define ANALYZE_WITNESS_FRAME_H

#include <stddef.h>

#include "analyze/witness/witness.h"
#include "gridcast/run.h"
#include "gridcast/workload.h"

#define NOT_LISTED SIZE_MAX

/* By how much the latency of calls may exceed its minimum, which is the GPU's. */
typedef struct latency_range {
    int64_t launch_ns; /* of kernels */
    int64_t copy_ns;   /* of copies and memsets */
} latency_range;

/* An operation. A block takes the shortest duration of its op, or its own in the op's list, plus an extra time of 0 to
 * range_ns. */
typedef struct frame_operation {
    uint32_t op;              /* index in the workload */
    uint32_t job;             /* number of its job in the task */
    size_t unit;              /* its unit */
    int64_t range_ns;         /* the longest extra time; 0: its duration is fixed */
    int64_t latency_range_ns; /* by how much its call's latency may exceed the minimum */
    size_t first_block;       /* index in block_extra_ns of an execution; NOT_LISTED: one extra time for all blocks */
} frame_operation;

/* A unit has one place in the order of calls: it is an op that runs once, or all ops of a job. */
typedef struct frame_unit {
    int task;               /* index in the workload, or GCAST_ONCE */
    uint32_t job;           /* number of the job in the task */
    size_t first_operation; /* its operations are consecutive */
    size_t operation_count; /* number of its operations */
} frame_unit;

/* The operations of a workload up to a horizon, or those of a window, in its order (model/workload/jobs.h), and what is
 * open of them. */
typedef struct frame {
    const gcast_workload *w;     /* the workload */
    uint32_t references;         /* of a window: number of holders */
    int64_t open_ns;             /* jobs released before this are punctual and shortest */
    int64_t end_ns;              /* no job is released at this time or later */
    int64_t noise_ns;            /* by how much blocks and copies may take longer */
    latency_range latency;       /* by how much calls may take longer */
    bool any_order;              /* units without a host that are released together are called in any order */
    bool any_phase;              /* tasks begin at their offsets or up to a period later */
    frame_operation *operations; /* all operations */
    size_t operation_count;      /* of `operations` */
    uint64_t weight;             /* cost of an execution, in operations; those of many blocks count more */
    frame_unit *units;           /* ops that run once first, then jobs */
    size_t unit_count;           /* of `units` */
    size_t once_count;           /* number of ops that run once */
    size_t first_open;           /* units before this one are released before open_ns */
    size_t *unit_of_job;         /* units of the jobs of task t, in their order, from first_job[t] on */
    size_t *first_job;           /* by task: index of its first job in unit_of_job; one more entry at the end */
    uint32_t *next_number;       /* by task: the number of the first job after the frame */
    bool *is_bound;              /* by op that runs once: its place is fixed by a host, a dependency or a successor */
    size_t listed_blocks;        /* the length of block_extra_ns of an execution */
    int64_t horizon_ns;          /* the caller's horizon: no job is released at this time or later; 0: none */
    bool is_abridged;   /* before open_ns there is only the first job of each task, with kernels of one block */
    bool has_sporadic;  /* some task is sporadic */
    bool has_latencies; /* the latency of some call is a range */
    bool is_whole;      /* no job is left out: the caller wants none after the horizon */
    bool is_fixed;      /* nothing is open: there is one execution */
    char separator[64]; /* between label and job number, so that labels are unique */
} frame;

/* Values for all that a frame leaves open. The arrays lie in `values`. */
typedef struct execution {
    uint32_t references;     /* number of holders; with two or more it does not change */
    int64_t *late_ns;        /* by unit: how late the job is released; 0 for ops that run once */
    int64_t *stretch_ns;     /* by unit of a sporadic task: extra distance from the previous job, or from the offset */
    int64_t *order;          /* by place: the task whose next job is called there, or the unit of an op */
    int64_t *phase_ns;       /* by task: nominal release of its job 0, even if that is left out */
    int64_t *extra_ns;       /* by operation: extra time of all its blocks, unless it is listed */
    int64_t *latency_ns;     /* by operation: latency of its call above the minimum */
    int64_t *is_listed;      /* by operation: each block has an extra time of its own */
    int64_t *block_extra_ns; /* by listed block: its extra time */
    int64_t values[];        /* memory of the arrays */
} execution;

/* The longest response of an op seen so far. */
typedef struct latest {
    int64_t response_ns;  /* 0: none was seen */
    int64_t end_ns;       /* of the operation that had it */
    size_t operation;     /* that operation */
    execution *execution; /* that showed it; NULL: none */
    frame *window;        /* the window of the execution; NULL: the frame of the search */
} latest;

/* The first operation whose values are open. */
static inline size_t frame_first_open(const frame *f)
{
    return f->first_open < f->unit_count ? f->units[f->first_open].first_operation : f->operation_count;
}

/* May the unit change its place in the order? */
static inline bool frame_may_move(const frame *f, size_t unit)
{
    const frame_unit *u = &f->units[unit];
    return u->task != GCAST_ONCE || !f->is_bound[f->operations[u->first_operation].op];
}

/* The jobs of a part. */
typedef struct frame_part {
    int64_t start_ns; /* nominal releases from here on; ops that run once are there only if this is 0 */
    int64_t open_ns;  /* jobs released before this are punctual and shortest; 0: none */
    int64_t end_ns;   /* nominal releases before this */
    bool with_first;  /* also job 0 of every task, so that streams join connections and channels in their order */
} frame_part;

/* Makes the frame of a checked workload, up to the horizon of the options or a chosen one. */
gcast_status frame_create(frame *f, const gcast_workload *w, const gcast_gpu *gpu, const latency_range *latency,
                          const gcast_witness_options *options, gcast_error *err);
void frame_free(frame *f);
/* Makes a frame of some of the jobs of the same workload, without any_phase. Free *out with frame_release. */
gcast_status frame_cut(const frame *f, const frame_part *part, frame **out, gcast_error *err);

static inline frame *frame_hold(frame *cut)
{
    if (cut)
        cut->references++;
    return cut;
}

/* Frees the frame with its last holder. NULL is allowed. */
void frame_release(frame *cut);
/* The weight of the jobs of tasks released from start_ns to before end_ns; UINT64_MAX: too large. */
uint64_t frame_weight_of(const frame *f, int64_t start_ns, int64_t end_ns);
/* The end of so many hyperperiods after the largest offset. */
int64_t frame_hyperperiods_end(const frame *f, int64_t count);

#endif
