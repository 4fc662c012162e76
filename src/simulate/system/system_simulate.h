/* Executes a system: cores with preemptive fixed priorities and the GPU together. */
#ifndef SIMULATE_SYSTEM_SYSTEM_SIMULATE_H
#define SIMULATE_SYSTEM_SYSTEM_SIMULATE_H

#include "gridcast/simulate.h"
#include "model/system/system_run.h"

typedef struct sys_simulate_options {
    gcast_durations durations; /* of code, copies and blocks */
    uint64_t seed;             /* of durations, jitter, distances of sporadic tasks and random_offsets */
    bool random_offsets;       /* each root task begins at a time drawn from its period, not at its offset */
    bool random_jitter;        /* releases are drawn from their jitter; else they are as early as can be */
    int64_t horizon_ns;        /* root tasks are released before this; 0: one hyperperiod after the largest offset */
    bool record;               /* slices, and the blocks of the GPU */
} sys_simulate_options;

gcast_status system_simulate(const sys_system *s, const sys_place *places, const sys_simulate_options *options,
                             sys_run **out, gcast_error *err);
void system_run_free(sys_run *run);
/* Does the run keep the rules: one task on a core at a time, none waits while one of lower priority runs, each step as
 * long as it may be, releases when they are due? Independent of what made it. */
gcast_status system_run_check(const sys_run *run, gcast_error *err);

#endif
