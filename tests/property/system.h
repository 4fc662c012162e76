/* Systems to attack bounds with: random workloads with open durations, order and releases, and executions in which
 * these are fixed. */
#ifndef PROPERTY_SYSTEM_H
#define PROPERTY_SYSTEM_H

#include "property/generate.h"

typedef struct random_system {
    generated g;              /* the workload and GPU as generated */
    gcast_workload *workload; /* the workload of g with jitter, mostly without features that no bound covers */
    bool any_order;           /* calls at one time are made in any order */
} random_system;

random_system random_system_make(uint64_t seed);
void random_system_free(random_system *s);

/* One execution: an order, durations, and releases, drawn from the seed. */
typedef struct execution {
    gcast_workload *workload; /* with ops in the order drawn */
    size_t *original;         /* index of each of its ops in the system's workload */
    gcast_run *run;           /* its simulation */
} execution;

execution execute(const random_system *s, uint64_t seed);
void execution_free(execution *e);

#endif
