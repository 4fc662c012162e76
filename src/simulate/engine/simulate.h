/* A simulation of the GPU whose operations are called from outside while it runs: by a simulation with events of its
 * own, such as cores that run tasks. */
#ifndef SIMULATE_ENGINE_SIMULATE_H
#define SIMULATE_ENGINE_SIMULATE_H

#include "gridcast/simulate.h"

struct sim;

typedef struct outside {
    void *context; /* for the functions below */
    /* Called once, first: the operations of the run, by index. False without memory. */
    bool (*start)(void *context, struct sim *gpu, const gcast_run_op *ops, size_t count);
    /* An operation is complete now; `step` follows for the same time. */
    void (*completed)(void *context, const gcast_run_op *op, uint32_t index, int64_t now);
    /* Acts now, after all ends on the GPU; it may call operations (outside_call). *next gets the time of its own next
     * event; INT64_MAX: there is none. A failure ends the simulation. */
    gcast_status (*step)(void *context, int64_t now, int64_t *next);
} outside;

/* As gcast_workload_simulate, but operations are called only from outside. Those that are never called count as
 * skipped. The caller checks the run. */
gcast_status simulate_from_outside(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                   const outside *from, gcast_run **out, gcast_error *err);

/* Calls an operation now, within `step`. Operations that are called at one time are called by index. */
void outside_call(struct sim *gpu, uint32_t index);

#endif
