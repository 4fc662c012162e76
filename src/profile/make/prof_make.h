/* From a profile to a workload: hosts that make the program's calls with its pauses, streams, and operations with the
 * times that the profile tells (docs/profiles.md says how each is found). */
#ifndef PROFILE_MAKE_PROF_MAKE_H
#define PROFILE_MAKE_PROF_MAKE_H

#include "gridcast/run.h"
#include "profile/make/make_options.h"
#include "profile/profile_findings.h"

/* What an operation of `recorded` is in the profile. */
typedef struct prof_made_op {
    uint32_t op; /* index in the trace */
    bool beside; /* a kernel that other kernels ran beside */
    int64_t
        alone_ns;    /* of a kernel: the shortest launch alone of the same kernel and shape; INT64_MAX: there is none */
    int64_t held_ns; /* part of its duration in which it only held up the next node of its graph */
} prof_made_op;

typedef struct prof_made {
    gcast_workload *workload; /* with host threads */
    gcast_workload *recorded; /* the same without: each operation is called when the program called it; or NULL */
    gcast_run *run;           /* of `recorded`: what the profile says; or NULL */
    prof_made_op *ops;        /* by operation of `recorded`; or NULL */
    prof_findings findings;   /* of the making; those of the trace come before them */
} prof_made;

/* All of the trace, with the rest at its default. */
prof_make_options prof_make_options_default(void);
/* *made is empty where this fails. GCAST_INPUT: nothing is left, or --device, a range, a step name nothing. */
gcast_status prof_make(const prof_trace *t, const prof_make_options *options, prof_made *made, gcast_error *err);
void prof_made_free(prof_made *made);

#endif
