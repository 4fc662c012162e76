/* Writes a mapping with few changes to the system's own one: names of interchangeable cores are chosen so that most
 * tasks stay on their core, priorities keep their numbers where these give the same order, and changes that do not
 * improve the score are taken back. */
#ifndef ANALYZE_MAPPING_MAPPING_CHANGES_H
#define ANALYZE_MAPPING_MAPPING_CHANGES_H

#include "analyze/mapping/mapping_evaluate.h"

/* Changes only names of interchangeable cores. */
gcast_status map_keep_cores(const map_space *m, sys_place *places, gcast_error *err);
/* Changes only numbers of priorities; orders stay. */
gcast_status map_keep_priorities(const map_space *m, sys_place *places, gcast_error *err);
/* Does both, then takes back every change without which the score is not worse. *score: of the result. */
gcast_status map_fewest_changes(const map_space *m, map_evaluator evaluator, sys_place *places, map_score *score,
                                gcast_error *err);
/* How many tasks have another place than in the system's own mapping. */
size_t map_count_changes(const sys_system *s, const sys_place *places);

#endif
