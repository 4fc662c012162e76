/* What `analyze` answers: the response times by one method, or the tightest of several methods,
 * compared with the deadlines. */
#ifndef CLI_ANALYZE_ANSWER_H
#define CLI_ANALYZE_ANSWER_H

#include "base/text/text.h"
#include "cli/args.h"
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
/* Does some execution take as long as its worst case says? Otherwise that is only an upper bound. */
bool method_attains(gcast_method m);

typedef struct answer {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    gcast_analysis *parts[GCAST_METHODS]; /* one per method, in the order in which they were made */
    size_t part_count;
    gcast_response *responses; /* one per op: the tightest bounds of all parts */
    size_t count;              /* of responses */
    bool complete;             /* at least one method finished */
    bool attained;             /* the worst cases are attained by an execution, not only bounds */
} answer;

/* Analyses by one method after the other, until one attains its worst cases, and merges the results. Errors are said.
 */
gcast_status answer_make(answer *a, const gcast_workload *w, const gcast_gpu *gpu, const gcast_method *methods,
                         size_t count, const gcast_analyze_options *options, progress *shown);
void answer_free(answer *a);

/* Is its worst case known? */
bool answer_bounded(const gcast_response *r);
verdict answer_verdict(const answer *a, const gcast_response *r);
/* The deadline minus the end in the worst case, both counted from the job's release; below 0: it is missed. */
int64_t answer_slack(const answer *a, const gcast_response *r);
/* GCAST_OK where all deadlines are met; else GCAST_NO, and it says which are not. */
gcast_status answer_status(const answer *a);

/* In answer_out.c: the table, and gridcast.analysis/1. */
bool answer_table(const answer *a, bool color, text *out);
void answer_json(const answer *a, text *out);

#endif
