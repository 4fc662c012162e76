/* Enumerates all mappings of a space, without those that differ only in the names of interchangeable cores. */
#ifndef ANALYZE_MAPPING_MAPPING_WALK_H
#define ANALYZE_MAPPING_MAPPING_WALK_H

#include "analyze/mapping/mapping_space.h"

/* Which priorities a walk tries: id, text. */
#define MAP_ORDERS_TABLE(X)                                                                                            \
    X(KEPT, "priorities as they are")                                                                                  \
    X(BY_DEADLINE, "priorities by deadline")                                                                           \
    X(ALL, "all orders of priorities")

typedef enum {
#define X(id, text) MAP_ORDERS_##id,
    MAP_ORDERS_TABLE(X)
#undef X
} map_orders;

/* The choice of one task. */
typedef struct map_digit {
    uint32_t core;     /* index in the list of its cores */
    uint32_t position; /* ALL: how many of the earlier tasks on its core go before it */
    bool busy;
} map_digit;

typedef struct map_walk {
    const map_space *space;
    map_orders orders;
    map_digit *digits; /* by task */
    sys_place *places; /* by task: the mapping */
    uint32_t *on_core; /* by core: how many tasks are on it */
    int *order;        /* ALL: task_count entries for each core: its tasks, highest priority first */
    arena memory;
} map_walk;

/* Starts at the first mapping, or at the one of `digits`, which are a copy of a walk's. */
gcast_status map_walk_start(map_walk *w, const map_space *space, map_orders orders, const map_digit *digits,
                            gcast_error *err);
/* Goes to the next mapping. False: there is none. */
bool map_walk_next(map_walk *w);
void map_walk_free(map_walk *w);

/* Counts the mappings of a walk, up to `most` + 1. Stores the digits of every `step`th mapping, beginning with the
 * first, in `starts` (may be NULL). */
gcast_status map_walk_count(const map_space *space, map_orders orders, uint64_t most, uint64_t step, map_digit *starts,
                            uint64_t *count, gcast_error *err);

#endif
