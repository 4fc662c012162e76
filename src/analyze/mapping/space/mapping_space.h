/* The mappings of a system: where each task may run, how it may wait, and which cores are interchangeable. A mapping is
 * an array of sys_place, one per task.
 *
 * Cores are interchangeable where they are of one kind and each task may be on all of them or on none. Mappings that
 * differ only in the names of such cores are the same to every analysis; one of them is the normal one. */
#ifndef ANALYZE_MAPPING_SPACE_MAPPING_SPACE_H
#define ANALYZE_MAPPING_SPACE_MAPPING_SPACE_H

#include "model/system/system.h"

/* What may change. */
typedef struct map_may {
    bool core;     /* tasks move from core to core */
    bool gpu;      /* tasks that can move to the GPU, and from it to a core */
    bool priority; /* priorities on cores */
    bool wait;     /* tasks that wait for others hold their core or give it up */
} map_may;

#define MAP_MAX_TASKS 4096
#define MAP_MAX_CORES 4096

typedef struct map_task {
    const int *cores; /* that it may be on, in order, SYS_GPU among them; the system's own is one of them */
    size_t core_count;
    bool may_wait_either_way; /* it waits for others, and both ways to do so may be tried */
    bool waits;               /* it waits for others */
} map_task;

typedef struct map_space {
    const sys_system *of;
    map_may may;
    const map_task *tasks;
    const int *class_of; /* by core: the first core that it is interchangeable with */
    const int *rank;     /* by task: which place it has among all by deadline; 0 goes first */
    arena memory;
} map_space;

/* The system must outlive it. GCAST_INPUT where there are too many tasks or cores. */
gcast_status map_space_make(map_space *m, const sys_system *s, map_may may, gcast_error *err);
void map_space_free(map_space *m);
/* The deadline of a task for its priority: its own, or its period, or that of who waits for it, the least of them. */
int64_t map_deadline_ns(const sys_system *s, size_t task);

/* How many mappings there are, at most: interchangeable cores count as different. `priorities`: the orders on the cores
 * too, as if all tasks were on one core. A number that is too large is infinite. */
double map_space_size(const map_space *m, bool priorities);

/* The system's own mapping as a search starts from it: where priorities may change, no two are equal; equal ones of the
 * system are in order of deadline. */
void map_own(const map_space *m, sys_place *places);
/* Gives all tasks on cores priorities by deadline. */
void map_by_deadline(const map_space *m, sys_place *places);

/* One number per task that says all of a mapping: equal for mappings that differ only in the names of interchangeable
 * cores, or in priorities that give the same order on each core (where these may change). */
void map_pack(const map_space *m, const sys_place *places, uint32_t *packed);
/* The mapping that a number per task stands for: the normal one. */
void map_unpack(const map_space *m, const uint32_t *packed, sys_place *places);

#endif
