/* Workloads from profiles of real programs: exports of Nsight Systems (SQLite) and traces of Kineto (PyTorch). How well
 * such a workload predicts what was recorded. */
#ifndef GRIDCAST_PROFILE_H
#define GRIDCAST_PROFILE_H

#include <stdint.h>
#include <string.h>

#include "gridcast/gpu.h"
#include "gridcast/report.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

/* Which part of a profile is taken, and how. */
typedef struct gcast_import_options {
    size_t size;            /* of the struct, as the caller was compiled */
    const gcast_gpu *gpu;   /* of the workload; NULL: that of the profile */
    const char *name;       /* of the workload; NULL: "profile" */
    int64_t device;         /* which GPU, where the profile has several; -1: the only one */
    int64_t step;           /* only calls in this step of PyTorch's profiler; -1: any */
    const char *range;      /* only calls in a range of this name (NVTX, record_function); NULL: any */
    uint64_t range_number;  /* which of several ranges of that name, from 1 */
    bool all_threads;       /* with `range`: calls of all threads in that time */
    int64_t from_ns, to_ns; /* only calls that begin in this time, from the profile's beginning; to_ns 0: its end */
    int connections;        /* of the program; 0: as seen in the profile, else the GPU's default */
    bool kernel_durations;  /* blocks take an interval over all launches of their kernel; else as each launch did */
    bool told_events;       /* only waits for events that the profile tells; else also those that times show */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
} gcast_import_options;

static inline gcast_import_options gcast_import_options_default(void)
{
    gcast_import_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.device = options.step = -1;
    options.range_number = 1;
    return options;
}

/* A workload whose hosts make the program's calls, with its pauses (docs/profiles.md). What the profile lacks or leaves
 * open, and what was done about it, are the workload's notes. GCAST_INPUT: the file is no profile, or nothing is left
 * of it. */
GCAST_API gcast_status gcast_workload_import(const char *path, const gcast_import_options *options, gcast_workload **w,
                                             gcast_error *err);

/* A profile, and the simulation of the workload that was made of it. Errors are absolute: of the starts, which count
 * from the first start on each side, and of the durations of all operations. */
typedef struct gcast_replay {
    const char *name;                 /* of the workload */
    size_t op_count;                  /* operations compared */
    int64_t recorded_ns, replayed_ns; /* from the first start to the last end */
    int64_t start_median_ns, start_p90_ns;
    int64_t duration_median_ns, duration_p90_ns;
    void *memory;
} gcast_replay;

/* Makes the workload, simulates it, and compares all operations with their recorded times: how far may predictions for
 * this program be off? The progress of reading is followed by that of the simulation. GCAST_INPUT also where the
 * simulation does not reach its end. Free it with gcast_replay_free. */
GCAST_API gcast_status gcast_profile_replay(const char *path, const gcast_import_options *options,
                                            gcast_replay **replay, gcast_error *err);
GCAST_API void gcast_replay_free(gcast_replay *replay);
/* Errors by name, where errors begin and why, and kernels slowed down by others. Formats: TABLE, JSON
 * (gridcast.replay/1). */
GCAST_API gcast_status gcast_replay_report(const gcast_replay *replay, gcast_format format, gcast_write_fn write,
                                           void *data, gcast_error *err);

GCAST_END_DECLS

#endif
