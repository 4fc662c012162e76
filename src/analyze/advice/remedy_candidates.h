/* Changes to a workload that may shorten the waits of a pair. */
#ifndef ANALYZE_ADVICE_REMEDY_CANDIDATES_H
#define ANALYZE_ADVICE_REMEDY_CANDIDATES_H

#include "base/vec.h"
#include "gridcast/remedy.h"

typedef struct remedy_candidate {
    gcast_change change; /* what is tried */
    int series;          /* changes of one series differ only in their value, the smallest change first */
} remedy_candidate;

typedef VEC(remedy_candidate) remedy_candidates;

/* In the order of the waits; false without memory. */
bool remedy_collect(const gcast_run *run, const gcast_pair *pair, remedy_candidates *out);

#endif
