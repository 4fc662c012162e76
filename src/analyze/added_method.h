/* A method that a program adds to those of gcast_method, such as the analysis of a paper: how it analyzes a workload,
 * and how an answer by it is shown. Analyses by it have the method GCAST_METHODS, and a pointer to it. */
#ifndef ANALYZE_ADDED_METHOD_H
#define ANALYZE_ADDED_METHOD_H

#include "analyze/analysis.h"
#include "gridcast/advice.h"

struct text;

struct added_method {
    const char *name; /* as users write it */
    bool attains;     /* some execution takes as long as its worst times say */
    const char *part; /* what it does where it has a result but is not complete: "covers one release only" */
    const void *data; /* of `analyze` */
    /* Fills in the analysis, as the methods of the library do. */
    gcast_status (*analyze)(const void *data, owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                            const gcast_analyze_options *options, gcast_error *err);
    void (*free_result)(void *result); /* frees owned_analysis.result */
    /* How an answer is shown whose analysis has a result: its table, the line below it, its object in
     * gridcast.analysis/1, and its picture. */
    void (*table)(const gcast_answer *a, bool color, struct text *out);
    void (*legend)(const gcast_answer *a, struct text *out);
    void (*json)(const gcast_answer *a, struct text *out);
    gcast_status (*draw)(const gcast_answer *a, gcast_format format, gcast_write_fn write, void *data,
                         gcast_error *err);
};

/* The analysis of the answer that has a result of an added method; NULL: there is none. */
const owned_analysis *answer_added(const gcast_answer *a);
/* Are some of its deadlines not in the workload? Then no other method can be asked about them. */
bool answer_has_own_deadlines(const gcast_answer *a);

/* gcast_workload_analyze by this method. */
gcast_status added_method_analyze(const added_method *m, const gcast_workload *w, const gcast_gpu *gpu,
                                  const gcast_analyze_options *options, gcast_analysis **out, gcast_error *err);
/* gcast_workload_answer by this method alone. */
gcast_status added_method_answer(const added_method *m, const gcast_workload *w, const gcast_gpu *gpu,
                                 const gcast_analyze_options *options, gcast_answer **answer, gcast_error *err);

/* gcast_workload_advise, where sensitivity and levels are judged by this method; `options` names none. `m` NULL: by
 * that of the options. */
gcast_status added_method_advise(const added_method *m, const gcast_workload *w, const gcast_gpu *gpu,
                                 const gcast_advise_options *options, gcast_advice **out, gcast_error *err);

#endif
