/* The mappings of a system: where each task may run, how it may wait, and which cores are interchangeable. A mapping is
 * an array of sys_place, one per task. Cores of one kind are interchangeable if each task may be on all of them or on
 * none. Mappings that differ only in the names of such cores are equal to analyses; one is the normal form. */
#ifndef ANALYZE_MAPPING_MAPPING_SPACE_H
#define ANALYZE_MAPPING_MAPPING_SPACE_H

#include "model/system.h"

/* What may change. */
typedef struct map_may {
    bool core;     /* tasks may move from core to core */
    bool gpu;      /* tasks may move to the GPU, and from it to a core */
    bool priority; /* priorities on cores */
    bool wait;     /* tasks may hold their core while they wait, or leave it */
} map_may;

#define MAP_MAX_TASKS 4096
#define MAP_MAX_CORES 4096

typedef struct map_task {
    const int *cores; /* where it may be, in order; may include SYS_GPU; always includes its own core */
    size_t core_count;
    bool may_wait_either_way; /* it waits for others, and may hold its core meanwhile or leave it */
    bool waits;               /* it waits for others */
} map_task;

typedef struct map_space {
    const sys_system *of;
    map_may may;
    const map_task *tasks;
    const int *class_of; /* by core: the first core that it is interchangeable with */
    const int *rank;     /* by task: its position among all tasks by deadline; 0 goes first */
    arena memory;
} map_space;

/* The system must outlive it. GCAST_INPUT where there are too many tasks or cores. */
gcast_status map_space_make(map_space *m, const sys_system *s, map_may may, gcast_error *err);
void map_space_free(map_space *m);

/* An upper limit on the number of mappings: interchangeable cores count as different. `priorities`: with all orders, as
 * if all tasks were on one core. Infinite if the number is too large. */
double map_space_size(const map_space *m, bool priorities);

/* The system's own mapping as the start of a search: if priorities may change they become distinct, and equal ones are
 * ordered by deadline. */
void map_own(const map_space *m, sys_place *places);
/* Gives all tasks on cores priorities by deadline. */
void map_by_deadline(const map_space *m, sys_place *places);

/* Packs a mapping into one number per task. Mappings get the same numbers if they differ only in the names of
 * interchangeable cores, or, if priorities may change, in priorities that give the same order on each core. */
void map_pack(const map_space *m, const sys_place *places, uint32_t *packed);
/* The mapping that these numbers stand for, in normal form. */
void map_unpack(const map_space *m, const uint32_t *packed, sys_place *places);

#endif
