/* Delays between events: from one point of a job to another (docs/amalthea.md, 18 and 19), and from a source
 * to its next target (20 and 21). */
#ifndef ANALYZE_SYSTEM_EVENT_DELAY_H
#define ANALYZE_SYSTEM_EVENT_DELAY_H

#include "analyze/system/system_work.h"

/* A point of a job is a number that grows in the order in which the job passes its points. */

static inline int64_t start_of_step(size_t step)
{
    return 2 * (int64_t)step;
}

static inline int64_t end_of_step(size_t step)
{
    return 2 * (int64_t)step + 1;
}

typedef struct limit_work {
    system_work *x;
    int64_t *step_ends; /* scratch: one number for each step of the longest task */
} limit_work;

/* The least and the longest time from one point of a job to another; 0 if `to` comes first. */
int64_t job_least(limit_work *w, int task, int64_t from, int64_t to);
int64_t job_most(limit_work *w, int task, int64_t from, int64_t to);

/* Why a delay has no bound. */
typedef enum {
    DELAY_BOUNDED,
    DELAY_NO_BOUND,  /* the target's task has no bound */
    DELAY_SPORADIC,  /* the target may never come */
    DELAY_NOT_SURE,  /* the target need not happen in a job */
    DELAY_SEVERAL,   /* ONE_TO_ONE: one of the events may happen several times in a job */
    DELAY_DRIFTS,    /* ONE_TO_ONE: one of the events happens more often than the other */
    DELAY_TWO_IN_ONE /* UNIQUE: two targets may come within the limits */
} delay_why;

typedef struct limit_delay {
    sys_range range; /* may be SYS_NO_LEAST or SYS_UNBOUNDED */
    bool too_late;   /* in some execution no target comes in time */
    bool out_of_it;  /* in some execution the limit is broken in another way */
    delay_why why;
} limit_delay;

/* The delay from each source to the first target that is not below the lower limit; ONE_TO_ONE: to its own target. */
limit_delay limit_delay_of(limit_work *w, const sys_limit *l);

#endif
