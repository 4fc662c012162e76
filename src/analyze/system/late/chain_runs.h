/* What an execution shows of chains. */
#ifndef ANALYZE_SYSTEM_LATE_CHAIN_RUNS_H
#define ANALYZE_SYSTEM_LATE_CHAIN_RUNS_H

#include "model/system/system_answer.h"
#include "model/system/system_run.h"

/* Follows data from job to job, in chains whose tasks all have roots of their own. A latency beyond its bound is
 * GCAST_INTERNAL. */
gcast_status chains_look(const sys_answer *a, const sys_run *run, gcast_error *err);

#endif
