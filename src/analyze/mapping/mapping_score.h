/* Scores of mappings, by an analysis or as a floor that no analysis beats. First the number of missed deadlines and
 * limits counts, then by how much they are missed, then the objective. */
#ifndef ANALYZE_MAPPING_MAPPING_SCORE_H
#define ANALYZE_MAPPING_MAPPING_SCORE_H

#include "model/system_answer.h"

/* id, name, text */
#define MAP_OBJECTIVE_TABLE(X)                                                                                         \
    X(RESPONSES, "responses", "the sum of the worst responses of all tasks")                                           \
    X(CHAIN, "chain", "the worst reaction of a chain, or of all chains together")                                      \
    X(SLACK, "slack", "the least slack of a task, relative to its deadline")

typedef enum {
#define X(id, name, text) MAP_##id,
    MAP_OBJECTIVE_TABLE(X)
#undef X
        MAP_OBJECTIVES
} map_objective_kind;

typedef struct map_objective {
    map_objective_kind kind;
    int chain;                         /* CHAIN: index of the chain, or SYS_NONE: all chains */
    gcast_communication communication; /* of the limits of chains, and of the objective */
} map_objective;

/* A time without a bound, as a part of a score. Its sum over all tasks and chains fits. */
#define MAP_UNBOUNDED_NS INT64_C(100000000000000)
/* The least slack, in millionths of the deadline: later ends count the same. */
#define MAP_LEAST_SLACK (INT64_C(-1000000) * 1000000)

/* A broken constraint on where tasks run counts like so many missed deadlines, so that a mapping that breaks fewer is
 * always better. */
#define MAP_BROKEN (INT64_C(1) << 40)

/* Smaller is better; the first number that differs decides. */
typedef struct map_score {
    int64_t missed;  /* missed deadlines and limits, tasks without a bound, and broken constraints */
    int64_t late_ns; /* the sum of what they are missed by */
    int64_t value;   /* of the objective: ns; for SLACK, negated millionths */
} map_score;

/* Negative: a is better. */
int map_score_compare(const map_score *a, const map_score *b);

/* A score under construction. */
typedef struct map_tally {
    const sys_system *of;
    map_objective objective;
    map_score score;
} map_tally;

map_tally map_tally_start(const sys_system *s, map_objective objective);
/* Adds a task: worst times from the release of its root, and from its own; may be SYS_UNBOUNDED. */
void map_tally_task(map_tally *t, size_t task, int64_t worst_ns, int64_t own_worst_ns);
/* Adds a chain: reaction_ns is for the objective, limited_ns and age_ns for its limits. */
void map_tally_chain(map_tally *t, size_t chain, int64_t reaction_ns, int64_t limited_ns, int64_t age_ns);

/* The score of an answer; without chains if it has none. */
map_score map_score_answer(const sys_answer *a, map_objective objective);

/* A floor of the score, found quickly: each task takes at least its own time and that of tasks that it waits for; on an
 * overloaded core some task has no bound. */

typedef struct map_floor {
    const sys_system *of;
    const int *order;    /* tasks; each comes before the one that triggers it */
    int64_t *own_ns;     /* by task: from its release to its end */
    int64_t *run_ns;     /* by task: its code only */
    int64_t *trigger_ns; /* by triggered task: from the release of the triggering task to the trigger */
    int64_t *late_ns;    /* by core: the most by which one of its tasks is late */
    uint64_t *load;      /* by core: its utilization, of ALL_OF_A_CORE, rounded down */
    arena memory;
} map_floor;

gcast_status map_floor_make(map_floor *f, const sys_system *s, gcast_error *err);
void map_floor_free(map_floor *f);

map_score map_floor_score(map_floor *f, const sys_place *places, map_objective objective);

#endif
