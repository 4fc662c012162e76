/* A judge says whether a workload meets its deadlines, and whether that rests on assumptions. */
#ifndef ANALYZE_ADVICE_JUDGE_H
#define ANALYZE_ADVICE_JUDGE_H

#include "gridcast/analyze.h"

struct added_method;

typedef struct judge {
    gcast_method method;
    const struct added_method *by;        /* asked instead of a method of the library; NULL */
    const gcast_analyze_options *options; /* of the method; NULL: its defaults */
    /* Asked instead of gcast_workload_analyze; NULL. */
    gcast_status (*analyze)(void *data, const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis **out,
                            gcast_error *err);
    void *data;          /* given to `analyze` */
    bool covers_shorter; /* what it says of durations holds for all shorter ones too */
    bool monotonic;      /* no worst time shrinks where a duration grows or a period shrinks */
    /* The judgement of a stream depends on which streams have higher and lower levels but not on their order, and no
     * worst time grows at a higher level: what Audsley's optimal priority assignment (OPA) needs. */
    bool opa_compatible;
} judge;

/* gcast_workload_analyze by a method, and what is known of it. */
judge judge_by_method(gcast_method method, const gcast_analyze_options *options);
/* A method that a program adds; it has none of the properties. */
judge judge_by_added(const struct added_method *by, const gcast_analyze_options *options);

typedef struct judgement {
    bool known;       /* else `why`, and nothing below is set */
    bool deadlines;   /* there are any */
    bool meets;       /* all of them */
    bool conditional; /* if what is assumed of the GPU holds, such as how long calls take to reach it */
    size_t worst_op;  /* the op with the largest response */
    int64_t worst_ns; /* its response */
    char why[512];
} judgement;

/* Errors are those of memory and internal checks; what cannot run on the GPU is not known. */
gcast_status judge_ask(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, judgement *verdict,
                       gcast_error *err);

/* The same without judge_assumed. `ends` (may be NULL) gets for each task the latest end of its ops after the release
 * of the job, or GCAST_NO_BOUND. */
gcast_status judge_ends(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, judgement *verdict,
                        int64_t *ends, gcast_error *err);

/* If all deadlines are met: notes in the judgement whether that rests on assumptions about the GPU or the workload.
 * Assumed latencies of calls are noted by judge_ends. */
gcast_status judge_assumed(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, judgement *verdict,
                           gcast_error *err);

/* Does a job that ends this long after its release meet its deadline? */
static inline bool judge_in_time(const gcast_task *t, int64_t end)
{
    return t->deadline_ns == 0 || end <= t->deadline_ns;
}

#endif
