/* What tests expect of executions of systems. */
#ifndef TESTS_SUPPORT_EXPECT_RUN_H
#define TESTS_SUPPORT_EXPECT_RUN_H

#include "simulate/system/system_simulate.h"

/* The execution with all that is recorded, at the longest times unless the options say otherwise; it has to succeed. */
sys_run *expect_run(const sys_system *s, const sys_simulate_options *given);
/* The job of a task with this number. */
const sys_job *expect_the_job(const sys_run *run, int task, uint32_t number);
/* The times of a job. */
void expect_job(const sys_run *run, int task, uint32_t number, int64_t release, int64_t start, int64_t end);
/* The slices of a job, as text: "0-4 w7-11", with w before those in which it waits. */
void expect_slices(const sys_run *run, int task, uint32_t number, const char *expected);
/* Frees both. */
void expect_done(sys_run *run, sys_system *s);

#endif
