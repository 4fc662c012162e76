/* The answer to "can this workload hang?": proof, conditions, remedies, and a witness. */
#ifndef ANALYZE_RESIDENCY_RESIDENCY_ANSWER_H
#define ANALYZE_RESIDENCY_RESIDENCY_ANSWER_H

#include "analyze/residency/hang_remedies.h"
#include "analyze/residency/safe_conditions.h"
#include "gridcast/residency.h"

typedef struct residency_answer {
    gcast_hang_verdict verdict;
    residency r; /* the risks without any assumption; with SAFE_IF, an assumed order of calls removes them */
    safe_condition conditions[SAFE_CONDITIONS_MAX]; /* of SAFE_IF */
    size_t condition_count;
    residency_remedy remedies[REMEDIES_MAX]; /* where it hangs or may hang */
    size_t remedy_count;
    gcast_workload *witness; /* a schedule that hangs; NULL: none is known */
    size_t simulated;        /* SAFE, SAFE_IF: schedules simulated as a check; 0: too many blocks for that */
} residency_answer;

/* `gpu` is already cut to the partition of the workload. The caller frees the answer in any case. A workload that the
 * proof calls safe but that hangs in a simulated schedule is GCAST_INTERNAL. */
gcast_status residency_answer_make(residency_answer *a, const gcast_workload *w, const gcast_gpu *gpu,
                                   gcast_error *err);
void residency_answer_free(residency_answer *a);

struct gcast_residency {
    const gcast_workload *w; /* not owned */
    gcast_gpu *gpu;          /* cut to the partition */
    residency_answer a;
    const char *conditions[SAFE_CONDITIONS_MAX]; /* in words */
    arena memory;                                /* of the words */
};

#endif
