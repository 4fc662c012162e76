/* Tests whether responses grow without bound, in the execution with all durations and latencies longest. */
#ifndef ANALYZE_WITNESS_GROWTH_H
#define ANALYZE_WITNESS_GROWTH_H

#include "analyze/witness/witness.h"
#include "gridcast/simulate.h"

typedef struct growth {
    gcast_backlog kind;          /* the result */
    uint64_t hyperperiods;       /* simulated hyperperiods */
    int64_t *per_hyperperiod_ns; /* by op: growth of its response; 0: unknown; the caller's memory */
    uint32_t to_miss; /* hyperperiods until each growing op has missed its deadline, as far as the run shows */
    char why[300];    /* the proof, as a sentence; empty: there is none */
} growth;

/* The workload has been checked. `options`: its progress function may stop the test. */
gcast_status growth_find(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                         growth *g, gcast_error *err);

#endif
