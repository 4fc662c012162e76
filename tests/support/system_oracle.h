/* Executes a system in the slowest way, one nanosecond after the other: cores, and a GPU on which one kernel runs at a
 * time and each job is one kernel. For small times only. */
#ifndef TESTS_SUPPORT_SYSTEM_ORACLE_H
#define TESTS_SUPPORT_SYSTEM_ORACLE_H

#include "simulate/system/system_simulate.h"

/* The run that is expected, as jobs by task, then number; the caller frees *jobs. `horizon_ns`: roots are released
 * before. */
void system_oracle(const sys_system *s, const sys_simulate_options *options, int64_t horizon_ns, sys_job **jobs,
                   size_t *count);

#endif
