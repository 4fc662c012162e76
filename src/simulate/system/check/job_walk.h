/* The slices of each job on a core, step by step: is each step as long as it may be, are triggers and waits where they
 * belong? Finds when the job waits for its core. */
#ifndef SIMULATE_SYSTEM_CHECK_JOB_WALK_H
#define SIMULATE_SYSTEM_CHECK_JOB_WALK_H

#include "base/vec.h"
#include "model/system/system_run.h"

/* A job waits for its core: it could run and does not. */
typedef struct wait_span {
    int core;
    int task;
    uint32_t job; /* in jobs[] */
    int64_t start_ns, end_ns;
} wait_span;

typedef struct wait_spans {
    VEC(wait_span) spans;
} wait_spans;

/* Slices of jobs: those of job j are by_job[first[j]] to before by_job[first[j + 1]], by start. */
typedef struct job_slices {
    uint32_t *first;
    const sys_slice **by_job;
    int64_t end_ns; /* of the last slice */
} job_slices;

gcast_status job_slices_init(job_slices *x, const sys_run *run, gcast_error *err);
void job_slices_free(job_slices *x);

/* first_job: as of job_rules_check, which the run has passed. */
gcast_status job_walk_check(const sys_run *run, const uint32_t *first_job, const job_slices *slices, wait_spans *spans,
                            gcast_error *err);

#endif
