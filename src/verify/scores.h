/* Scores of many scenarios, by family and together. */
#ifndef VERIFY_SCORES_H
#define VERIFY_SCORES_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/verify.h"

typedef struct verify_family {
    const char *name;  /* as in the corpus */
    gcast_score score; /* of its scenarios */
} verify_family;

/* A scenario one of whose predictions does not agree with the hardware. */
typedef struct verify_miss {
    const char *scenario;  /* its name */
    const char *op;        /* the op that is farthest off */
    gcast_agreement worst; /* of the worst prediction */
} verify_miss;

typedef struct verify_scores {
    arena memory;                /* of all names */
    VEC(verify_family) families; /* in the order of their first scenarios */
    gcast_score all;             /* of all scenarios */
    VEC(verify_miss) misses;     /* in the order of the scenarios, until they are sorted */
} verify_scores;

/* Scores a scenario and adds it. */
gcast_status verify_scores_add(verify_scores *s, const gcast_scenario *scenario, const gcast_gpu *gpu,
                               const gcast_score_options *options, gcast_error *err);
/* Sorts the misses: the largest error over its tolerance first; of equal ones by name. */
void verify_scores_sort(verify_scores *s);
void verify_scores_free(verify_scores *s);

#endif
