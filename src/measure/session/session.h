/* Everything a workload needs on the GPU, made before the first run: streams,
 * compiled kernels, memory for copies and for the blocks' records, events. */
#ifndef MEASURE_SESSION_SESSION_H
#define MEASURE_SESSION_SESSION_H

#include <stdatomic.h>

#include "gridcast/measure.h"
#include "measure/driver/kernels.h"

/* What thread 0 of a block writes (kernels.ptx). */
typedef struct block_record {
    int64_t start_ns, end_ns; /* of the GPU's clock */
    uint32_t sm, pad;
} block_record;
#define LOST_NS (-1) /* what records hold before a run: every bit set */

#define STAMPS 16 /* tries to place an event on the GPU's clock */

/* Of one operation of the run. */
typedef struct session_op {
    size_t variant;        /* kernels */
    uint64_t first_record; /* kernels: its blocks' records */
    CUdeviceptr durations; /* kernels: one a block, or 0 */
    CUevent before, after; /* copies and memsets */
    CUdeviceptr memory;    /* malloc: what it got; free: what it gives back; 0: nothing */
    size_t barrier;        /* which one, counted from 0 */
} session_op;

typedef struct session {
    const gcast_workload *w;
    const gcast_measure_options *options;
    device v;
    kernels k;
    gcast_run_op *ops; /* no times filled in but release_ns */
    session_op *at;    /* one for each of ops */
    size_t op_count;
    int64_t horizon_ns, limit_ns;
    CUstream *streams; /* one for each of the workload's; NULL is the NULL stream */
    CUstream own;      /* for what is not the workload's */
    atomic_int *moved; /* by stream: 1 + direction of its last operation, a copy; 0: that was none */
    size_t barrier_count;
    size_t *barrier_ops; /* how many there are of each */
    uint64_t block_count;
    CUdeviceptr records, durations, stamps;
    CUdeviceptr device_from, device_to; /* copies read and write what is there */
    void *host_from, *host_to;
    CUevent stamp[STAMPS];
    CUevent base;     /* of the times of copies: one of stamp */
    bool abandoned;   /* the GPU is still at work: leave everything there to the end of the process */
    size_t run, runs; /* which one is on, and of how many */
} session;

gcast_status session_open(session *s, const gcast_workload *w, const gcast_measure_options *options, gcast_error *err);
void session_close(session *s);

/* The call of one operation, as the workload says, or where a kernel is only to
 * warm up, a single block that ends at once. A failure names the op. */
gcast_status session_launch(session *s, size_t op, bool warm, gcast_error *err);
/* The memory of a malloc or a free, of the GPU or of the host, as the op says. */
gcast_status session_get(session *s, size_t op, uint64_t bytes, gcast_error *err);
gcast_status session_give(session *s, size_t op, gcast_error *err);
/* Before and after a run: what frees give back, and what mallocs got. */
gcast_status session_ready(session *s, gcast_error *err);
void session_tidy(session *s);
/* Two records of a kernel that ends at once, with stamp[i] between them. */
gcast_status session_stamp(session *s, size_t i, block_record record[2], gcast_error *err);
gcast_status session_fetch(session *s, void *to, CUdeviceptr from, size_t size, gcast_error *err);
/* Puts the path of an op into an error that has none. */
gcast_status session_blame(const session *s, size_t op, gcast_status status, gcast_error *err);

#endif
