/* An analysis while a method makes it. */
#ifndef ANALYZE_ANALYSIS_H
#define ANALYZE_ANALYSIS_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/analyze.h"

typedef struct owned_analysis {
    gcast_analysis a; /* first, so that a gcast_analysis is its handle */
    arena memory;
    gcast_response *responses; /* of a.responses, to be filled in */
    bool hosts_may_wait;       /* for ever, by what is skipped (model/barriers.h); set before a method is called */
    VEC(const char *) assumptions;
    bool no_memory; /* to say why it gave up */
} owned_analysis;

/* With a response for every op that runs on the GPU, nothing known of any. NULL without memory. */
owned_analysis *analysis_create(const gcast_workload *w, gcast_method method);
bool analysis_assume(owned_analysis *o, const char *sentence);
/* What every method rests on that looks at many executions. */
bool analysis_assume_model(owned_analysis *o, const gcast_gpu *gpu, const gcast_analyze_options *options);
/* The op of a response is called in no execution, up to the horizon. False without memory. */
bool analysis_never_called(owned_analysis *o, const gcast_workload *w, gcast_response *r);
/* It gave up or does not apply: no time is known. */
void analysis_give_up(owned_analysis *o, const char *why);

/* The methods. `gpu` has been checked, and cut to the workload's partition. */
gcast_status analyze_exact(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err);
gcast_status analyze_bound(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err);
gcast_status analyze_explore(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                             const gcast_analyze_options *options, gcast_error *err);
gcast_status analyze_thesis(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                            const gcast_analyze_options *options, gcast_error *err);

#endif
