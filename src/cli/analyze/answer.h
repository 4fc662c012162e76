/* What `analyze` answers: the analyses by one method or several, compared with the deadlines. */
#ifndef CLI_ANALYZE_ANSWER_H
#define CLI_ANALYZE_ANSWER_H

#include "cli/command.h"
#include "cli/output/progress.h"

/* Analyses by one method after another, until one attains its worst times. Errors are printed. */
gcast_status answer_make(gcast_answer **answer, const gcast_workload *w, const gcast_gpu *gpu,
                         const gcast_method *methods, size_t count, const gcast_analyze_options *options,
                         progress *shown);
/* GCAST_OK where all deadlines are met, GCAST_CONDITION where they are on a condition; else GCAST_NO. Prints why. */
gcast_status answer_status(const gcast_answer *a);

/* Is the deadline of a response met, on a condition or without one? */
static inline bool answer_shows_met(const gcast_answer *a, const gcast_response *r)
{
    gcast_deadline_verdict v = gcast_answer_verdict(a, r);
    return v == GCAST_DEADLINE_MET || v == GCAST_DEADLINE_MET_IF;
}

#endif
