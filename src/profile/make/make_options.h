/* What the maker of a workload is told. */
#ifndef PROFILE_MAKE_MAKE_OPTIONS_H
#define PROFILE_MAKE_MAKE_OPTIONS_H

#include "gridcast/gpu.h"
#include "profile/trace.h"

/* Which blocks take how long. */
typedef enum {
    PROF_DURATIONS_LAUNCH, /* each launch as long as it was recorded */
    PROF_DURATIONS_KERNEL, /* an interval, over all launches of the kernel */
} prof_durations;

/* Which events count. */
typedef enum {
    PROF_EVENTS_INFERRED, /* also those that times and the order of calls tell */
    PROF_EVENTS_TOLD,     /* only those whose record and stream the profile tells */
} prof_events;

typedef struct prof_make_options {
    const char *name;             /* of the workload */
    const gcast_gpu *gpu;         /* that it is for */
    const gcast_gpu *recorded_on; /* that the profile is of; NULL: not known, `gpu` is taken */
    int partition_sms;            /* the SMs of `gpu` that it had; 0: all of them */
    int connections;              /* that the program had; 0: as the profile shows, or the GPU has by default */
    int64_t device;               /* number of the GPU in the profile; PROF_UNKNOWN: the only one */
    int64_t from_ns, to_ns;       /* calls that begin from here to before there, in the times of the trace */
    const char *range;            /* calls in a range of this name: NULL: any */
    uint64_t range_number;        /* which of several, from 1 */
    bool all_threads;             /* calls of any thread while that range lasts, not only of the range's own */
    int64_t step;                 /* calls in a step of the profiler; PROF_UNKNOWN: any */
    prof_durations durations;
    prof_events events;
    int64_t excess_ns;     /* how much wider than their blocks kernels seem, where gaps between them do not tell */
    bool without_recorded; /* only the workload with host threads is made */
} prof_make_options;

#endif
