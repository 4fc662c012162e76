/* One event of a Kineto trace, and one entry of its deviceProperties, as numbers and texts. */
#ifndef PROFILE_KINETO_KINETO_EVENT_H
#define PROFILE_KINETO_KINETO_EVENT_H

#include "profile/trace.h"

/* Numbers of an event: id, key, is it in "args"? Times are microseconds, kept in nanoseconds. */
#define KINETO_NUMBER_TABLE(X)                                                                                         \
    X(PID, "pid", false)                                                                                               \
    X(TID, "tid", false)                                                                                               \
    X(TS, "ts", false)                                                                                                 \
    X(DUR, "dur", false)                                                                                               \
    X(DEVICE, "device", true)                                                                                          \
    X(CONTEXT, "context", true)                                                                                        \
    X(STREAM, "stream", true)                                                                                          \
    X(CORRELATION, "correlation", true)                                                                                \
    X(REGISTERS, "registers per thread", true)                                                                         \
    X(SMEM, "shared memory", true)                                                                                     \
    X(BYTES, "bytes", true)                                                                                            \
    X(GRAPH, "graph id", true)                                                                                         \
    X(NODE, "graph node id", true)                                                                                     \
    X(CHANNEL, "channel", true)                                                                                        \
    X(PRIORITY, "priority", true)                                                                                      \
    X(WAIT_STREAM, "wait_on_stream", true)                                                                             \
    X(WAIT_RECORD, "wait_on_cuda_event_record_corr_id", true)                                                          \
    X(WAIT_EVENT, "wait_on_cuda_event_id", true)

typedef enum {
#define X(id, key, args) KINETO_##id,
    KINETO_NUMBER_TABLE(X)
#undef X
        KINETO_NUMBERS
} kineto_number;

/* Numbers of an entry of deviceProperties. */
#define KINETO_DEVICE_TABLE(X)                                                                                         \
    X(ID, "id")                                                                                                        \
    X(SMS, "numSms")                                                                                                   \
    X(MAJOR, "computeMajor")                                                                                           \
    X(MINOR, "computeMinor")                                                                                           \
    X(THREADS, "maxThreadsPerMultiprocessor")                                                                          \
    X(REGISTERS, "regsPerMultiprocessor")                                                                              \
    X(SMEM, "sharedMemPerMultiprocessor")                                                                              \
    X(SMEM_BLOCK, "sharedMemPerBlockOptin")                                                                            \
    X(MEMORY, "totalGlobalMem")

typedef enum {
#define X(id, key) KINETO_GPU_##id,
    KINETO_DEVICE_TABLE(X)
#undef X
        KINETO_GPU_NUMBERS
} kineto_gpu_number;

typedef struct kineto_event {
    char phase;                     /* "ph": its first letter; 0: none */
    char category[32];              /* "cat", truncated */
    char name[8192];                /* "name", truncated */
    size_t name_size;               /* without NUL */
    char thread_name[128];          /* "name" in "args", of events that name a thread */
    uint32_t given;                 /* bits by kineto_number: the event has this number */
    int64_t number[KINETO_NUMBERS]; /* valid if given */
    int64_t grid[3], block[3];      /* 0: not given */
    bool fraction;                  /* a time has digits below a microsecond */
} kineto_event;

typedef struct kineto_device {
    char name[256];
    int64_t number[KINETO_GPU_NUMBERS]; /* 0: not given */
} kineto_device;

/* A summary of the events so far. */
typedef struct kineto_sum {
    bool fraction;          /* some time has digits below a microsecond */
    bool any;               /* `first_ns` is set */
    int64_t first_ns;       /* the earliest start */
    uint64_t ranges_only;   /* kernels that have only counters, without times */
    const char *bad_kernel; /* a kernel without grid or block; NULL: none */
} kineto_sum;

/* Adds an event to the trace if a workload needs it. False without memory. */
bool kineto_add_event(prof_trace *t, const kineto_event *e, kineto_sum *sum);
bool kineto_add_device(prof_trace *t, const kineto_device *d);

#endif
