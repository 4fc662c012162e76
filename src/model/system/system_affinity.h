/* Which tasks of a system must be on one core, and which must not be. */
#ifndef MODEL_SYSTEM_SYSTEM_AFFINITY_H
#define MODEL_SYSTEM_SYSTEM_AFFINITY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sys_affinity {
    const char *words; /* what it asks for: "A and B on different cores" */
    bool together;     /* all of its tasks on one core; else no two of different groups */
    const int *tasks;
    const int *groups; /* for each of the tasks */
    size_t task_count;
    const bool *cores; /* for each core, and the GPU behind them: together: they must be on one of these; else: only
                          these count; NULL: all */
} sys_affinity;

struct sys_system;
struct sys_place;

bool system_affinity_holds(const struct sys_system *s, const sys_affinity *a, const struct sys_place *places);
/* How many do not hold. */
size_t system_broken(const struct sys_system *s, const struct sys_place *places);

#endif
