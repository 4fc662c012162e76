/* Asks a judge whether a workload meets its deadlines, and whether that rests on assumptions. */
#ifndef ANALYZE_ADVICE_JUDGE_H
#define ANALYZE_ADVICE_JUDGE_H

#include "gridcast/advice.h"

/* As gcast_judge_ask, without judge_assumed. `ends` (may be NULL) gets for each task the latest end of its ops after
 * the release of the job, or GCAST_NO_BOUND. */
gcast_status judge_ends(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                        gcast_judgement *verdict, int64_t *ends, gcast_error *err);

/* If all deadlines are met: notes in the judgement whether that rests on assumptions about the GPU or the workload.
 * Assumed latencies of calls are noted by judge_ends. */
gcast_status judge_assumed(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                           gcast_judgement *verdict, gcast_error *err);

/* Does a job that ends this long after its release meet its deadline? */
static inline bool judge_in_time(const gcast_task *t, int64_t end)
{
    return t->deadline_ns == 0 || end <= t->deadline_ns;
}

#endif
