/* Scores of the scenarios of several corpora, by family and together, and their JSON. */
#ifndef VERIFY_CORPORA_H
#define VERIFY_CORPORA_H

#include "base/arena.h"
#include "base/fields.h"
#include "base/vec.h"
#include "model/scenario.h"
#include "verify/score.h"

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

typedef struct verify_corpora {
    const char *const *paths;                      /* of the corpora */
    size_t count;                                  /* of the corpora */
    const char *family;                            /* only scenarios of this family count; NULL: of any */
    const char *scenario;                          /* only scenarios of this name count; NULL: of any */
    const gcast_gpu *gpu;                          /* predictions are for this GPU; NULL: the GPU of the workloads */
    int trials;                                    /* simulations per prediction, to find races */
    bool (*progress)(void *data, double fraction); /* called now and then; false stops */
    void *progress_data;                           /* for `progress` */
    bool (*scored)(void *data, const gcast_scenario *scenario); /* called after each scenario; false stops */
    void *scored_data;                                          /* for `scored` */
} verify_corpora;

/* Scores all scenarios that count. GCAST_OK also where `scored` stopped it. */
gcast_status verify_corpora_score(const verify_corpora *c, verify_scores *scores, gcast_error *err);

/* Writes the scores as gridcast.verify/1 (docs/formats.md). */
void verify_json(text *t, const verify_scores *s);
extern const record verify_schema[];

#endif
