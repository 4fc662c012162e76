/* The block scheduler: a workload and a GPU give a run. */
#ifndef GRIDCAST_SIMULATE_H
#define GRIDCAST_SIMULATE_H

#include <stddef.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/run.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

/* The duration of a block where the workload gives a range. */
#define GCAST_DURATIONS_TABLE(X)                                                                                       \
    X(MAX, "max", "the longest")                                                                                       \
    X(MIN, "min", "the shortest")                                                                                      \
    X(RANDOM, "random", "drawn evenly for each block")

typedef enum {
#define GCAST_X(id, name, text) GCAST_DURATIONS_##id,
    GCAST_DURATIONS_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_DURATIONS_COUNT
} gcast_durations;

typedef struct gcast_simulate_options {
    size_t size; /* of the struct, as the caller was compiled */
    bool record_blocks;
    int64_t record_from_ns; /* record_blocks: only blocks that run in a window are recorded; its start */
    int64_t record_to_ns;   /* end of the window; 0: all blocks are recorded */
    gcast_durations durations;
    uint64_t seed;    /* of random durations */
    int64_t noise_ns; /* maximum noise, drawn for every block and copy */
    uint64_t noise_seed;
    bool scatter;       /* launch latencies and starving vary at random, as on the GPU; drawn with noise_seed */
    int64_t horizon_ns; /* tasks are released before this; 0: largest offset + hyperperiod */
    /* By operation: when it is called, instead of the workload's times; NULL: the workload's times. Operations with one
     * time are called in their order, which is that of the workload's own releases. */
    const int64_t *releases;
    size_t release_count; /* must be the number of operations where releases is given */
    bool as_measured;     /* kernels with the body spin sleep like those of measure: they end on clock ticks */
    bool merge_processes; /* simulate several processes as if they were one */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
    bool random_placement;   /* a block goes to an SM drawn from those on which it fits, whatever the GPU's placement */
    uint64_t placement_seed; /* of random_placement */
    /* Kernels that launch kernels */
    bool override_spawn; /* spawn_policy and spawn_threshold replace those of the workload */
    gcast_spawn_policy spawn_policy;
    uint32_t spawn_threshold;
    const gcast_spawn_options *spawn; /* of the policy spawn; NULL: the defaults */
    const int64_t *latencies; /* by operation: time from its call to its stream's queue, instead of the GPU's time;
                                 NULL: the GPU's time */
    size_t latency_count;     /* must be the number of operations where latencies is given */
    /* Takes all blocks, many at a time, in about the order in which they start; NULL. They are not recorded then, so
     * that a run of any number of blocks needs little memory. Not those of children. False stops. */
    bool (*each_block)(void *data, const gcast_started_block *blocks, size_t count);
    void *each_block_data;
} gcast_simulate_options;

static inline gcast_simulate_options gcast_simulate_options_default(void)
{
    gcast_simulate_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.durations = GCAST_DURATIONS_MAX;
    return options;
}

/* `gpu` NULL: the workload's. *run is to be freed by the caller and refers to
 * `workload`, which must outlive it. */
GCAST_API gcast_status gcast_workload_simulate(const gcast_workload *workload, const gcast_gpu *gpu,
                                               const gcast_simulate_options *options, gcast_run **run,
                                               gcast_error *err);

GCAST_END_DECLS

#endif
