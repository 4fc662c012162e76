/* Rules of a GPU that is shared by slices of time: the operations of jobs, the copy engine, the turns of contexts. */
#ifndef SIMULATE_SYSTEM_CHECK_TURN_RULES_H
#define SIMULATE_SYSTEM_CHECK_TURN_RULES_H

#include "simulate/system/check/job_walk.h"

gcast_status turn_rules_check(const sys_run *run, const job_slices *slices, gcast_error *err);

#endif
