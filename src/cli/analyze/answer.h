/* What `analyze` answers: the responses of one method, or the tightest of several, held
 * against the deadlines. */
#ifndef CLI_ANALYZE_ANSWER_H
#define CLI_ANALYZE_ANSWER_H

#include "base/text/text.h"
#include "cli/command.h"
#include "cli/output/progress.h"

#define VERDICT_TABLE(X)                                                                                               \
    X(NONE, "-") /* it has no deadline, or is never called */                                                          \
    X(MET, "met")                                                                                                      \
    X(MISSED, "missed")  /* in some execution */                                                                       \
    X(OPEN, "not shown") /* no method shows that it is met */

typedef enum {
#define X(id, name) VERDICT_##id,
    VERDICT_TABLE(X)
#undef X
        VERDICTS
} verdict;

const char *verdict_name(verdict v);
const char *method_name(gcast_method m);
/* Do its worst times happen? Otherwise they are bounds. */
bool method_attains(gcast_method m);

typedef struct answer {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    gcast_analysis *parts[GCAST_METHODS]; /* in the order in which they were made */
    size_t part_count;
    gcast_response *responses;
    size_t count;
    bool complete; /* some method finished */
    bool attained; /* its worst times happen, they are not only bounds */
} answer;

/* The methods one after the other, up to one that says what happens, merged. Errors are said. */
gcast_status answer_make(answer *a, const gcast_workload *w, const gcast_gpu *gpu, const gcast_method *methods,
                         size_t count, const gcast_analyze_options *options, progress *shown);
void answer_free(answer *a);

/* Has it a worst time that is known? */
bool answer_bounded(const gcast_response *r);
verdict answer_verdict(const answer *a, const gcast_response *r);
/* What is left of the deadline in the worst case, which counts from the job's release. */
int64_t answer_slack(const answer *a, const gcast_response *r);
/* GCAST_OK where all deadlines are met; else says which are not. */
gcast_status answer_status(const answer *a);

/* answer_out.c: for people, and gridcast.analysis/1. */
bool answer_table(const answer *a, bool color, text *out);
void answer_json(const answer *a, text *out);

#endif
