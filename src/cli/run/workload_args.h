/* The workload and the GPU that a command line names. */
#ifndef CLI_RUN_WORKLOAD_ARGS_H
#define CLI_RUN_WORKLOAD_ARGS_H

#include "cli/args.h"

/* For a command's table of options. */
#define PARTITION_OPTIONS                                                                                              \
    {"sms", 0, "N", "the first N SMs only"},                                                                           \
        {"duration", 0, "LABEL=TIME", "what a block of LABEL takes: K1=1.5ms; may repeat"},                            \
        {"calibration", 0, "FILE", "the same from a file: {\"K1\": 1500000}, in ns"},                                  \
    {                                                                                                                  \
        "iterations", 0, "N", "loop examiner benchmarks at most N times"                                               \
    }
#define WORKLOAD_OPTIONS {"gpu", 0, "GPU", "a preset, a GPU file or \"sms:2 cc:6.2\""}, PARTITION_OPTIONS

/* Loads a workload, says its notes, and applies --calibration, --duration and --sms. `gpu` is what
 * gcast_read_options has; it may be NULL. */
gcast_status workload_open_plain(const args *a, const char *path, const gcast_gpu *gpu, gcast_workload **w);
/* Loads the workload and its GPU: that of --gpu, else a copy of the workload's, with only the SMs of --sms or of the
 * workload's partition. *gpu is NULL where neither names one. */
gcast_status workload_open(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu);
/* As workload_open, but it is an error where no GPU is named. */
gcast_status workload_from_args(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu);

#endif
