/* An answer with the memory that it owns, and the steps that make it. */
#ifndef ANALYZE_ANSWER_H
#define ANALYZE_ANSWER_H

#include "analyze/witness/witness.h"
#include "gridcast/analyze.h"

typedef struct owned_answer {
    gcast_answer a;            /* first, so that a gcast_answer is its handle */
    gcast_analysis **analyses; /* a.analyses */
    gcast_response *responses; /* a.responses */
    char growth_why[300];      /* a.growth_why */
    gcast_assumed *assumed;    /* a.assumed; NULL: there are none */
    gcast_witness *late;       /* the late executions that the search saw; NULL: there was no search */
} owned_answer;

/* The steps of gcast_workload_answer. */

/* Takes over the analyses, at least one, also on failure. */
gcast_status gcast_answer_create(const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis *const *analyses,
                                 size_t count, gcast_answer **answer, gcast_error *err);
/* Compares an answer with executions, before anybody relies on it: the workload simulated as it is, and executions that
 * are drawn within what the answer assumes (docs/analysis.md, "Every answer is tried"). This takes a tenth of the time
 * that the analyses took. `options` are those of the analyses. GCAST_INTERNAL where an execution is outside of the
 * answer, which then knows nothing: no deadline is met. */
gcast_status gcast_answer_check(gcast_answer *answer, const gcast_analyze_options *options, gcast_error *err);

/* Where the answer is conditional: finds how long calls may take so that its deadlines are still shown to be met, to
 * one part in 32, by bound, or where explore answered by explore with few states. It takes some 12 analyses at most.
 * `options` are those of the analyses. */
gcast_status gcast_answer_find_limit(gcast_answer *answer, const gcast_analyze_options *options, gcast_error *err);

/* Where deadlines are open, and bound was asked: finds how much of their time kernels may take so that bound shows all
 * deadlines to be met, in hundredths. It takes 7 analyses, and no longer than max_ms of `options`, which are those of
 * the analyses. */
gcast_status gcast_answer_find_durations(gcast_answer *answer, const gcast_analyze_options *options, gcast_error *err);

/* Moves what is assumed of the GPU, but for latencies of calls: all times and bandwidths at once to 10 times their
 * values (a tenth where responses grow that way; 10 us where the value is 0). What bound shows without offsets for a
 * value holds for all before; other deadlines rest on what is assumed. For these 3 times the value is tried, too, and
 * each number is moved on its own, to find up to which value they are met; counts always are, both ways. The number of
 * trials is limited: of large workloads all at once is all that is tried. Then come placement and quarters of SMs, and
 * what the workload leaves open, in all combinations if they are few. `options` are those of the analyses. */
gcast_status gcast_answer_move_assumed(gcast_answer *answer, const gcast_analyze_options *options, gcast_error *err);

/* Searches for late executions, and adds what was seen to the answer. Does nothing where nothing is to be searched for.
 * `options` are those of the analyses, with the progress of the search. */
gcast_status answer_search(gcast_answer *answer, const gcast_search_options *search,
                           const gcast_analyze_options *options, gcast_error *err);

/* The deadline minus the end in the worst case, both from the release of the job; below 0: it is missed. Only where
 * worst_ns is known. */
int64_t gcast_answer_slack_ns(const gcast_answer *answer, const gcast_response *response);

#endif
