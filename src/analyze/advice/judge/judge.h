/* Asking a judge about a workload that was changed. */
#ifndef ANALYZE_ADVICE_JUDGE_JUDGE_H
#define ANALYZE_ADVICE_JUDGE_JUDGE_H

#include "gridcast/advice.h"

/* gcast_judge_ask that also gives, where `ends` is not NULL, for each task the latest end of its ops after the release
 * of the job; GCAST_NO_BOUND: not known. */
gcast_status judge_ends(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                        gcast_judgement *verdict, int64_t *ends, gcast_error *err);

/* Where all deadlines are met: are they so only if what is assumed of the GPU holds? Notes it in the judgement.
 * Latencies are noted by judge_ends. */
gcast_status judge_assumed(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                           gcast_judgement *verdict, gcast_error *err);

/* Is the deadline met by a job that ends this long after its release? */
static inline bool judge_in_time(const gcast_task *t, int64_t end)
{
    return t->deadline_ns == 0 || end <= t->deadline_ns;
}

#endif
