/* From a profile or a recording to files: options, the GPU, the workload that is made, and its output. */
#ifndef CLI_COMMANDS_IMPORT_TRACE_H
#define CLI_COMMANDS_IMPORT_TRACE_H

#include "cli/args.h"
#include "profile/make/prof_make.h"

/* Options of all commands that make workloads of traces. */
#define IMPORT_OPTIONS                                                                                                 \
    {"recorded", 0, "FILE", "write the recorded times as a corpus for gridcast verify"},                               \
        {"gpu", 0, "GPU", "GPU of the workload (default: the GPU of the profile)"},                                    \
        {"connections", 0, "N", "CUDA_DEVICE_MAX_CONNECTIONS of the program (default: as recorded, else CUDA's)"},     \
        {"device", 0, "N", "which GPU, if the profile has several"},                                                   \
        {"range", 0, "START-END", "only calls made in this time, from the start of the profile"},                      \
        {"nvtx", 0, "NAME[#K]", "only calls made in the K-th range NAME, by the thread of the range"},                 \
        {"all-threads", 0, NULL, "with --nvtx: calls of all threads in the time of the range"},                        \
        {"durations", 0, "SPANS", "launch (each as recorded, default) or kernel (a range for all launches)"},          \
        {"events", 0, "EVENTS", "inferred from times (default), or told: only what the profile says"},                 \
    {                                                                                                                  \
        "name", 0, "NAME", "name of the workload"                                                                      \
    }

typedef struct importing {
    const args *a;             /* the command line */
    prof_make_options options; /* for making the workload */
    gcast_gpu *gpu;            /* the GPU of the workload */
    gcast_gpu *recorded_on;    /* the GPU of the profile; NULL: not known */
    prof_made made;            /* the workload */
} importing;

/* Do the options ask for a workload? */
bool import_writes(const args *a);
/* Reads the options and checks the outputs, before the profile is read. `name` is for a workload without --name. Errors
 * are printed, here and below. */
gcast_status import_open(importing *x, const args *a, const char *name);
/* Makes the workload, prints what was found, and writes the files. */
gcast_status import_trace(importing *x, const prof_trace *t);
void import_close(importing *x);
/* Prints findings as notes. */
void import_say_findings(const prof_finding *list, size_t count);

#endif
