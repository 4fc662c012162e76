/* Scores of mappings by the analysis of systems. */
#ifndef ANALYZE_MAPPING_SCORE_MAPPING_ANALYSIS_H
#define ANALYZE_MAPPING_SCORE_MAPPING_ANALYSIS_H

#include "analyze/mapping/score/mapping_try.h"
#include "analyze/system/system_analysis.h"

/* For one thread. */
typedef struct map_analysis {
    const sys_system *of;
    map_objective objective;
    sys_analyze_options options;
} map_analysis;

/* `options` are of an analysis in full, without a cache. Its score is never worse than that of `quick`, which takes
 * less time: for searches. GCAST_RESOURCE without memory. */
gcast_status map_analysis_make(map_analysis *m, const sys_system *s, const sys_analyze_options *options,
                               map_objective objective, bool quick, gcast_error *err);
void map_analysis_free(map_analysis *m);
map_evaluator map_analysis_evaluator(map_analysis *m);

#endif
