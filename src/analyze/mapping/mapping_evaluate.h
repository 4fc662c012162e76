/* Evaluates mappings: remembers scores, and does not analyze a mapping whose floor is already too bad. */
#ifndef ANALYZE_MAPPING_MAPPING_EVALUATE_H
#define ANALYZE_MAPPING_MAPPING_EVALUATE_H

#include "analyze/mapping/mapping_score.h"
#include "analyze/mapping/mapping_space.h"
#include "analyze/system/system_analysis.h"
#include "base/index.h"
#include "base/vec.h"

/* Computes the score of a mapping; it is never better than map_floor_score. */
typedef struct map_evaluator {
    gcast_status (*evaluate)(void *data, const sys_place *places, map_score *score, gcast_error *err);
    void *data;
} map_evaluator;

typedef struct map_counts {
    uint64_t tried;    /* mappings that were analyzed, or excluded by map_floor_score */
    uint64_t analyzed; /* those of `tried` that were analyzed */
    uint64_t repeated; /* mappings that were analyzed before; not part of `tried` */
} map_counts;

typedef struct map_trier {
    const map_space *space;
    map_objective objective;
    map_evaluator evaluator;
    map_floor floor;
    uint32_t *packed;     /* the mapping tried last */
    hash_index index;     /* of known[] */
    VEC(map_score) known; /* remembered scores */
    VEC(uint32_t) keys;   /* task_count for each of known[] */
    map_counts counts;
} map_trier;

gcast_status map_trier_make(map_trier *t, const map_space *space, map_objective objective, map_evaluator evaluator,
                            gcast_error *err);
void map_trier_free(map_trier *t);
/* Forgets scores and counts. */
void map_trier_reset(map_trier *t);

/* *good: the score is at most `most`, and *score is exact. Otherwise *score is above `most`, but may be too small. */
gcast_status map_try(map_trier *t, const sys_place *places, const map_score *most, map_score *score, bool *good,
                     gcast_error *err);
/* The same for a mapping that does not come again, so that its score need not be remembered. */
gcast_status map_try_new(map_trier *t, const sys_place *places, const map_score *most, map_score *score, bool *good,
                         gcast_error *err);

/* Scores by the analysis of systems, for one thread. */
typedef struct map_analysis {
    const sys_system *of;
    map_objective objective;
    sys_analyze_options options;
} map_analysis;

/* `options` have no cache. `quick` is for searches: it takes less time, and its score is never better than that of the
 * full analysis. GCAST_RESOURCE without memory. */
gcast_status map_analysis_make(map_analysis *m, const sys_system *s, const sys_analyze_options *options,
                               map_objective objective, bool quick, gcast_error *err);
void map_analysis_free(map_analysis *m);
map_evaluator map_analysis_evaluator(map_analysis *m);

#endif
