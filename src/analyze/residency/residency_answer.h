/* The answer to "can this workload hang?": proof, conditions, remedies, and a witness. */
#ifndef ANALYZE_RESIDENCY_RESIDENCY_ANSWER_H
#define ANALYZE_RESIDENCY_RESIDENCY_ANSWER_H

#include "analyze/residency/hang_remedies.h"
#include "analyze/residency/safe_conditions.h"

/* Name. */
#define RESIDENCY_VERDICT_TABLE(X)                                                                                     \
    X(SAFE, "safe")         /* proven: no schedule hangs */                                                            \
    X(SAFE_IF, "safe if")   /* proven on conditions */                                                                 \
    X(MAY_HANG, "may hang") /* neither proven nor seen */                                                              \
    X(HANGS, "hangs")       /* a schedule that hangs is known */

typedef enum {
#define X(id, name) RESIDENCY_##id,
    RESIDENCY_VERDICT_TABLE(X)
#undef X
        RESIDENCY_VERDICTS
} residency_verdict;

typedef struct residency_answer {
    residency_verdict verdict;
    residency r; /* the risks without any assumption; with SAFE_IF, an assumed order of calls removes them */
    safe_condition conditions[SAFE_CONDITIONS_MAX]; /* of SAFE_IF */
    size_t condition_count;
    residency_remedy remedies[REMEDIES_MAX]; /* where it hangs or may hang */
    size_t remedy_count;
    gcast_workload *witness; /* a schedule that hangs; NULL: none is known */
    size_t simulated;        /* SAFE, SAFE_IF: schedules simulated as a check; 0: too many blocks for that */
} residency_answer;

const char *residency_verdict_name(residency_verdict v);

/* `gpu` is already cut to the partition of the workload. The caller frees the answer in any case. A workload that the
 * proof calls safe but that hangs in a simulated schedule is GCAST_INTERNAL. */
gcast_status residency_answer_make(residency_answer *a, const gcast_workload *w, const gcast_gpu *gpu,
                                   gcast_error *err);
void residency_answer_free(residency_answer *a);

#endif
