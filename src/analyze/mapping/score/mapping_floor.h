/* What no analysis of a mapping can be better than, quickly: each task takes at least its own time, and that of those
 * that it waits for; on a core that is asked for more than all of its time some task has no bound. */
#ifndef ANALYZE_MAPPING_SCORE_MAPPING_FLOOR_H
#define ANALYZE_MAPPING_SCORE_MAPPING_FLOOR_H

#include "analyze/mapping/score/mapping_score.h"

typedef struct map_floor {
    const sys_system *of;
    const int *order;    /* tasks; each comes before the one that triggers it */
    int64_t *own_ns;     /* by task: from its release to its end */
    int64_t *run_ns;     /* by task: its code only */
    int64_t *trigger_ns; /* by task that is triggered: from the release of the task that does so */
    int64_t *late_ns;    /* by core: the most of a task there */
    uint64_t *asked_for; /* by core: the part of its time that its tasks need, rounded down */
    arena memory;
} map_floor;

gcast_status map_floor_make(map_floor *f, const sys_system *s, gcast_error *err);
void map_floor_free(map_floor *f);

map_score map_floor_score(map_floor *f, const sys_place *places, map_objective objective);

#endif
