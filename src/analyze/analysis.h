/* An analysis while a method makes it. */
#ifndef ANALYZE_ANALYSIS_H
#define ANALYZE_ANALYSIS_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/analyze.h"

typedef struct owned_analysis {
    gcast_analysis a;              /* first, so that a gcast_analysis is its handle */
    arena memory;                  /* of all that `a` points to */
    gcast_response *responses;     /* a.responses, for the method to fill in */
    bool hosts_may_wait;           /* hosts may wait for ever, depending on skips (model/workload/barriers.h) */
    VEC(const char *) assumptions; /* a.assumptions */
    gcast_thesis *thesis;          /* a.thesis */
    bool no_memory;                /* there was none to say why the method gave up */
    int64_t spent_ns;              /* how long it took */
} owned_analysis;

/* Has the analysis the responses of this workload? */
bool analysis_is_of(const gcast_analysis *a, const gcast_workload *w);

/* An analysis with a response for every op that runs on the GPU, whose times are not known yet. NULL without memory. */
owned_analysis *analysis_create(const gcast_workload *w, gcast_method method);
bool analysis_assume(owned_analysis *o, const char *sentence);
/* Adds the assumptions of every method that covers many executions. */
bool analysis_assume_model(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options);
/* Notes that the op of a response is called in no execution, up to the horizon. False without memory. */
bool analysis_never_called(owned_analysis *o, const gcast_workload *w, gcast_response *r);
/* Notes that the method gave up or does not apply, so that no time is known. */
void analysis_give_up(owned_analysis *o, const char *why);

/* The method EXPLORE. `gpu` has been checked and cut to the workload's partition. */
gcast_status analyze_explore(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                             const gcast_analyze_options *options, gcast_error *err);

#endif
