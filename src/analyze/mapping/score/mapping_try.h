/* Scores of mappings, each found once: what was scored before is remembered, and what cannot be good enough is not
 * analyzed. */
#ifndef ANALYZE_MAPPING_SCORE_MAPPING_TRY_H
#define ANALYZE_MAPPING_SCORE_MAPPING_TRY_H

#include "analyze/mapping/score/mapping_floor.h"
#include "analyze/mapping/space/mapping_space.h"
#include "base/index.h"
#include "base/vec.h"

/* Gives a mapping its score: an analysis. Never better than map_floor_score. */
typedef struct map_evaluator {
    gcast_status (*evaluate)(void *data, const sys_place *places, map_score *score, gcast_error *err);
    void *data;
} map_evaluator;

typedef struct map_counts {
    uint64_t tried;    /* mappings that were analyzed, or excluded by map_floor_score */
    uint64_t analyzed; /* of these */
    uint64_t repeated; /* came again, after they had been analyzed; not among those that were tried */
} map_counts;

typedef struct map_trier {
    const map_space *space;
    map_objective objective;
    map_evaluator evaluator;
    map_floor floor;
    uint32_t *packed;     /* of the mapping that was tried last */
    hash_index index;     /* of known[] */
    VEC(map_score) known; /* scores */
    VEC(uint32_t) keys;   /* task_count for each of known[] */
    map_counts counts;
} map_trier;

gcast_status map_trier_make(map_trier *t, const map_space *space, map_objective objective, map_evaluator evaluator,
                            gcast_error *err);
void map_trier_free(map_trier *t);
/* Forgets scores and counts. */
void map_trier_reset(map_trier *t);

/* *good: the score is at most `most`, and in *score; else *score is at most the score, and above `most`. */
gcast_status map_try(map_trier *t, const sys_place *places, const map_score *most, map_score *score, bool *good,
                     gcast_error *err);
/* The same for a mapping that does not come again: it is not remembered. */
gcast_status map_try_new(map_trier *t, const sys_place *places, const map_score *most, map_score *score, bool *good,
                         gcast_error *err);

#endif
