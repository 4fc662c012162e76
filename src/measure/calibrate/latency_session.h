/* Measures latencies of calls in batches, each under one condition. A session has the GPU ready for that: streams,
 * memory for a batch, a kernel that keeps the GPU busy, and threads that keep the host busy. */
#ifndef MEASURE_CALIBRATE_LATENCY_SESSION_H
#define MEASURE_CALIBRATE_LATENCY_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/integers.h"
#include "gridcast/error.h"
#include "measure/calibrate/observations.h"
#include "measure/calibration.h"
#include "measure/driver/kernels.h"
#include "measure/session/session.h"

#define LATENCY_PLAN_NS INT64_C(60000000000)  /* the time of the planned numbers of calls */
#define LATENCY_MAX_BATCH 16384               /* calls between two alignments of the clocks */
#define LATENCY_COPY_BYTES 65536              /* of a copy */
#define LATENCY_LONG_BYTES (INT64_C(1) << 25) /* of a long copy */

/* Threads that keep the host's cores busy. */
typedef struct host_load {
    pthread_t *threads;    /* one for every core but one */
    int count;             /* of threads */
    _Atomic bool spinning; /* the threads spin; else they sleep */
    _Atomic bool ended;    /* the threads end */
} host_load;

typedef struct latency_session {
    const gcast_measure_options *options; /* of the caller */
    device v;                             /* the GPU */
    kernels k;                            /* variant 0 is the kernel whose start is measured */
    size_t busy_variant;                  /* of k: the kernel that keeps the GPU busy */
    CUstream stream;                      /* of the calls that are measured */
    CUstream busy_stream;                 /* of the kernel that keeps the GPU busy */
    CUdeviceptr records;                  /* a block_record per launch of a batch */
    CUdeviceptr busy_records;             /* a block_record per block of the busy kernel */
    CUdeviceptr device_memory;            /* LATENCY_LONG_BYTES: copies read and write these */
    void *host_memory;                    /* as many, pinned */
    size_t copy_bytes;                    /* of a copy */
    block_record *seen;                   /* the records of a batch, fetched */
    int64_t *call_ns;                     /* of each call of a batch, on the host's clock */
    int64_t *end_ns;                      /* when the host saw its end */
    host_load load;                       /* the threads that keep the host busy */
    int64_t copy_ns[2];                   /* by call, less GCAST_CALL_H2D: the time of the copy itself */
    int64_t widest_ns;                    /* the widest interval that the clocks left open so far */
    bool abandoned;                       /* the GPU is still at work: nothing on it can be freed */
} latency_session;

/* How many calls are made in a given time, if `planned` are in LATENCY_PLAN_NS; at least one. */
static inline int64_t latency_count(int64_t planned, int64_t given_ns)
{
    return max_i64((int64_t)((__int128)planned * given_ns / LATENCY_PLAN_NS), 1);
}

/* `sms` 0: the whole GPU. On failure nothing is left open. */
gcast_status latency_session_open(latency_session *s, int sms, const gcast_measure_options *options, gcast_error *err);
void latency_session_close(latency_session *s);

/* The latencies of calls under one condition. */
typedef struct latency_samples {
    samples longest_ns; /* of each call the longest that the clocks allow */
    int64_t min_ns;     /* the shortest that they allow for any call; -1: there is none */
} latency_samples;

/* Makes a batch of at most `max_count` calls between two alignments of the clocks; none after `max_ns`, but always one.
 */
gcast_status latency_batch_run(latency_session *s, const gcast_latency_condition *c, size_t max_count, int64_t max_ns,
                               latency_samples *out, gcast_error *err);
/* As latency_batch_run, but only leaves the times of calls and ends in the session. *count: calls made. */
gcast_status latency_batch_time(latency_session *s, const gcast_latency_condition *c, size_t max_count, int64_t max_ns,
                                size_t *count, gcast_error *err);
/* Makes calls that do not count: the driver prepares things for the first launch and the first copies. */
gcast_status latency_warm_up(latency_session *s, gcast_error *err);

#endif
