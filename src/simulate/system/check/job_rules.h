/* Rules of a run that the times of jobs show: releases, order, waits, least times. */
#ifndef SIMULATE_SYSTEM_CHECK_JOB_RULES_H
#define SIMULATE_SYSTEM_CHECK_JOB_RULES_H

#include "model/system/system_run.h"

/* first_job[t] gets where the jobs of task t begin in jobs[]; one more at the end. */
gcast_status job_rules_check(const sys_run *run, uint32_t *first_job, gcast_error *err);
/* The error that a job breaks a rule. */
gcast_status job_broken(const sys_run *run, const sys_job *job, const char *what, gcast_error *err);

#endif
