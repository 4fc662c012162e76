/* The workload and the GPU that a command line names. */
#ifndef CLI_WORKLOAD_ARGS_H
#define CLI_WORKLOAD_ARGS_H

#include "cli/args.h"

/* Options for a command's table. */
#define PARTITION_OPTIONS                                                                                              \
    {"sms", 0, "N", "the first N SMs only"},                                                                           \
        {"duration", 0, "LABEL=TIME", "what a block of LABEL takes: K1=1.5ms; may repeat"},                            \
        {"calibration", 0, "FILE", "the same from a file: {\"K1\": 1500000}, in ns"},                                  \
    {                                                                                                                  \
        "iterations", 0, "N", "loop examiner benchmarks at most N times"                                               \
    }
#define WORKLOAD_OPTIONS {"gpu", 0, "GPU", "a preset, a GPU file or \"sms:2 cc:6.2\""}, PARTITION_OPTIONS

/* Loads a workload, prints its notes, and applies --calibration, --duration and --sms. `gpu` is for gcast_read_options,
 * and may be NULL. Errors are printed, here and below. */
gcast_status workload_open_plain(const args *a, const char *path, const gcast_gpu *gpu, gcast_workload **w);
/* Loads the workload and its GPU: that of --gpu, else a copy of the workload's. The GPU has only the SMs of --sms or of
 * the workload's partition. *gpu is NULL if neither names one. */
gcast_status workload_open(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu);
/* As workload_open, but a GPU must be named. */
gcast_status workload_from_args(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu);

#endif
