/* Do responses grow without bound? Looked for in the execution with all durations and latencies longest. */
#ifndef ANALYZE_WITNESS_GROWTH_GROWTH_H
#define ANALYZE_WITNESS_GROWTH_GROWTH_H

#include "gridcast/simulate.h"
#include "gridcast/witness.h"

typedef struct growth {
    gcast_backlog kind;          /* what was found */
    uint64_t hyperperiods;       /* that were simulated */
    int64_t *per_hyperperiod_ns; /* by op: by how much its response grows; 0: it is not known to; the caller's memory */
    uint32_t to_miss;            /* hyperperiods until all deadlines of growing ops are missed that are so in the run */
    char why[300];               /* the proof, as a sentence; empty: there is none */
} growth;

/* `options`: progress is asked now and then. The workload has been checked. */
gcast_status growth_find(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                         growth *g, gcast_error *err);

#endif
