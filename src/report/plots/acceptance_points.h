/* Acceptance over utilisation: how many sets each test accepts at each point. */
#ifndef REPORT_PLOTS_ACCEPTANCE_POINTS_H
#define REPORT_PLOTS_ACCEPTANCE_POINTS_H

#include "gridcast/experiment.h"

typedef struct acceptance {
    const gcast_experiment *e;          /* its points, its tests, and sets per point */
    uint64_t (*counts)[GCAST_VERDICTS]; /* sets by point, then by test, then by verdict */
    /* Sets by point and verdict of all tests together, where the experiment has executions: accepted by some analysis,
     * rejected where an execution misses a deadline, else unknown: open. */
    uint64_t (*together)[GCAST_VERDICTS];
} acceptance;

/* Sets by verdict. */
static inline const uint64_t *acceptance_at(const acceptance *a, size_t point, size_t test)
{
    return a->counts[point * a->e->test_count + test];
}

/* Has the test an answer for any set at this point? */
static inline bool acceptance_answered(const acceptance *a, size_t point, size_t test)
{
    return acceptance_at(a, point, test)[GCAST_VERDICT_UNKNOWN] < (uint64_t)a->e->sets;
}

/* Sets at all points for which the test has no answer. */
static inline uint64_t acceptance_unknown(const acceptance *a, size_t test)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < a->e->percents.count; i++)
        sum += acceptance_at(a, i, test)[GCAST_VERDICT_UNKNOWN];
    return sum;
}

/* How many of a thousand sets of a point these are. */
static inline int64_t acceptance_share(const acceptance *a, uint64_t sets)
{
    uint64_t all = (uint64_t)a->e->sets;
    return (int64_t)((sets * 1000 + all / 2) / all);
}

/* How many of a thousand sets the test accepts at this point. */
static inline int64_t acceptance_permille(const acceptance *a, size_t point, size_t test)
{
    return acceptance_share(a, acceptance_at(a, point, test)[GCAST_VERDICT_ACCEPTED]);
}

#endif
