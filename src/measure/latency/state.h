/* What the files that measure latencies of calls share: the GPU, the streams, and the memory of a batch of calls. */
#ifndef MEASURE_LATENCY_STATE_H
#define MEASURE_LATENCY_STATE_H

#include "base/minmax.h"
#include "gridcast/calibrate.h"
#include "measure/driver/kernels.h"
#include "measure/latency/host_load.h"
#include "measure/session/state.h"

#define LATENCY_PLAN_NS INT64_C(60000000000)  /* what the planned numbers of calls take */
#define LATENCY_MAX_BATCH 16384               /* calls between two alignments of the clocks */
#define LATENCY_COPY_BYTES 65536              /* of a copy */
#define LATENCY_LONG_BYTES (INT64_C(1) << 25) /* of a long copy */

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
    int64_t copy_ns[2];                   /* by GCAST_CALL_H2D and _D2H less one: what the copy itself takes */
    int64_t widest_ns;                    /* the widest interval that the clocks left open so far */
    bool abandoned;                       /* the GPU is still at work: nothing on it can be freed */
} latency_session;

/* How many of so many calls that are planned are made in a given time; at least one. */
static inline int64_t latency_count(int64_t planned, int64_t given_ns)
{
    return max_i64((int64_t)((__int128)planned * given_ns / LATENCY_PLAN_NS), 1);
}

#endif
