/* What becomes of a profile or a recording: options, the GPU, the workload that is made of it, and its files. */
#ifndef CLI_IMPORT_IMPORT_TRACE_H
#define CLI_IMPORT_IMPORT_TRACE_H

#include "cli/args.h"
#include "profile/make/prof_make.h"

/* Options of all commands that make workloads of traces. */
#define IMPORT_OPTIONS                                                                                                 \
    {"recorded", 0, "FILE", "the recorded times, as a corpus for gridcast verify"},                                    \
        {"gpu", 0, "GPU", "the GPU of the workload (default: that of the profile)"},                                   \
        {"connections", 0, "N", "CUDA_DEVICE_MAX_CONNECTIONS of the program (default: as seen, or CUDA's)"},           \
        {"device", 0, "N", "which GPU, where the profile has several"},                                                \
        {"range", 0, "START-END", "calls made in this time, from the profile's beginning"},                            \
        {"nvtx", 0, "NAME[#K]", "calls made in the K-th range of this name, by its thread"},                           \
        {"all-threads", 0, NULL, "with --nvtx: calls of all threads in that time"},                                    \
        {"durations", 0, "SPANS", "launch (each as recorded, default) or kernel (an interval)"},                       \
        {"events", 0, "EVENTS", "inferred (default), or told: only what the profile says"},                            \
    {                                                                                                                  \
        "name", 0, "NAME", "the name of the workload"                                                                  \
    }

/* All that such a command holds. */
typedef struct importing {
    const args *a;
    prof_make_options options;
    gcast_gpu *gpu;         /* that the workload is for */
    gcast_gpu *recorded_on; /* that the profile is of; NULL: not known */
    prof_made made;
} importing;

/* Does it make a workload? */
bool import_writes(const args *a);
/* Options and outputs, before the profile is there. Errors are printed. `name` is that of the workload where --name
 * gives none. */
gcast_status import_open(importing *x, const args *a, const char *name);
/* Makes the workload, says what was found, and writes the files. */
gcast_status import_trace(importing *x, const prof_trace *t);
void import_close(importing *x);
/* Notes of what the profile lacks. */
void import_say_findings(const prof_finding *list, size_t count);

#endif
