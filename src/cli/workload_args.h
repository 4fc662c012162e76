/* The workload and the GPU that a command line names. */
#ifndef CLI_WORKLOAD_ARGS_H
#define CLI_WORKLOAD_ARGS_H

#include "cli/args.h"

/* Options for a command's table. */
#define PARTITION_OPTIONS                                                                                              \
    {"sms", 0, "N", "the first N SMs only"},                                                                           \
        {"duration", 0, "LABEL=TIME", "time of a block of LABEL: K1=1.5ms; may repeat"},                               \
        {"calibration", 0, "FILE", "durations from a file: {\"K1\": 1500000}, in ns"},                                 \
    {                                                                                                                  \
        "iterations", 0, "N", "loop examiner benchmarks at most N times"                                               \
    }
#define WORKLOAD_OPTIONS {"gpu", 0, "GPU", "a preset, a GPU file or \"sms:2 cc:6.2\""}, PARTITION_OPTIONS

/* A duration that the command line gives. */
typedef struct given_duration {
    const char *label; /* not terminated */
    size_t label_size;
    int64_t ns;
} given_duration;

/* Which workload on which GPU, as the command line says. */
typedef struct workload_request {
    const char *path;        /* the first operand */
    const char *gpu;         /* --gpu; NULL: the workload's */
    int sms;                 /* --sms; 0: all */
    int iterations;          /* --iterations; 0: no limit */
    const char *calibration; /* --calibration, a file; NULL */
    given_duration durations[MAX_OPTIONS];
    size_t duration_count;
} workload_request;

/* Reads the options. Errors are printed, here and below. */
gcast_status workload_request_read(const args *a, workload_request *r);
/* Loads a workload, prints its notes, and applies --calibration, --duration and --sms. `gpu` is for gcast_read_options,
 * and may be NULL. */
gcast_status workload_open_plain(const workload_request *r, const gcast_gpu *gpu, gcast_workload **w);
/* Loads the workload and its GPU: that of --gpu, else a copy of the workload's. The GPU has only the SMs of --sms or of
 * the workload's partition. *gpu is NULL if neither names one. */
gcast_status workload_open(const workload_request *r, gcast_workload **w, gcast_gpu **gpu);
/* As workload_open, but a GPU must be named. */
gcast_status workload_open_on_gpu(const workload_request *r, gcast_workload **w, gcast_gpu **gpu);
/* Reads the options, and does that. */
gcast_status workload_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu);

#endif
