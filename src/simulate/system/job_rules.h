/* Rules of a run that can be checked job by job: from the times of jobs, and from their slices. */
#ifndef SIMULATE_SYSTEM_JOB_RULES_H
#define SIMULATE_SYSTEM_JOB_RULES_H

#include "base/vec.h"
#include "model/system_run.h"

/* Checks releases, order, waits and least times. Sets first_job[t] to the first job of task t in jobs[]; one more at
 * the end. */
gcast_status job_rules_check(const sys_run *run, uint32_t *first_job, gcast_error *err);
/* The error that a job breaks a rule. */
gcast_status job_broken(const sys_run *run, const sys_job *job, const char *what, gcast_error *err);

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

/* Slices by job: those of job j begin at by_job[first[j]], by start. */
typedef struct job_slices {
    uint32_t *first;
    const sys_slice **by_job;
    int64_t end_ns; /* of the last slice */
} job_slices;

gcast_status job_slices_init(job_slices *x, const sys_run *run, gcast_error *err);
void job_slices_free(job_slices *x);

/* Checks the slices of each job on a core step by step: is each step as long as it may be, are triggers and waits where
 * they belong? Finds the spans in which jobs wait for their cores. first_job: from job_rules_check, which the run has
 * passed. */
gcast_status job_walk_check(const sys_run *run, const uint32_t *first_job, const job_slices *slices, wait_spans *spans,
                            gcast_error *err);

#endif
