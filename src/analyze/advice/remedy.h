/* The parts of gcast_run_find_remedies. */
#ifndef ANALYZE_ADVICE_REMEDY_H
#define ANALYZE_ADVICE_REMEDY_H

#include "base/vec.h"
#include "gridcast/remedy.h"

/* A change that may help. Those of one series are alike but for their value, the smallest change first. */
typedef struct remedy_candidate {
    gcast_change change;
    int series;
} remedy_candidate;

typedef VEC(remedy_candidate) remedy_candidates;

/* What might shorten the waits of a pair, in the order of these waits; false without memory. */
bool remedy_collect(const gcast_run *run, const gcast_pair *pair, remedy_candidates *out);
/* Make the change to a workload that is the caller's own. */
gcast_status remedy_apply(gcast_workload *w, const gcast_change *c, gcast_error *err);
/* The shape of the op in blocks of `threads`, which is its own doubled or halved; false: it cannot be had. */
bool remedy_reshape(gcast_op *op, int64_t threads);

#endif
