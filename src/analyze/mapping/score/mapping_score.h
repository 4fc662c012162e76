/* How good a mapping is. First what is not met counts, then by how much, then what the objective asks for. */
#ifndef ANALYZE_MAPPING_SCORE_MAPPING_SCORE_H
#define ANALYZE_MAPPING_SCORE_MAPPING_SCORE_H

#include "model/system/system_answer.h"

/* id, name, what it is */
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
    int chain;                       /* CHAIN: in chains[], or SYS_NONE: all of them */
    sys_communication communication; /* of chains: for their limits and the objective */
} map_objective;

/* As a part of a score: a time without a bound. Sums of it over all tasks and chains fit. */
#define MAP_UNBOUNDED_NS INT64_C(100000000000000)
/* Slack is in millionths of the deadline; a deadline that is missed by so much or more counts the same. */
#define MAP_LEAST_SLACK (INT64_C(-1000000) * 1000000)

/* In the count of what is not met: a constraint on where tasks run that is broken. No mapping that breaks fewer of
 * these is worse, whatever else it misses. */
#define MAP_BROKEN (INT64_C(1) << 40)

/* The smaller, the better, from the first number on. */
typedef struct map_score {
    int64_t missed;  /* deadlines and limits that are not met, and tasks that have no bound */
    int64_t late_ns; /* by how much, in sum */
    int64_t value;   /* of the objective: ns, or for SLACK millionths that are negated */
} map_score;

/* Below 0: a is better. */
int map_score_compare(const map_score *a, const map_score *b);

/* Builds scores: of an analysis, or of what no analysis can be better than. */
typedef struct map_tally {
    const sys_system *of;
    map_objective objective;
    map_score score;
} map_tally;

map_tally map_tally_start(const sys_system *s, map_objective objective);
/* From the release of the root and from the task's own; SYS_UNBOUNDED where there is no bound. */
void map_tally_task(map_tally *t, size_t task, int64_t worst_ns, int64_t own_worst_ns);
/* The reaction that the objective counts, and the one that is limited. */
void map_tally_chain(map_tally *t, size_t chain, int64_t reaction_ns, int64_t limited_ns, int64_t age_ns);

/* Constraints that these places break, as a part of the count. */
int64_t map_broken(const sys_system *s, const sys_place *places);
/* Without chains where the answer has none. */
map_score map_score_answer(const sys_answer *a, map_objective objective);

#endif
