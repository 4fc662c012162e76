/* All mappings of a space, one after another, without those that differ only in the names of interchangeable cores. */
#ifndef ANALYZE_MAPPING_SPACE_MAPPING_WALK_H
#define ANALYZE_MAPPING_SPACE_MAPPING_WALK_H

#include "analyze/mapping/space/mapping_space.h"

/* Which priorities a walk tries: id, what it says of itself. */
#define MAP_ORDERS_TABLE(X)                                                                                            \
    X(KEPT, "priorities as they are")                                                                                  \
    X(BY_DEADLINE, "priorities by deadline")                                                                           \
    X(ALL, "all orders of priorities")

typedef enum {
#define X(id, text) MAP_ORDERS_##id,
    MAP_ORDERS_TABLE(X)
#undef X
} map_orders;

/* The choice for one task. Tasks choose in turn. */
typedef struct map_digit {
    uint32_t core;     /* in the list of its cores */
    uint32_t position; /* ALL: how many earlier tasks of its core go before it */
    bool busy;
} map_digit;

typedef struct map_walk {
    const map_space *space;
    map_orders orders;
    map_digit *digits; /* by task */
    sys_place *places; /* by task: the mapping */
    uint32_t *on_core; /* by core: how many tasks are on it */
    int *order;        /* ALL: task_count for each core: tasks that are on it, those that go first before others */
    arena memory;
} map_walk;

/* At the first mapping; or at the one that `digits`, a copy of those of a walk, say. */
gcast_status map_walk_start(map_walk *w, const map_space *space, map_orders orders, const map_digit *digits,
                            gcast_error *err);
/* False: that was the last mapping. */
bool map_walk_next(map_walk *w);
void map_walk_free(map_walk *w);

/* How many mappings a walk has. Stops at `most` + 1. Where `starts` is not NULL, it has room for the digits of each
 * `step`th mapping, up to `most`, beginning with the first. */
gcast_status map_walk_count(const map_space *space, map_orders orders, uint64_t most, uint64_t step, map_digit *starts,
                            uint64_t *count, gcast_error *err);

#endif
