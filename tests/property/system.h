/* Systems to attack bounds with: random workloads with open durations, order and releases, and executions in which
 * these are fixed. */
#ifndef PROPERTY_SYSTEM_H
#define PROPERTY_SYSTEM_H

#include "property/generate.h"

typedef struct random_system {
    generated g;              /* the workload and GPU as generated */
    gcast_workload *workload; /* the workload of g with jitter, mostly without features that no bound covers */
    bool any_order;           /* calls at one time are made in any order */
    int64_t launch_max_ns;    /* a launch takes from the GPU's latency to this; 0: the GPU's latency */
    int64_t copy_max_ns;      /* a copy takes from the GPU's latency to this; 0: the GPU's latency */
} random_system;

random_system random_system_make(uint64_t seed);
/* busy_system.c: one whose tasks keep the GPU busy. */
random_system busy_system_make(uint64_t seed);
/* late_system.c: one in which some tasks begin periods after others. */
random_system late_system_make(uint64_t seed);
/* busy_system.c: a copy that takes up to max_ns. */
gcast_op random_copy(support_random *r, int64_t max_ns);
/* turned_system.c: one in which the turn of an SM's quarters decides what fits. */
random_system turned_system_make(uint64_t seed);
/* plain_system.c: a small one whose bounds are close. */
random_system plain_system_make(uint64_t seed);
void random_system_free(random_system *s);
/* Its workload with ops that run once, and tasks, in another order; original[] gets the op of the system of each op. */
gcast_workload *random_system_ordered(const random_system *s, const size_t *order, const size_t *tasks,
                                      size_t *original);

/* One execution: an order, durations, and releases, drawn from the seed. */
typedef struct execution {
    gcast_workload *workload; /* with ops in the order drawn; where late jobs pass others, one op for each operation */
    size_t *original;         /* of each of its ops: the op of the system's workload */
    gcast_run *run;           /* its simulation */
} execution;

execution execute(const random_system *s, uint64_t seed);
void execution_free(execution *e);

#endif
