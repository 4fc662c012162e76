/* A trial asks: are the deadlines that an answer shows to be met still shown to be met with other numbers of the GPU,
 * or with a changed workload? */
#ifndef ANALYZE_ASSUMED_MOVED_TRIAL_H
#define ANALYZE_ASSUMED_MOVED_TRIAL_H

#include "analyze/time_limit.h"
#include "change/variant.h"
#include "gridcast/analyze.h"

#define ASSUMED_SMALL_OPS 20 /* workloads with more ops get fewer trials */

typedef struct moved_trial {
    const gcast_answer *answer;    /* the answer whose deadlines are asked about */
    const gcast_workload *w;       /* its workload, or a copy with something changed */
    variant_base base;             /* the GPU as it is described */
    variant moved;                 /* a copy with some numbers moved */
    gcast_analyze_options options; /* of the analyses */
    bool *shown;                   /* by response: its deadline is shown to be met, or is not asked about */
    bool *covered;       /* by response: shown for all values between the original and the moved ones, counts aside */
    bool asks_any_phase; /* bound for any phase may show deadlines to be met */
    bool covers_between; /* in the last trial, `covered` holds for all responses */
    time_limit limit;    /* of all trials, a safeguard */
} moved_trial;

/* Does the answer show any deadline to be met? */
bool any_shown_met(const gcast_answer *answer);

/* Close the trial in any case. */
gcast_status moved_trial_open(moved_trial *t, const gcast_answer *answer, const gcast_gpu *gpu,
                              const gcast_analyze_options *options, gcast_error *err);
void moved_trial_close(moved_trial *t);
/* Adds the deadlines that one method shows to be met. *met: now all are. A workload that cannot run adds none. */
gcast_status moved_trial_ask_method(moved_trial *t, gcast_method method, bool any_phase, bool *met, gcast_error *err);
/* Does the answer show the deadline of response `i` to be met, with or without conditions? */
bool is_shown_met(const gcast_answer *a, size_t i);
/* Marks only the responses as shown that are not asked about. */
void moved_trial_clear(moved_trial *t);
/* Restores the original GPU. */
gcast_status moved_trial_reset(moved_trial *t, gcast_error *err);
/* Sets a number of the GPU, within its range. */
void moved_trial_set(moved_trial *t, const gcast_assumed *p, int64_t value);
/* Analyzes the workload by bound, first for any phase; if that is not enough, by the methods of the answer. *met: all
 * deadlines asked about are shown to be met. */
gcast_status moved_trial_ask(moved_trial *t, bool *met, gcast_error *err);

#endif
