/* Acceptance over utilisation: the counts, and the picture. */
#ifndef REPORT_PLOTS_ACCEPTANCE_H
#define REPORT_PLOTS_ACCEPTANCE_H

#include "gridcast/experiment.h"

typedef struct acceptance {
    const gcast_experiment *e;
    uint64_t (*counts)[GCAST_VERDICTS]; /* by point, then by test */
} acceptance;

static inline const uint64_t *acceptance_at(const acceptance *a, size_t point, size_t test)
{
    return a->counts[point * a->e->test_count + test];
}

/* Has the test an answer for any set there? */
static inline bool acceptance_answered(const acceptance *a, size_t point, size_t test)
{
    return acceptance_at(a, point, test)[GCAST_VERDICT_UNKNOWN] < (uint64_t)a->e->sets;
}

/* Of a test at all points. */
uint64_t acceptance_unknown(const acceptance *a, size_t test);
/* Of thousand sets, so many are accepted. */
int64_t acceptance_permille(const acceptance *a, size_t point, size_t test);

gcast_status acceptance_draw(const acceptance *a, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err);

#endif
