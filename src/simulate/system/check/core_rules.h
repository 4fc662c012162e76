/* Rules of each core: one task at a time, and none waits while one of lower priority runs. */
#ifndef SIMULATE_SYSTEM_CHECK_CORE_RULES_H
#define SIMULATE_SYSTEM_CHECK_CORE_RULES_H

#include "simulate/system/check/job_walk.h"

/* Sorts the spans. */
gcast_status core_rules_check(const sys_run *run, wait_spans *spans, gcast_error *err);

#endif
