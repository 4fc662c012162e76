/* The numbers of a GPU's description, measured on this machine: small workloads
 * whose runs show one thing each (docs/measuring.md says which). */
#ifndef MEASURE_CALIBRATION_H
#define MEASURE_CALIBRATION_H

#include <stdbool.h>

#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/measure.h"

/* What is read off the runs: name, unit, text. A name that is a field of
 * gridcast.gpu/1 replaces that field. PS are thousandths of a nanosecond. */
#define GCAST_READING_TABLE(X)                                                                                         \
    X(LAUNCH, "launch_latency_ns", NS, "call of a kernel to its first block")                                          \
    X(LAUNCH_NOISE, "launch_noise_ns", NS, "range that holds nine in ten of these times of a run")                     \
    X(COPY_LATENCY, "copy_latency_ns", NS, "call of a copy to its start")                                              \
    X(GAP, "stream_gap_ns", NS, "end of a kernel to the start of the next of its stream")                              \
    X(HANDOVER, "handover_ns", NS, "end of a block to the start of the next in its place")                             \
    X(DISPATCH, "dispatch interval", PS, "between the starts of two blocks on an idle GPU")                            \
    X(REFILL, "refill interval", PS, "the same where all resources come free at once")                                 \
    X(NOISE, "noise_ns", NS, "how much longer than it should a block of such a grid takes at most")                    \
    X(H2D, "h2d_bytes_per_s", RATE, "copies to the device")                                                            \
    X(D2H, "d2h_bytes_per_s", RATE, "copies to the host")                                                              \
    X(H2D_OVERHEAD, "h2d_overhead_ns", NS, "time of a copy to the device without that of its bytes")                   \
    X(D2H_OVERHEAD, "d2h_overhead_ns", NS, "the same, to the host")                                                    \
    X(BUSY_OVERHEAD, "overhead in a row", NS, "the same, right behind another copy of its stream")                     \
    X(COPY_GAP, "copy_gap_ns", NS, "end of a copy to the start of one that waits for its engine")                      \
    X(WAKE, "copy_wake_ns", NS, "how much longer a copy takes after 5 ms without a call")                              \
    X(D2H_START, "d2h_start_ns", NS, "how much later a copy to the host starts beside one to the device")              \
    X(D2H_END, "d2h_end_ns", NS, "how much later it ends then")                                                        \
    X(BOTH_WAYS, "copy_duplex_percent", PERCENT, "of its speed that a copy has while another goes the other way")      \
    X(COPY_SLOW, "copy_slow_percent", PERCENT, "of its usual time that a long copy takes, the longest counts")         \
    X(OVERLAP, "opposite directions", PERCENT, "of a copy's time that they run together")                              \
    X(SERIAL, "same direction", PERCENT, "of a copy's time that the second waits for the first")                       \
    X(CHILD_LAUNCH, "child_launch_ns", NS, "first child's start after its warp's calls: this for the warp ...")        \
    X(CHILD_STEP, "child_step_ns", NS, "... and this for each of its launches")                                        \
    X(CHILD_CALL, "child_call_ns", NS, "how long launches hold their warp: this for the warp ...")                     \
    X(CHILD_CALL_STEP, "child_call_step_ns", NS, "... and this for each of its launches")                              \
    X(CHILD_SERVICE, "child_service_ns", NS, "between the starts of two children where many warps launch")             \
    X(CHILD_POOL, "child_pool", COUNT, "children that are pending when a launch is refused")                           \
    X(CHILD_REFUSED, "child_refused_ns", NS, "how long a launch that is refused holds its warp")                       \
    X(CHILD_QUEUES, "child_queues", COUNT, "streams of children until one waits for the first")

typedef enum {
#define GCAST_X(id, name, unit, text) GCAST_READ_##id,
    GCAST_READING_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_READINGS
} gcast_reading_id;

typedef enum { GCAST_UNIT_NS, GCAST_UNIT_PS, GCAST_UNIT_RATE, GCAST_UNIT_PERCENT, GCAST_UNIT_COUNT } gcast_reading_unit;

typedef struct gcast_reading {
    const char *name, *text;
    gcast_reading_unit unit;
    size_t samples; /* 0: nothing was observed, and the values below mean nothing */
    int64_t median, min, max;
} gcast_reading;

/* What the host calls. */
typedef enum { GCAST_CALL_LAUNCH, GCAST_CALL_H2D, GCAST_CALL_D2H, GCAST_CALLS } gcast_call_kind;

/* Latencies of calls under one condition. */
typedef struct gcast_latency_condition {
    gcast_call_kind call;
    int64_t pause_ns;      /* from the end of one operation to the next call */
    bool gpu_busy;         /* a kernel of another stream was running on every SM */
    bool host_busy;        /* a thread was spinning on every other core of the host */
    gcast_latency latency; /* from the call to the start */
} gcast_latency_condition;

typedef struct gcast_calibration {
    const gcast_gpu *gpu; /* as the driver tells; a partition is already taken */
    gcast_reading readings[GCAST_READINGS];
    /* Which SM took block 0, 1, ... of grids with one block per SM on an idle GPU. */
    const int *order; /* the most frequent order: gpu->sms SMs; NULL: none was observed */
    size_t launches;  /* number of grids */
    size_t orders;    /* number of different orders among them */
    int same_places;  /* number of blocks that went to the same SM in all launches */
    /* How much longer the resources of a block stay free on an SM than on the nearest SM. */
    const int *reach;             /* by SM, in nanoseconds; NULL: not observed */
    int reach_difference_ns;      /* the maximum difference between the means of two halves of the samples */
    const char *children_missing; /* why launches of kernels by kernels were not measured; NULL: they were */
    void *memory;
    /* How latencies of calls vary; none where gcast_measure_options.latency_ns is 0. */
    const gcast_latency_condition *conditions;
    size_t condition_count;
    gcast_latency launch_quantiles; /* over all conditions: each quantile holds under every one of them */
    gcast_latency copy_quantiles;   /* of copies in both directions */
    int64_t clocks_open_ns;         /* the widest interval that the clocks of GPU and host left open */
    int host_threads;               /* threads that kept the host busy */
} gcast_calibration;

/* Measure, each workload `repeat` times (0: once); `sms` 0: the whole GPU. GCAST_GPU where
 * there is no usable one. */
gcast_status gcast_calibration_measure(int sms, const gcast_measure_options *options, size_t repeat,
                                       gcast_calibration **out, gcast_error *err);
void gcast_calibration_free(gcast_calibration *c);

/* Did the launches agree in at least half of the places? */
bool gcast_calibration_stable(const gcast_calibration *c);
/* Did the halves agree in the reach of every SM, to 8 ns? */
bool gcast_calibration_reaches(const gcast_calibration *c);
/* Sets the measured fields of a GPU with as many SMs, and their sources. Fields without samples keep their values and
 * sources. The tie order is kept where the measured one is not stable, the reach where the two halves differ. */
gcast_status gcast_calibration_apply(const gcast_calibration *c, gcast_gpu *gpu, gcast_error *err);

#endif
