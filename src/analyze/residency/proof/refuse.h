/* What the proof does not cover. */
#ifndef ANALYZE_RESIDENCY_PROOF_REFUSE_H
#define ANALYZE_RESIDENCY_PROOF_REFUSE_H

#include "gridcast/workload.h"

/* An error that names the first such thing. */
gcast_status refuse_uncovered(const gcast_workload *w, gcast_error *err);

#endif
