/* What a prediction depends on: races, where less than the scatter of the hardware's times decides an order, and what
 * the workload leaves open. */
#ifndef GRIDCAST_RACES_H
#define GRIDCAST_RACES_H

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"

GCAST_BEGIN_DECLS

/* An operation whose end changes much if blocks, copies and launches take a little longer. */
typedef struct gcast_race {
    size_t run_op;                  /* index in the run */
    int64_t earliest_ns, latest_ns; /* of its ends, the run's own among them */
} gcast_race;

/* Simulate `trials` times again, every block and copy longer by up to the GPU's noise_ns and
 * launches and starving as they scatter there, drawn anew each time, and find the operations
 * whose ends are then farther apart than 1 % of the makespan or 20 microseconds, whichever is
 * larger. `gpu` and `options` are those of the simulation that gave `run`; progress is shown for all trials
 * together. *races, by run_op, is to be freed. None where the GPU's noise_ns and
 * launch_noise_ns are 0, that is, not known. */
GCAST_API gcast_status gcast_run_find_races(const gcast_run *run, const gcast_gpu *gpu,
                                            const gcast_simulate_options *options, int trials, gcast_race **races,
                                            size_t *count, gcast_error *err);

/* Adds to the notes of a simulated run what else may happen: operations with races, and operations that end at another
 * time with CUDA's defaults for what the workload leaves open (carveouts, streams that wait for the NULL stream). It
 * simulates the workload again without noise, and `trials` times for races; below 0: 8 times, and only if the run has
 * at most 100,000 blocks. `gpu` and `options` are those that gave `run`. */
GCAST_API gcast_status gcast_run_add_warnings(gcast_run *run, const gcast_gpu *gpu,
                                              const gcast_simulate_options *options, int trials, gcast_error *err);

GCAST_END_DECLS

#endif
