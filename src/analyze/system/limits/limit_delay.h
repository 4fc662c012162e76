/* How long it takes from one event to the next other one (docs/amalthea-analysis.md, 20 and 21). */
#ifndef ANALYZE_SYSTEM_LIMITS_LIMIT_DELAY_H
#define ANALYZE_SYSTEM_LIMITS_LIMIT_DELAY_H

#include "analyze/system/limits/limit_times.h"

/* Why there is no bound. */
typedef enum {
    DELAY_BOUNDED,
    DELAY_NO_BOUND,  /* of the target's task */
    DELAY_SPORADIC,  /* the target may stay away */
    DELAY_NOT_SURE,  /* the target need not happen in a job */
    DELAY_SEVERAL,   /* one of the events happens more than once in a job, and they are to be counted */
    DELAY_DRIFTS,    /* one of the events happens more often than the other, and they are to be counted */
    DELAY_TWO_IN_ONE /* two targets may come within the limits, and only one is to */
} delay_why;

typedef struct limit_delay {
    sys_range range; /* SYS_NO_LEAST, SYS_UNBOUNDED */
    bool too_late;   /* it surely happens that no target comes in time */
    bool out_of_it;  /* it surely happens that a limit is not kept, in some other way */
    delay_why why;
} limit_delay;

/* From each source to the first target that is no less than the lower limit behind it; ONE_TO_ONE: to its own target.
 */
limit_delay limit_delay_of(limit_work *w, const sys_limit *l);

/* A job's nominal releases: each `period` from `offset` on. */
typedef struct limit_releases {
    bool sporadic; /* `period` or more apart */
    int64_t period, offset;
} limit_releases;

/* From a source to the first target that is `least` behind it or later, where they are seen from nominal releases of
 * jobs of their own. */
typedef struct limit_next {
    limit_releases source, target;
    sys_range from, to; /* of source and target, from the nominal releases */
    int64_t least;
    bool fixed;        /* the offsets are as given; else they are anything below the period */
    int64_t most_jobs; /* of the source that are looked at one by one */
} limit_next;

int64_t limit_next_most(const limit_next *n);
int64_t limit_next_least(const limit_next *n);

#endif
