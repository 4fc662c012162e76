/* What a search for a mapping did and found, for reports. */
#ifndef MODEL_SYSTEM_SYSTEM_SEARCH_H
#define MODEL_SYSTEM_SYSTEM_SEARCH_H

#include "model/system/system.h"

typedef struct sys_search_score {
    int64_t broken;  /* constraints on where tasks run */
    int64_t missed;  /* deadlines and limits of chains that are not met, and tasks that have no bound */
    int64_t late_ns; /* by how much, in sum; SYS_UNBOUNDED (system_answer.h) */
    int64_t value;   /* of the objective: ns, or millionths; SYS_UNBOUNDED */
} sys_search_score;

typedef struct sys_search {
    const char *how;       /* which mappings were tried, a phrase */
    const char *objective; /* its name */
    const char *value;     /* what its value is, a phrase */
    bool is_time;          /* the value is a time; else a part of a deadline, in millionths */
    uint64_t tried;        /* mappings that were analyzed, or excluded without */
    uint64_t analyzed;     /* of these */
    uint64_t seed;
    bool is_complete; /* all that was planned was tried */
    bool is_better;   /* than the system's own mapping: else the answer is of that one */
    sys_search_score before, after;
} sys_search;

#endif
