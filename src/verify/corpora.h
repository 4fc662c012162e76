/* Scoring the scenarios of several corpora. */
#ifndef VERIFY_CORPORA_H
#define VERIFY_CORPORA_H

#include "verify/scores.h"

typedef struct verify_corpora {
    const char *const *paths;                      /* of the corpora */
    size_t count;                                  /* of the corpora */
    const char *family;                            /* only scenarios of this family count; NULL: of any */
    const char *scenario;                          /* only scenarios of this name count; NULL: of any */
    const gcast_gpu *gpu;                          /* what is predicted for; NULL: the GPU of the workloads */
    int trials;                                    /* simulations per prediction, to find races */
    bool (*progress)(void *data, double fraction); /* called now and then; false stops */
    void *progress_data;                           /* for `progress` */
    bool (*scored)(void *data, const gcast_scenario *scenario); /* called after each scenario; false stops */
    void *scored_data;                                          /* for `scored` */
} verify_corpora;

/* GCAST_OK also where `scored` stopped it. */
gcast_status verify_corpora_score(const verify_corpora *c, verify_scores *scores, gcast_error *err);

#endif
