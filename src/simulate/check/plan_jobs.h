/* C-jobs: the rules of the jobs of kernels with a plan. */
#ifndef SIMULATE_CHECK_PLAN_JOBS_H
#define SIMULATE_CHECK_PLAN_JOBS_H

#include "base/vec.h"
#include "gridcast/run.h"

/* A job of a run. */
typedef struct plan_job {
    int64_t start_ns; /* when it started */
    int64_t end_ns;   /* when it ended */
    uint32_t op;      /* its operation of the run */
    uint32_t job;     /* its number */
} plan_job;

typedef VEC(plan_job) plan_job_list;

/* Was the operation i run by workers? */
bool check_has_plan(const gcast_run *run, size_t i);
/* Checks C-jobs of the operation i, which has a plan. */
gcast_status check_plan_jobs(const gcast_run *run, size_t i, gcast_error *err);
/* Lists the jobs of all operations with a plan, by start; false without memory. */
bool check_list_jobs(const gcast_run *run, plan_job_list *list);

#endif
