/* Converts a profile to a workload: hosts make the program's calls with its pauses; streams and operations have the
 * recorded times (docs/profiles.md says how each is found). */
#ifndef PROFILE_MAKE_PROF_MAKE_H
#define PROFILE_MAKE_PROF_MAKE_H

#include "gridcast/gpu.h"
#include "gridcast/run.h"
#include "profile/profile_findings.h"
#include "profile/trace.h"

/* How durations of blocks are given. */
typedef enum {
    PROF_DURATIONS_LAUNCH, /* each launch takes as long as recorded */
    PROF_DURATIONS_KERNEL, /* an interval over all launches of the kernel */
} prof_durations;

/* Which waits for events become dependencies. */
typedef enum {
    PROF_EVENTS_INFERRED, /* also those that only times and the order of calls show */
    PROF_EVENTS_TOLD,     /* only those whose record and stream are in the profile */
} prof_events;

typedef struct prof_make_options {
    const char *name;             /* name of the workload */
    const gcast_gpu *gpu;         /* target GPU of the workload */
    const gcast_gpu *recorded_on; /* GPU of the profile; NULL: unknown, `gpu` is taken */
    int partition_sms;            /* number of SMs of `gpu` that are used; 0: all */
    int connections;              /* connections of the program; 0: as seen in the profile, else the GPU's default */
    int64_t device;               /* number of the GPU in the profile; PROF_UNKNOWN: the only one */
    int64_t from_ns, to_ns;       /* only calls that begin at from_ns or later, and before to_ns; times of the trace */
    const char *range;            /* only calls in a range of this name; NULL: any */
    uint64_t range_number;        /* which of several such ranges, from 1 */
    bool all_threads;             /* calls of any thread during the range, not only of the range's own thread */
    int64_t step;                 /* only calls in this step of the profiler; PROF_UNKNOWN: any */
    prof_durations durations;
    prof_events events;
    int64_t excess_ns;     /* recorded minus true span of a kernel, if gaps between kernels do not show it */
    bool without_recorded; /* only the workload with host threads is made */
} prof_make_options;

/* An operation of `recorded` in the profile. */
typedef struct prof_made_op {
    uint32_t op;      /* index in the trace */
    bool beside;      /* a kernel that ran beside other kernels */
    int64_t alone_ns; /* shortest launch of the same kernel and shape that ran alone; INT64_MAX: none did */
    int64_t held_ns;  /* part of its duration in which it only held up the next node of its graph */
} prof_made_op;

typedef struct prof_made {
    gcast_workload *workload; /* with host threads */
    gcast_workload *recorded; /* without: each operation is called when the program called it; or NULL */
    gcast_run *run;           /* run of `recorded` with the times of the profile; or NULL */
    prof_made_op *ops;        /* by operation of `recorded`; or NULL */
    prof_findings findings;   /* of the conversion; those of the trace come before them */
} prof_made;

/* The whole trace, with all other options at their defaults. */
prof_make_options prof_make_options_default(void);
/* *made is empty where this fails. GCAST_INPUT: nothing is left, or the device, range or step does not exist. */
gcast_status prof_make(const prof_trace *t, const prof_make_options *options, prof_made *made, gcast_error *err);
void prof_made_free(prof_made *made);

#endif
