/* What the late operation of a witness waited for: where that is an earlier operation of its job, what that one waited
 * for, and so on. */
#ifndef CLI_ANALYZE_WITNESS_WITNESS_WAITS_H
#define CLI_ANALYZE_WITNESS_WITNESS_WAITS_H

#include "cli/analyze/witness/witness_jobs.h"
#include "gridcast/explain.h"

typedef struct witness_waits {
    VEC(gcast_report_wait) waits; /* in order of time; their texts belong to them */
} witness_waits;

/* All blocks of the run must be recorded. */
gcast_status witness_waits_make(witness_waits *v, const gcast_run *run, const witness_jobs *jobs, size_t late,
                                gcast_error *err);
void witness_waits_free(witness_waits *v);

#endif
