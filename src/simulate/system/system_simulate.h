/* Executes a system: cores with fixed priorities, and the GPU, together.
 *
 * Cores. A core runs the ready job of the highest priority, interrupts (isr) before all. Of equal priorities it takes
 * the job that was released first, then that of the lower task index; a running job is not preempted by an equal one. A
 * task that is not preemptive runs from where it got its core to its next wait or its end, a cooperative one can be
 * preempted between two steps; this holds for interrupts too. A job waits until the previous job of its task has ended.
 *
 * Steps that take no time (triggers, waits that are over, code of 0 ns, the end of a job) are done together with the
 * step before them, before anything preempts; at the start of a job or after a wait, as soon as it has its core. A task
 * that waits suspends itself or, with sys_place.busy, holds its core; then it may be preempted whatever its kind, and
 * goes on when the job that it waits for has ended and it has its core. A wait for a task of the same core whose
 * priority is not higher would never end that way: that task always suspends itself.
 *
 * At one time: operations end on the GPU, then steps on cores, core by core; then jobs of roots are released; then each
 * core decides; then the GPU starts operations.
 *
 * GPU. The operations of a job are called when it is released, one after the other in a stream of the task, and take
 * the latencies of the GPU. The job ends with the last. With one context this is as docs/model.md says; the stream's
 * priority is that of the place with the sign changed, as far as the GPU has it. With slices of time each task is a
 * context: copies go through one copy engine, first come first served, and take the time of their op; kernels take
 * their time `alone`, in slices. Contexts with a kernel to run have their slices in turn, by task index, and a slice
 * ends at the latest when its kernel does. A switch to another context takes switch_ns. A slice of 0 has no end.
 * Nothing on the GPU takes less than 1 ns.
 *
 * The execution goes on until all jobs that were released before the horizon have ended. */
#ifndef SIMULATE_SYSTEM_SYSTEM_SIMULATE_H
#define SIMULATE_SYSTEM_SYSTEM_SIMULATE_H

#include "gridcast/simulate.h"
#include "model/system_run.h"

typedef struct sys_simulate_options {
    gcast_durations durations; /* of code, copies and blocks */
    uint64_t
        seed; /* of durations, jitter, distances and offsets; 0: sporadic tasks are released at their least distance */
    bool random_offsets; /* each root task begins at a time drawn from its period, not at its offset */
    bool random_jitter;  /* releases are drawn from their jitter; else they are as early as possible */
    int64_t horizon_ns;  /* nominal releases are before it; 0: one hyperperiod after the largest offset, an error where
                            that  is 2^59 ns or more, or has more than 10,000,000 jobs */
    bool record;         /* slices, and the blocks of the GPU */
    bool record_slices;  /* slices only */
} sys_simulate_options;

/* `places` NULL: those of the system, which must have passed system_check. */
gcast_status system_simulate(const sys_system *s, const sys_place *places, const sys_simulate_options *options,
                             sys_run **out, gcast_error *err);
/* Does the run keep the rules: one task on a core at a time, none waits while one of lower priority runs, each step as
 * long as it may be, releases when they are due? Shares no code with system_simulate. Without slices, only rules that
 * the times of jobs show. GCAST_INTERNAL names the first job that breaks a rule. */
gcast_status system_run_check(const sys_run *run, gcast_error *err);

#endif
