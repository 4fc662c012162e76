/* Small changes of a mapping, drawn at random. */
#ifndef ANALYZE_MAPPING_SPACE_MAPPING_MOVE_H
#define ANALYZE_MAPPING_SPACE_MAPPING_MOVE_H

#include "analyze/mapping/space/mapping_space.h"
#include "base/splitmix.h"

/* A number from 0 to count - 1; count > 0. */
static inline uint64_t map_draw(uint64_t *random, uint64_t count)
{
    return (uint64_t)((unsigned __int128)splitmix_next(random) * count >> 64);
}

/* Can anything change? */
bool map_can_move(const map_space *m, const sys_place *places);
/* Changes the core of a task or of two, an order of priorities, or how a task waits. */
void map_move(const map_space *m, sys_place *places, uint64_t *random);

#endif
