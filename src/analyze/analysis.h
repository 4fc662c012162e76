/* An analysis under construction: what a method fills in, and what all methods share. */
#ifndef ANALYZE_ANALYSIS_H
#define ANALYZE_ANALYSIS_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/analyze.h"

typedef struct added_method added_method;

typedef struct owned_analysis {
    gcast_analysis a;          /* first, so that a gcast_analysis is its handle */
    arena memory;              /* holds all that `a` points to */
    gcast_response *responses; /* a.responses, for the method to fill in */
    bool hosts_may_wait;       /* a skipped call can leave a host at a barrier for ever (model/workload/barriers.h) */
    VEC(const char *) assumptions; /* a.assumptions */
    bool no_memory;                /* the reason why the method gave up could not be stored */
    int64_t spent_ns;              /* processor time of the analysis */
    /* Of an analysis by a method that a program adds (analyze/added_method.h). */
    const added_method *by; /* the method; NULL: one of the library */
    void *result;           /* what it found besides responses, also if it is not complete; NULL */
    bool own_deadlines;     /* some deadlines are not in the workload */
} owned_analysis;

/* Does the analysis have one response for each GPU op of this workload? */
bool analysis_is_of(const gcast_analysis *a, const gcast_workload *w);

/* The name of its method. */
const char *analysis_method_name(const gcast_analysis *a);
/* Did it give times? It may have without being complete. */
bool analysis_has_times(const gcast_analysis *a);
/* Does some execution take as long as its worst times say? Those of most methods are upper bounds only. */
bool analysis_attains(const gcast_analysis *a);

/* Creates an analysis with a response of unknown times for every op that runs on the GPU. NULL without memory. */
owned_analysis *analysis_create(const gcast_workload *w, gcast_method method);
bool analysis_assume(owned_analysis *o, const char *sentence);
/* Adds the assumptions that all methods share that cover many executions. */
bool analysis_assume_model(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options);
/* Notes that no execution calls the op before the horizon. False without memory. */
bool analysis_never_called(owned_analysis *o, const gcast_workload *w, gcast_response *r);
/* Notes that the method gave up or does not apply, and makes all times unknown. */
void analysis_give_up(owned_analysis *o, const char *why);

/* The method EXPLORE. `gpu` has been checked and cut to the workload's partition. */
gcast_status analyze_explore(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                             const gcast_analyze_options *options, gcast_error *err);

/* analysis_attains of analyses by this method. */
bool gcast_method_attains(gcast_method method);

#endif
