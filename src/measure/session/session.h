/* A session on the GPU: streams, compiled kernels, memory for copies and for the records of blocks, and events are made
 * before the first run, and freed after the last. */
#ifndef MEASURE_SESSION_SESSION_H
#define MEASURE_SESSION_SESSION_H

#include <stdatomic.h>

#include "gridcast/measure.h"
#include "measure/driver/kernels.h"
#include "measure/session/kernel_call.h"
#include "model/workload/workload.h"

/* What thread 0 of a block writes (kernels.ptx). */
typedef struct block_record {
    int64_t start_ns, end_ns; /* on the GPU's clock */
    uint32_t sm, gave_up;     /* the SM that it ran on; GAVE_UP: it waited too long for other blocks */
} block_record;
#define GAVE_UP 1
#define LOST_NS (-1) /* both times of a block that left no record: records have every bit set before a run */

#define STAMPS 16 /* attempts to find the time of an event on the GPU's clock */

#define NO_EVENT SIZE_MAX

/* What shows the end of a copy or memset. */
typedef enum copy_end {
    END_EVENT,  /* the event behind it */
    END_KERNEL, /* in a graph: the start of a kernel that depends on it alone */
    END_UNSEEN  /* in a graph: nothing; it is on the device, and seems to take no time */
} copy_end;

/* One operation of the run. */
typedef struct session_op {
    size_t variant;        /* of a kernel: index in kernels.variants */
    uint64_t first_record; /* of a kernel: index of the record of its first block */
    CUdeviceptr durations; /* of a kernel: one per block; 0: all blocks take the op's duration */
    CUevent before, after; /* of a copy or memset: recorded around it; in a graph, before the launch */
    CUgraphExec exec;      /* of the first node of a graph's launch: the graph; else NULL */
    uint32_t nodes;        /* of that graph */
    size_t timed_by;       /* of a copy or memset: the operation whose event `before` counts; NO_EVENT */
    copy_end end;          /* of a copy or memset: what shows its end */
    CUevent event;         /* recorded behind it for successors in other streams; NULL: there are none */
    CUdeviceptr memory;    /* of a malloc: the memory allocated; of a free: the memory to free; 0: none */
    uint32_t barrier;      /* of a barrier: its number, from 0 */
} session_op;

typedef struct session {
    const gcast_workload *w;                  /* the workload that is run */
    const gcast_measure_options *options;     /* of the caller */
    device v;                                 /* the GPU */
    kernels k;                                /* compiled kernels */
    gcast_run_op *ops;                        /* the operations of a run, with no times but release_ns */
    session_op *at;                           /* by operation */
    size_t op_count;                          /* of `ops` and `at` */
    int64_t horizon_ns;                       /* of tasks */
    int64_t limit_ns;                         /* the longest that a run may take */
    CUstream *streams;                        /* by stream of the workload; NULL is the NULL stream */
    CUstream helper_stream;                   /* for work that is not the workload's */
    atomic_int *last_copy;                    /* by stream: 1 + direction if its last operation was a copy, else 0 */
    size_t barrier_count;                     /* of different barriers */
    size_t *barrier_ops;                      /* by barrier: how many operations it has */
    uint64_t block_count;                     /* of all kernels */
    CUdeviceptr records;                      /* a block_record per block */
    CUdeviceptr durations;                    /* of blocks, for the ops that list them */
    start_counters counters;                  /* for blocks that wait for blocks */
    CUdeviceptr stamps;                       /* two block_records for session_stamp */
    CUdeviceptr device_source, device_target; /* copies on the GPU read and write these */
    void *host_source, *host_target;          /* pinned: copies to and from the GPU read and write these */
    CUevent stamp[STAMPS];                    /* for session_stamp; NULL: there are no copies */
    CUevent base;                             /* one of stamp: the times of copies are relative to it */
    bool abandoned;   /* the GPU is still at work: everything on it is left until the process ends */
    size_t run, runs; /* the number of the current run, and of all runs */
} session;

/* The op of the workload that operation i executes. */
static inline const gcast_op *session_spec(const session *s, size_t i)
{
    return &s->w->ops[s->ops[i].op];
}

/* Returns status, and puts the path of operation i into an error that has none. */
static inline gcast_status session_error(const session *s, size_t i, gcast_status status, gcast_error *err)
{
    if (status != GCAST_OK && err && !err->path[0])
        gcast_workload_op_path(s->w, s->ops[i].op, err->path, sizeof err->path);
    return status;
}

gcast_status session_open(session *s, const gcast_workload *w, const gcast_measure_options *options, gcast_error *err);
void session_close(session *s);

#endif
