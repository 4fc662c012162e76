/* What `analyze` answers: the analyses by one method or several, compared with the deadlines; the conditions on which
 * deadlines are met; and notes on what a workload asks for and a GPU does not have. */
#ifndef CLI_ANALYZE_ANSWER_H
#define CLI_ANALYZE_ANSWER_H

#include "analyze/added_method.h"
#include "cli/command.h"
#include "gridcast/analyze.h"
#include "gridcast/workload.h"

/* Notes priorities and SMs that the workload asks for and the GPU does not have, as simulate does. */
void gpu_notes_say(const gcast_workload *w, const gcast_gpu *gpu);

/* gcast_workload_answer, or by a method that a component adds; NULL: by those of the library. Shows its progress.
 * Errors are printed, here and below. */
gcast_status answer_make(gcast_answer **answer, const gcast_workload *w, const gcast_gpu *gpu,
                         const added_method *added, const gcast_method *methods, size_t count,
                         const gcast_analyze_options *options);
/* GCAST_OK if all deadlines are met, GCAST_CONDITION if they are on a condition, else GCAST_NO. Prints why. */
gcast_status answer_status(const gcast_answer *a);

/* Is the deadline of a response met, on a condition or without one? */
static inline bool answer_shows_met(const gcast_answer *a, const gcast_response *r)
{
    gcast_deadline_verdict v = gcast_answer_verdict(a, r);
    return v == GCAST_DEADLINE_MET || v == GCAST_DEADLINE_MET_IF;
}

#endif
