/* How well predictions agree with recorded runs. */
#ifndef VERIFY_SCORE_H
#define VERIFY_SCORE_H

#include <stddef.h>
#include <string.h>

#include "gridcast/error.h"
#include "gridcast/run.h"
#include "model/scenario.h"

/* Both runs are shifted so that their earliest start is 0; the error of an
 * operation is the difference of its ends. They agree if the largest error is at
 * most 1 % of the second run's makespan or 20 microseconds, whichever is larger. */
typedef struct gcast_agreement {
    bool agree;
    int64_t error_ns; /* the largest */
    int64_t tolerance_ns;
    size_t worst_op; /* index in the runs */
} gcast_agreement;

gcast_agreement gcast_run_compare(const gcast_run *run, const gcast_run *reference);

/* Predict a recorded run: its calls are the releases, nothing else of it is used. */
gcast_status gcast_scenario_predict(const gcast_scenario *scenario, size_t run, const gcast_gpu *gpu,
                                    bool record_blocks, gcast_run **prediction, gcast_error *err);

/* What a scenario adds to a score: predictions that agree with their run, and pairs of
 * runs that agree with each other. Settled predictions are those without a race
 * (gridcast/races.h). */
typedef struct gcast_score {
    size_t scenarios;
    size_t predictions, hits;
    size_t settled, settled_hits;
    size_t pairs, agreeing;
} gcast_score;

void gcast_score_add(gcast_score *sum, const gcast_score *score);
/* Fractions; limit and ratio are -1 where there is no pair, or none agrees. */
double gcast_score_value(const gcast_score *s);
double gcast_score_limit(const gcast_score *s);
double gcast_score_ratio(const gcast_score *s);
/* The part of predictions that races leave open, and the score of the others (-1: none). */
double gcast_score_open(const gcast_score *s);
double gcast_score_settled(const gcast_score *s);

typedef struct gcast_score_options {
    size_t size;                                   /* of the struct, as the caller was compiled */
    int trials;                                    /* additional simulations per prediction, to find races */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
} gcast_score_options;

static inline gcast_score_options gcast_score_options_default(void)
{
    gcast_score_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* Score one scenario; options NULL: races are not searched. worst, where not NULL, is the agreement of the
 * prediction that is worst by error over tolerance. */
gcast_status gcast_scenario_score(const gcast_scenario *scenario, const gcast_gpu *gpu,
                                  const gcast_score_options *options, gcast_score *score, gcast_agreement *worst,
                                  gcast_error *err);

#endif
