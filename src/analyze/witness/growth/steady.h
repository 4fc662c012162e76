/* A proof that a run piles up: two times, a multiple of the hyperperiod apart, at which everything is the same but that
 * more operations wait at the ends of some stream queues (docs/analysis.md, "Piling up"). */
#ifndef ANALYZE_WITNESS_GROWTH_STEADY_H
#define ANALYZE_WITNESS_GROWTH_STEADY_H

#include "gridcast/run.h"

typedef struct steady_growth {
    int64_t earlier_ns; /* -1: no such times were found */
    int64_t later_ns;   /* a multiple of the hyperperiod after it */
    int64_t *backlog;   /* by stream: how many operations more wait at the later one; the caller's memory */
} steady_growth;

/* `first_ns`: from here on all releases repeat. False without memory. */
bool steady_find(const gcast_run *run, int64_t first_ns, int64_t hyperperiod_ns, steady_growth *found);

#endif
