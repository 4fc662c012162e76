/* An execution of a system: cores with preemptive fixed priorities and the GPU in one timeline. */
#ifndef MODEL_SYSTEM_RUN_H
#define MODEL_SYSTEM_RUN_H

#include "gridcast/run.h"
#include "model/system.h"

#define SYS_NO_JOB UINT32_MAX

typedef struct sys_job {
    int task;
    uint32_t number;         /* of the root's release: 0, 1, ... */
    int64_t root_release_ns; /* nominal: offset + number * period */
    int64_t release_ns;      /* when it was released */
    int64_t start_ns;        /* first step that takes time; -1: never */
    int64_t end_ns;          /* -1: never, as something that it waits for never happens */
} sys_job;

/* A part of a job that runs on a core, or on a GPU with time slices, without a pause. */
typedef struct sys_slice {
    int core; /* or SYS_GPU */
    uint32_t job;
    uint32_t step;
    bool waits; /* holds the core while it waits */
    int64_t start_ns, end_ns;
} sys_slice;

typedef struct sys_run {
    const sys_system *of;
    const sys_place *places;
    const sys_job *jobs; /* released jobs, by task, then number */
    size_t job_count;
    const sys_slice *slices; /* by start; only if they were asked for */
    size_t slice_count;
    bool is_recorded;         /* slices were asked for */
    gcast_workload *workload; /* of the GPU's ops; NULL: none */
    gcast_run *gpu;           /* the GPU's run; NULL: none, or sliced */
    const uint32_t *op_job;   /* by op of the GPU's run: its job in jobs[]; SYS_NO_JOB: it was never called */
    int64_t horizon_ns, end_ns;
    arena memory;
} sys_run;

/* A run without jobs, with a copy of the places; it is the first thing in its arena. NULL without memory. */
sys_run *system_run_create(const sys_system *s, const sys_place *places);
void system_run_free(sys_run *run);

#endif
