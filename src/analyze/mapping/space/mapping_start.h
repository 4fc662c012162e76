/* Mappings to start a search from. Priorities are by deadline where they may change. */
#ifndef ANALYZE_MAPPING_SPACE_MAPPING_START_H
#define ANALYZE_MAPPING_SPACE_MAPPING_START_H

#include "analyze/mapping/space/mapping_space.h"

/* All tasks at random. */
void map_shuffle(const map_space *m, sys_place *places, uint64_t *random);
/* Tasks that can go to the GPU there; each other one, from the most demanding on, where the least is asked for then. */
gcast_status map_spread(const map_space *m, sys_place *places, gcast_error *err);

#endif
