/* Times between two points of one job, and of jobs of one root (docs/amalthea-analysis.md, 18 and 19). */
#ifndef ANALYZE_SYSTEM_LIMITS_LIMIT_TIMES_H
#define ANALYZE_SYSTEM_LIMITS_LIMIT_TIMES_H

#include "analyze/system/state.h"

/* A point of a job by its place in the order of what the job does. */
#define JOB_RELEASE INT64_C(-1)

static inline int64_t start_of_step(size_t step)
{
    return 2 * (int64_t)step;
}

static inline int64_t end_of_step(size_t step)
{
    return 2 * (int64_t)step + 1;
}

/* When something happens in a job: at one point, or at any time between two. */
typedef struct job_place {
    int task;
    int64_t from, to;
} job_place;

typedef struct limit_work {
    system_work *x;
    int64_t *room; /* one number for each step of the longest task */
} limit_work;

/* When it can be, from the nominal release of the root. */
sys_range job_place_times(limit_work *w, const job_place *p);
/* The least and the longest time from a point of a job to a later one. */
int64_t job_least(limit_work *w, int task, int64_t from, int64_t to);
int64_t job_most(limit_work *w, int task, int64_t from, int64_t to);
/* How much later `to` is than `from`, in jobs of one release of their root; less than 0: sooner. */
sys_range job_difference(limit_work *w, const job_place *from, const job_place *to);

#endif
