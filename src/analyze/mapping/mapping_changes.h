/* A mapping that was found, written with the fewest changes of the system's own: interchangeable cores get names so
 * that most tasks stay on their core, priorities keep their numbers where these give the same order, and what changes
 * nothing for the score stays as it is. */
#ifndef ANALYZE_MAPPING_MAPPING_CHANGES_H
#define ANALYZE_MAPPING_MAPPING_CHANGES_H

#include "analyze/mapping/score/mapping_try.h"

/* Other names of cores only. */
gcast_status map_keep_cores(const map_space *m, sys_place *places, gcast_error *err);
/* Other numbers of priorities only; the orders stay. */
gcast_status map_keep_priorities(const map_space *m, sys_place *places, gcast_error *err);
/* Both, then every change is taken back that does not make the score worse. *score: that of the mapping. */
gcast_status map_fewest_changes(const map_space *m, map_evaluator evaluator, sys_place *places, map_score *score,
                                gcast_error *err);
/* How many tasks have another place than in the system. */
size_t map_count_changes(const sys_system *s, const sys_place *places);

#endif
