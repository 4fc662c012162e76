/* Are the deadlines that an answer shows to be met still shown to be on a GPU of which numbers were moved, or with a
 * changed workload? */
#ifndef ANALYZE_ASSUMED_MOVED_H
#define ANALYZE_ASSUMED_MOVED_H

#include "analyze/time_limit.h"
#include "gridcast/analyze.h"

#define ASSUMED_SMALL_OPS 20 /* workloads with as many ops, or fewer, are looked at more closely */

typedef struct moved_trial {
    const gcast_answer *answer;    /* whose deadlines are asked about */
    const gcast_workload *w;       /* its workload, or a copy with something changed */
    const gcast_gpu *original;     /* the GPU as it is described */
    gcast_gpu *gpu;                /* a copy with some numbers moved */
    gcast_analyze_options options; /* of the analyses */
    bool *shown;                   /* by response: its deadline is shown to be met, or it is not asked about */
    bool *covered;                 /* by response: shown for all values before those of the trial, counts excepted */
    bool asks_any_phase;           /* bound without offsets may show deadlines to be met */
    bool covers_between;           /* the trial made last covers all responses */
    time_limit limit;              /* of all trials, a safeguard */
} moved_trial;

/* Is there a deadline that the answer shows to be met? */
bool moved_counts_any(const gcast_answer *answer);

/* All but moved_trial_close may fail for want of memory. */
gcast_status moved_trial_open(moved_trial *t, const gcast_answer *answer, const gcast_gpu *gpu,
                              const gcast_analyze_options *options, gcast_error *err);
void moved_trial_close(moved_trial *t);
/* Notes which deadlines one method shows to be met, in addition. */
gcast_status moved_trial_ask_method(moved_trial *t, gcast_method method, bool any_phase, bool *met, gcast_error *err);
/* Does the answer show the deadline of its response `i` to be met, whatever that rests on? */
bool moved_counts(const gcast_answer *a, size_t i);
/* Takes the GPU as it is described. */
gcast_status moved_trial_reset(moved_trial *t, gcast_error *err);
/* Moves a number, which must be in its range. */
void moved_trial_set(moved_trial *t, const gcast_assumed *p, int64_t value);
/* Analyses the workload by bound, first without offsets, and where that is not enough, by the methods of the answer.
 * *met: all deadlines that the answer shows to be met are shown to be. */
gcast_status moved_trial_ask(moved_trial *t, bool *met, gcast_error *err);

#endif
