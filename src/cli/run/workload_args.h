/* What every command that takes a workload has in common. */
#ifndef CLI_RUN_WORKLOAD_ARGS_H
#define CLI_RUN_WORKLOAD_ARGS_H

#include "cli/command.h"

/* Lines for a command's table of options. */
#define PARTITION_OPTIONS                                                                                              \
    {"sms", 0, "N", "the first N SMs only"},                                                                           \
        {"duration", 0, "LABEL=TIME", "what a block of LABEL takes, such as K1=1.5ms; may repeat"},                    \
        {"calibration", 0, "FILE", "the same from a file: {\"K1\": 1500000}, in nanoseconds"},                         \
    {                                                                                                                  \
        "iterations", 0, "N", "loop examiner benchmarks at most N times"                                               \
    }
#define WORKLOAD_OPTIONS                                                                                               \
    {"gpu", 0, "GPU", "a preset, a GPU file or \"sms:2 cc:6.2\"; overrides the workload's"}, PARTITION_OPTIONS

/* Load the workload, say its notes, apply --calibration, --duration and --sms.
 * `gpu` helps to read it (gcast_read_options); may be NULL. */
gcast_status workload_open_plain(const args *a, const char *path, const gcast_gpu *gpu, gcast_workload **w);
/* The same, and the GPU: that of --gpu, else a copy of the workload's, cut down to
 * --sms or the workload's partition; NULL where neither names one. */
gcast_status workload_open(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu);
/* The same, but no GPU is an error. */
gcast_status workload_from_args(const args *a, const char *path, gcast_workload **w, gcast_gpu **gpu);

#endif
