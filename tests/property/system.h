/* Systems to attack bounds with: random workloads whose durations, order and releases
 * are left open, and executions that each settle them. */
#ifndef PROPERTY_SYSTEM_H
#define PROPERTY_SYSTEM_H

#include "property/generate.h"

typedef struct random_system {
    generated g;
    gcast_workload *workload; /* that of g, with jitter, and mostly without what no bound covers */
    bool any_order;
} random_system;

random_system random_system_make(uint64_t seed);
void random_system_free(random_system *s);

/* One execution: an order, durations, and releases, drawn from the seed. */
typedef struct execution {
    gcast_workload *workload; /* with ops in the order drawn */
    size_t *original;         /* index of each of its ops in the system's workload */
    gcast_run *run;
} execution;

execution execute(const random_system *s, uint64_t seed);
void execution_free(execution *e);

#endif
